"""Reads machine types from a table (CSV) with a line for every type, zone and capacity type."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner.errors import PlanFileError
from planner.language.translation import marked, tr
from planner.plan.files.problems import problems_from
from planner.plan.model.karpenter.machine_types import MachineType
from planner.units import format_bytes, format_cpu, parse_count, parse_cpu_milli

_FORM = marked(
    "Begin with a line of the columns name, cpu, memory, zone, price; allocatableCpu, allocatableMemory, pods, "
    "architecture, region, capacityType may follow."
)
_NEEDED = ("name", "cpu", "memory", "price")
Row = Mapping[str, str]


def read_type_table(path: Path) -> tuple[MachineType, ...]:
    """The types of the table, in the order in which they come first. Raises PlanFileError."""
    try:
        rows = list(_rows(path.read_text(encoding="utf-8-sig"), path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = tr("The file of machine types cannot be read ({reason}).", reason=reason)
        raise PlanFileError(str(path), problem, tr(_FORM)) from error
    found: dict[str, dict[str, Any]] = {}
    for where, row in rows:
        known = found.setdefault(row["name"], _type(row, where))
        known["offerings"].append(_offering(row))
    return tuple(_checked(each, path) for each in found.values())


def _rows(text: str, path: Path) -> Iterator[tuple[str, Row]]:
    table = csv.DictReader(io.StringIO(text))
    names = [(name or "").strip() for name in table.fieldnames or ()]
    missing = [name for name in _NEEDED if name not in names]
    if missing or not {"zone", "region"} & set(names):
        problem = tr("The table has no column {name}.", name=(missing or ["zone"])[0])
        raise PlanFileError(str(path), problem, tr(_FORM))
    table.fieldnames = names
    for row in table:
        yield f"{path}: {table.line_num}", {name: (row.get(name) or "").strip() for name in names}


def _type(row: Row, where: str) -> dict[str, Any]:
    """What a type has; what pods cannot use is the difference to the allocatable amounts."""
    try:
        cpu, memory = parse_cpu_milli(row["cpu"]), parse_count(row["memory"])
        kept_cpu = cpu - parse_cpu_milli(row.get("allocatableCpu") or row["cpu"])
        kept_memory = memory - parse_count(row.get("allocatableMemory") or row["memory"])
    except ValueError as error:
        raise PlanFileError(where, f"{error}.", tr('Write for example "4" and "16Gi".')) from error
    rest: dict[str, Any] = {key: row[key] for key in ("architecture",) if row.get(key)}
    if row.get("pods", "").isdecimal():
        rest["pods"] = int(row["pods"])
    reserved = {"reservedCpu": format_cpu(max(kept_cpu, 0)), "reservedMemory": format_bytes(max(kept_memory, 0))}
    return {
        "name": row["name"], "cpu": format_cpu(cpu), "memory": format_bytes(memory), **reserved, **rest, "offerings": []
    }  # fmt: skip


def _offering(row: Row) -> dict[str, Any]:
    """A zone; a table without zones is one of regions, each of which counts as a zone."""
    price = row["price"]
    market = {"capacityType": row["capacityType"]} if row.get("capacityType") else {}
    return {"zone": row.get("zone") or row.get("region"), "price": _number(price), **market}


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _checked(part: Mapping[str, Any], path: Path) -> MachineType:
    try:
        return MachineType.model_validate(part)
    except ValidationError as error:
        first = problems_from(error, MachineType)[0]
        raise PlanFileError(f"{path}: {part['name']}: {first.where}", first.problem, first.remedy) from error
