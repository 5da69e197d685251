"""Reads machine types from the JSON file by which Karpenter's KWOK provider is given its types.

Source: Karpenter 1.13, kwok/cloudprovider/helpers.go. The provider takes every offering as available, keeps 100m CPU
and 10Mi for the kubelet, and derives the labels below. Older files name zone and market of an offering directly.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner.errors import PlanFileError
from planner.language.translation import marked, tr
from planner.plan.derived.machine_choice import CAPACITY_TYPE
from planner.plan.edits.karpenter.type_table import read_type_table
from planner.plan.files.json_text import read_json
from planner.plan.files.problems import problems_from, shown
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.node_groups import ZONE_LABEL
from planner.units import MIB

_KEPT_CPU_MILLI, _KEPT_MEMORY = 100, 10 * MIB
_DEFAULT_PODS = "110"
_LABELS = "karpenter.kwok.sh"
_NATIVE = ("cpu", "memory", "pods", "ephemeral-storage")
_AWS_SIZE = re.compile(r"\w+\.(nano|micro|small|medium|large|\d*xlarge|metal)")
_FORM = marked('Give a list of types such as {"name": …, "offerings": […], "architecture": …, "resources": {…}}.')


def read_instance_types(path: Path) -> tuple[MachineType, ...]:
    """The types for Linux in the file, or those of a table (CSV). Raises PlanFileError."""
    if path.suffix.lower() == ".csv":
        return read_type_table(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise PlanFileError(
            str(path), tr("The file of machine types cannot be read ({reason}).", reason=reason), tr(_FORM)
        ) from error
    data = read_json(text, str(path))
    if not isinstance(data, list) or not data:
        raise PlanFileError(str(path), tr("This is no list of machine types."), tr(_FORM))
    found = tuple(_type(row, index, path) for index, row in enumerate(data) if _is_for_linux(row))
    if not found:
        raise PlanFileError(str(path), tr("No machine type of the file is for Linux."), tr(_FORM))
    return found


def _is_for_linux(row: Any) -> bool:
    systems = row.get("operatingSystems") if isinstance(row, Mapping) else None
    return not isinstance(systems, list) or "linux" in systems


def _type(row: Any, index: int, path: Path) -> MachineType:
    where = f"{path}: [{index}]"
    if not isinstance(row, Mapping) or not isinstance(row.get("resources"), Mapping):
        raise PlanFileError(where, tr("A machine type needs a name and resources."), tr(_FORM))
    resources, name = row["resources"], str(row.get("name", ""))
    cpu, memory = resources.get("cpu"), resources.get("memory")
    labels = {"instance-size": _size(name, str(cpu)), "instance-family": re.split("[.-]", name)[0] or name[:1]}
    labels |= {"instance-cpu": str(cpu), "instance-memory": str(memory)}
    data = {
        "name": name,
        "cpu": cpu,
        "memory": memory,
        "pods": _whole(resources.get("pods", _DEFAULT_PODS), f"{where}.resources.pods"),
        "ephemeralStorage": resources.get("ephemeral-storage", 0),
        "extended": {
            key: _whole(value, f"{where}.resources[{key}]") for key, value in resources.items() if key not in _NATIVE
        },
        "reservedCpu": f"{_KEPT_CPU_MILLI}m",
        "reservedMemory": _KEPT_MEMORY,
        "architecture": row.get("architecture", "amd64"),
        "labels": {f"{_LABELS}/{key}": value for key, value in labels.items()},
        "offerings": list(_offerings(row.get("offerings"), f"{where}.offerings")),
    }
    try:
        return MachineType.model_validate(data)
    except ValidationError as error:
        first = problems_from(error, MachineType)[0]
        raise PlanFileError(f"{where}.{first.where}", first.problem, first.remedy) from error


def _size(name: str, cpu: str) -> str:
    found = _AWS_SIZE.fullmatch(name)
    return found[1] if found else cpu


def _whole(value: Any, where: str) -> int:
    text = str(value)
    if not text.isdecimal():
        raise PlanFileError(
            where, tr("{value} is not a whole number.", value=shown(value)), tr('Write for example "110".')
        )
    return int(text)


def _offerings(rows: Any, where: str) -> Iterator[Mapping[str, Any]]:
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if not isinstance(row, Mapping):
            raise PlanFileError(f"{where}[{index}]", tr("An offering needs a zone, a market and a price."), tr(_FORM))
        given = {str(key).lower(): value for key, value in row.items()}
        zones = _values(given, ZONE_LABEL) or [given.get("zone")]
        markets = _values(given, CAPACITY_TYPE) or [given.get("capacitytype")]
        for zone in zones:
            for market in markets:
                if market != "reserved":
                    yield {"zone": zone, "capacityType": market, "price": given.get("price")}


def _values(offering: Mapping[str, Any], key: str) -> list[Any]:
    """Values of a requirement of the offering."""
    rows = offering.get("requirements")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, Mapping) and row.get("key") == key and isinstance(row.get("values"), list):
            return list(row["values"])
    return []
