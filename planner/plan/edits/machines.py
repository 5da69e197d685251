"""The machine catalogue: sizes and example list prices to begin a node pool with.

Choosing a machine is an edit: its numbers are copied into the pool, and the plan no longer depends on the catalogue.
"""

from pathlib import Path

import platformdirs
from pydantic import Field, ValidationError

from planner.errors import PlanFileError, PlanProblem, PlanProblems
from planner.plan.edits.edit import insert_at, replace_many
from planner.plan.files.json_text import read_json
from planner.plan.files.problems import nearest, problems_from, shown
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.values.fields import CpuMilli, MemoryBytes, PlanModel, required, setting
from planner.plan.values.money import same_currency

CATALOGUE = Path(__file__).resolve().parents[3] / "resources" / "machines.json"
_MONEY_PER_HOUR = "currency/h"
_OWN_FORM = "Write it in the form that headroom machines --json prints, or remove the file."


class Machine(PlanModel):
    """A kind of machine that clouds rent out."""

    name: str = required("Name", "Name used by the provider.", min_length=1, max_length=63, pattern=r"^[\w.-]+$")
    provider: str = required("Provider", "Name of the provider.", min_length=1, max_length=63)
    cpu: CpuMilli = required("CPU", "CPU capacity.", unit="cores", gt=0)
    memory: MemoryBytes = required("Memory", "Memory capacity.", unit="bytes", gt=0)
    pods: int = setting(110, "Pods", "Most pods a node runs.", unit="pods", ge=1, le=1_000)
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )
    price_per_hour: float = required("Price", "Example of a list price.", unit=_MONEY_PER_HOUR, ge=0, le=10_000)
    spot_price_per_hour: float = setting(
        0.0, "Spot price", "Example of a spot price; 0 = not known.", unit=_MONEY_PER_HOUR, ge=0, le=10_000
    )

    def fields(self, name: str) -> dict[str, object]:
        """Fields of a new pool of such machines."""
        pricing = {"pricing": {"spot_price_per_hour": self.spot_price_per_hour}} if self.spot_price_per_hour else {}
        return {"name": name, **self.sizes(), "price_per_hour": self.price_per_hour, **pricing}

    def sizes(self) -> dict[str, object]:
        """Fields of a pool that follow from what its machines are."""
        return {
            "machine_type": self.name,
            "cpu": self.cpu,
            "memory": self.memory,
            "pods": self.pods,
            **({"extended": self.extended} if self.extended else {}),
        }

    def answers_to(self, words: str) -> bool:
        """Whether name or provider holds each of the words, whatever the case."""
        named = f"{self.provider} {self.name}".lower()
        return all(word in named for word in words.lower().split())

    def prices(self, group: NodeGroup) -> dict[str, object]:
        """Fields of a pool that hold this machine's prices; the rest of its pricing stays."""
        found: dict[str, object] = {"price_per_hour": self.price_per_hour}
        if self.spot_price_per_hour != group.pricing.spot_price_per_hour:
            spot = {"spot_price_per_hour": self.spot_price_per_hour}
            found["pricing"] = group.pricing.model_copy(update=spot)
        return found

    def is_priced_in(self, group: NodeGroup) -> bool:
        """Whether the pool has this machine's prices, that is, none were typed in."""
        return self.price_per_hour == group.price_per_hour and group.pricing.spot_price_per_hour in (
            0.0,
            self.spot_price_per_hour,
        )


class MachineCatalogue(PlanModel):
    """Machines with example prices of a certain date."""

    date: str = required("Date", "When the prices were noted.")
    currency: str = required("Currency", "Currency of the prices.")
    note: str = setting("", "Note", "What the prices refer to.")
    machines: tuple[Machine, ...] = required("Machines", "Machines of the catalogue.", min_length=1)

    @property
    def origin(self) -> str:
        """How old the prices are and how far to trust them, as a line to show next to them."""
        return f"Example prices of {self.date} in {self.currency}; enter your own prices in the pools of the plan."

    def named(self, name: str) -> Machine | None:
        """The machine of that name, whatever the case."""
        return next((machine for machine in self.machines if machine.name.lower() == name.lower()), None)

    def matching(self, words: str) -> tuple[Machine, ...]:
        """Machines whose name or provider holds each of the words."""
        return tuple(machine for machine in self.machines if machine.answers_to(words))


def own_catalogue_path() -> Path:
    """Path of the user's own catalogue, which replaces the built-in one if it exists."""
    return platformdirs.user_data_path("headroom", appauthor=False) / "machines.json"


def machine_catalogue(path: Path | None = None) -> MachineCatalogue:
    """The user's own catalogue, else the one that comes with the program. Raises PlanFileError."""
    if path is None:
        own = own_catalogue_path()
        path = own if own.is_file() else CATALOGUE
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise PlanFileError(str(path), f"The machine catalogue cannot be read ({reason}).", _OWN_FORM) from error
    try:
        return MachineCatalogue.model_validate(read_json(text, str(path)))
    except ValidationError as error:
        raise _misfit(path, problems_from(error, MachineCatalogue)[0]) from error
    except PlanProblems as error:  # doubled keys, numbers that are none
        raise _misfit(path, error.problems[0]) from error


def _misfit(path: Path, first: PlanProblem) -> PlanFileError:
    return PlanFileError(f"{path}: {first.where}", first.problem, f"{first.remedy} {_OWN_FORM}")


def with_machine(plan: Plan, pool: int, machine: Machine, catalogue: MachineCatalogue) -> Plan:
    """The plan with a pool made of these machines: size, machine type, and prices unless others were typed in.

    `pool`: its position. A price counts as typed unless it is 0 or that of the machine the pool named so far. Prices
    of another currency than the plan's are left out. Raises PlanProblem.
    """
    group = plan.node_groups[pool]
    prices = _prices(group, machine, catalogue) if has_prices_for(plan, catalogue) else {}
    return replace_many(plan, ("node_groups", pool), machine.sizes() | prices)


def with_new_pool(plan: Plan, name: str, machine: Machine, catalogue: MachineCatalogue) -> Plan:
    """The plan with one more pool, made of these machines. Raises PlanProblem."""
    fields = machine.fields(name) if has_prices_for(plan, catalogue) else {"name": name, **machine.sizes()}
    return insert_at(plan, ("node_groups", len(plan.node_groups)), fields)


def has_prices_for(plan: Plan, catalogue: MachineCatalogue) -> bool:
    """Whether the catalogue's prices are in the plan's currency."""
    return same_currency(catalogue.currency, plan.costs.currency)


def _prices(group: NodeGroup, machine: Machine, catalogue: MachineCatalogue) -> dict[str, object]:
    """The machine's prices as fields of the pool; nothing if the pool has its own prices."""
    before = catalogue.named(group.machine_type) if group.machine_type else None
    is_free = group.price_per_hour == 0.0 and group.pricing.spot_price_per_hour == 0.0
    return machine.prices(group) if is_free or (before is not None and before.is_priced_in(group)) else {}


def find_machine(catalogue: MachineCatalogue, name: str) -> Machine:
    """The machine of that name. Raises PlanProblem with the nearest one."""
    machine = catalogue.named(name)
    if machine is None:
        guess = nearest(name, [known.name for known in catalogue.machines])
        remedy = f"Did you mean {guess}?" if guess else "headroom machines lists the available ones."
        raise PlanProblem("machine type", f"{shown(name)} is not in the machine catalogue.", remedy)
    return machine
