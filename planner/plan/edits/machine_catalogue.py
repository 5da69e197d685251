"""The machine catalogue: what clouds rent out, at which list prices, and what a managed service makes of it.

The user's own catalogue replaces the one that comes with the program. Format 1 had one date for all prices.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import platformdirs
from pydantic import Field, ValidationError, model_validator

from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import PlanFileError, PlanProblem, PlanProblems
from planner.language.translation import marked, tr
from planner.plan.derived.reservation_presets import free_disk
from planner.plan.files.json_text import read_json
from planner.plan.files.nearest import nearest
from planner.plan.files.problems import problems_from, shown
from planner.plan.model.kubelet import ReservationPreset
from planner.plan.model.node_groups import ARCH_LABEL, MAX_PODS_PER_NODE, REGION_LABEL
from planner.plan.values.fields import CpuMilli, Labels, MemoryBytes, Misfit, PlanModel, required, setting
from planner.units import GIB

FORMAT = 2
CATALOGUE = Path(__file__).resolve().parents[3] / "resources" / "machines.json"
_MONEY_PER_HOUR = "currency/h"
_OWN_FORM = marked("Write it in the form that headroom machines --json prints.")
_REGION_OF_ZONE = {
    ReservationPreset.EKS: re.compile(r"(.+\d)[a-z]"),
    ReservationPreset.GKE: re.compile(r"(.+)-[a-z]"),
    ReservationPreset.AKS: re.compile(r"(.+)-\d"),
}
"""How the services name zones after their region."""


class PriceSource(PlanModel):
    """Where prices come from."""

    date: str = required("Date", "When the prices were noted.", min_length=1, max_length=40)
    source: str = setting("", "Source", "Who published them.", max_length=500)


class Provider(PlanModel):
    """A cloud, its managed service, and the region that the prices are for."""

    name: str = required("Name", "Name of the provider.", min_length=1, max_length=63)
    service: ReservationPreset = setting(
        ReservationPreset.NONE, "Service", "Managed service whose reservations the nodes get."
    )
    region: str = setting("", "Region", "Region of the prices and of new pools.", max_length=63)
    zone: str = setting("", "Zone", "Zone of a new pool.", max_length=63)
    disk: MemoryBytes = setting(100 * GIB, "Disk", "Boot disk of a node, unless its machine names one.", unit="bytes")
    prices: PriceSource | None = setting(None, "Prices", "Date and source of the prices.")
    spot_prices: PriceSource | None = setting(None, "Spot prices", "Date and source of the spot prices.")

    def region_of(self, zone: str) -> str:
        """The region of a zone by the provider's way of naming, else the region of the prices."""
        pattern = _REGION_OF_ZONE.get(self.service)
        found = pattern.fullmatch(zone) if pattern else None
        return found[1] if found else self.region

    @property
    def origin(self) -> str:
        """Region and date of the prices, in a few words."""
        where = f"{self.name} {self.region}".strip()
        return (
            tr("{where} of {date}", where=where, date=self.prices.date)
            if self.prices
            else tr("{where} without a date", where=where)
        )


class Machine(PlanModel):
    """A kind of machine that clouds rent out."""

    name: str = required("Name", "Name used by the provider.", min_length=1, max_length=63, pattern=r"^[\w.-]+$")
    provider: str = required("Provider", "Name of the provider.", min_length=1, max_length=63)
    family: str = setting("", "Family", "What it is for: general, compute, memory, burstable, gpu.", max_length=63)
    arch: str = setting("amd64", "Architecture", "Value of kubernetes.io/arch.", min_length=1, max_length=63)
    cpu: CpuMilli = required("CPU", "CPU capacity.", unit="cores", gt=0)
    memory: MemoryBytes = required("Memory", "Memory capacity.", unit="bytes", gt=0)
    pods: int = setting(
        110, "Pods", "Most pods a node runs by the service's default.", unit="pods", ge=1, le=MAX_PODS_PER_NODE
    )
    disk: MemoryBytes = setting(0, "Disk", "Boot disk of a node; 0: that of the provider.", unit="bytes")
    reserved_cpu: CpuMilli = setting(
        0, "Reserved CPU", "CPU that the service keeps on this machine besides its usual share.", unit="cores"
    )
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )
    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels that the service puts on such nodes, for example the model of the GPU.",
        json_schema_extra={"unit": ""},
    )
    price_per_hour: float = setting(
        0.0, "Price", "List price on demand; 0 = not known.", unit=_MONEY_PER_HOUR, ge=0, le=10_000
    )
    spot_price_per_hour: float = setting(
        0.0, "Spot price", "Example of a spot price; 0 = not known.", unit=_MONEY_PER_HOUR, ge=0, le=10_000
    )

    def answers_to(self, words: str) -> bool:
        """Whether name, provider, family, architecture or labels hold each of the words, whatever the case."""
        what = (self.provider, self.name, self.family, self.arch, *self.extended, *self.labels.values())
        named = " ".join(what).lower()
        return all(word in named for word in words.lower().split())


class MachineCatalogue(PlanModel):
    """Machines with example prices."""

    version: int = setting(FORMAT, "Version", "Version of this format.", ge=1, le=FORMAT)
    currency: str = required("Currency", "Currency of the prices.")
    note: str = setting("", "Note", "What the prices refer to.")
    providers: tuple[Provider, ...] = required("Providers", "Providers of the machines.")
    machines: tuple[Machine, ...] = required("Machines", "Machines of the catalogue.", min_length=1)

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        known = [each.name for each in self.providers]
        names: set[str] = set()
        for index, machine in enumerate(self.machines):
            if machine.provider not in known:
                problem = tr("{provider} is not one of the providers", provider=shown(machine.provider))
                raise Misfit(("machines", index, "provider"), problem, tr("add it to providers, or correct the name"))
            if machine.name.lower() in names:
                problem = tr("{name} comes twice", name=shown(machine.name))
                raise Misfit(("machines", index, "name"), problem, tr("remove one of them"))
            names.add(machine.name.lower())
        return self

    @property
    def origin(self) -> str:
        """How old the prices are and how far to trust them, as a line to show next to them."""
        dates = "; ".join(each.origin for each in self.providers)
        return tr(
            "Example prices in {currency}: {dates}. Enter your own prices in the pools of the plan.",
            currency=self.currency,
            dates=dates,
        )

    def provider_of(self, machine: Machine) -> Provider:
        """The provider that rents the machine out."""
        return next(each for each in self.providers if each.name == machine.provider)

    def named(self, name: str) -> Machine | None:
        """The machine of that name, whatever the case."""
        return next((machine for machine in self.machines if machine.name.lower() == name.lower()), None)

    def matching(self, words: str) -> tuple[Machine, ...]:
        """Machines that answer to each of the words."""
        return tuple(machine for machine in self.machines if machine.answers_to(words))

    def disk_of(self, machine: Machine) -> int:
        """Boot disk of a node, in bytes."""
        return machine.disk or self.provider_of(machine).disk

    def scratch_of(self, machine: Machine) -> int:
        """Allocatable ephemeral storage of a node, in bytes."""
        return free_disk(self.provider_of(machine).service, self.disk_of(machine))

    def labels_of(self, machine: Machine, zone: str) -> dict[str, str]:
        """Labels of such a node that do not follow from other fields of a pool; `zone` may be empty."""
        region = self.provider_of(machine).region_of(zone)
        return {ARCH_LABEL: machine.arch, **({REGION_LABEL: region} if region else {}), **machine.labels}


def own_catalogue_path() -> Path:
    """Path of the user's own catalogue, which replaces the built-in one if it exists."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "machines.json"


def machine_catalogue(path: Path | None = None) -> MachineCatalogue:
    """The catalogue in a file, else the user's own, else the one that comes with the program. Raises PlanFileError."""
    if path is None:
        own = own_catalogue_path()
        path = own if own.is_file() else CATALOGUE
    return _read(_text(path), path)


def adopt_catalogue(path: Path) -> MachineCatalogue:
    """Make a file the user's own catalogue from now on; the one before is kept beside it. Raises PlanFileError."""
    text = _text(path)
    catalogue = _read(text, path)
    own = own_catalogue_path()
    try:
        own.parent.mkdir(parents=True, exist_ok=True)
        replace_file(own.resolve(), text.encode(), backup="~")
    except OSError as error:
        problem = tr("The machine catalogue could not be stored ({reason_of}).", reason_of=reason_of(error))
        raise PlanFileError(str(own), problem, cure_of(error)) from error
    return catalogue


def find_machine(catalogue: MachineCatalogue, name: str) -> Machine:
    """The machine of that name. Raises PlanProblem with the nearest one."""
    machine = catalogue.named(name)
    if machine is None:
        guess = nearest(name, [known.name for known in catalogue.machines])
        remedy = (
            tr("Did you mean {guess}?", guess=guess) if guess else tr("headroom machines lists the available ones.")
        )
        raise PlanProblem(tr("machine type"), tr("{name} is not in the machine catalogue.", name=shown(name)), remedy)
    return machine


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else tr("it is not UTF-8 text")
        raise PlanFileError(
            str(path), tr("The machine catalogue cannot be read ({reason}).", reason=reason), tr(_OWN_FORM)
        ) from error


def _read(text: str, path: Path) -> MachineCatalogue:
    try:
        data = read_json(text, str(path))
        _check_version(data, path)
        return MachineCatalogue.model_validate(_from_format_1(data))
    except ValidationError as error:
        raise _misfit(path, problems_from(error, MachineCatalogue)[0]) from error
    except PlanProblems as error:  # doubled keys, numbers that are none
        raise _misfit(path, error.problems[0]) from error


def _check_version(data: Any, path: Path) -> None:
    version = data.get("version") if isinstance(data, Mapping) else None
    if isinstance(version, int) and version > FORMAT:
        problem = tr(
            "The catalogue has format {version}; this program reads formats up to {format}.",
            version=version,
            format=FORMAT,
        )
        raise PlanFileError(tr("{path}: version", path=path), problem, tr("Use a newer version of Headroom."))


def _from_format_1(data: Any) -> Any:
    """Format 1 named the provider of a machine, and one date for all prices."""
    if not isinstance(data, dict) or "version" in data or "date" not in data:
        return data
    machines = data.get("machines")
    rows = [row for row in machines if isinstance(row, dict)] if isinstance(machines, list) else []
    names = dict.fromkeys(row["provider"] for row in rows if isinstance(row.get("provider"), str))
    noted = {"date": data["date"]}
    providers = [{"name": name, "prices": noted, "spotPrices": noted} for name in names]
    return {key: value for key, value in data.items() if key != "date"} | {"version": FORMAT, "providers": providers}


def _misfit(path: Path, first: PlanProblem) -> PlanFileError:
    return PlanFileError(f"{path}: {first.where}", first.problem, f"{first.remedy} {tr(_OWN_FORM)}")
