"""Reading recorded cases: which areas and families a folder holds, and their cases."""

import csv
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
DEFAULT_FOLDER = "../shared/conformance"
FOLDER_VARIABLE = "HEADROOM_CONFORMANCE"
QUEUE_TABLE = "mmc.csv"
QUEUE_INPUTS = ("c", "rho")


class VectorProblem(Exception):
    """Requested cases that cannot be found or read."""


@dataclass(frozen=True, order=True)
class Family:
    """One file of cases: `<area>/<name>.jsonl.gz`, or the table `queueing/mmc.csv`."""

    area: str
    name: str
    path: Path

    def __str__(self) -> str:
        return f"{self.area}/{self.name}"


def default_folder() -> Path:
    """The folder of the environment variable, else the one next to the project."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else PROJECT / DEFAULT_FOLDER


def find_families(folder: Path, area: str | None = None, name: str | None = None) -> list[Family]:
    """All families of the folder in order of their names, or those of one area or name."""
    if not folder.is_dir():
        raise VectorProblem(f"{folder}: no such folder. Name it, or set {FOLDER_VARIABLE}.")
    found = sorted(_families_in(folder))
    areas = sorted({family.area for family in found})
    if area is not None and area not in areas:
        raise VectorProblem(f"{folder}: no cases of an area {area!r}. Areas there: {', '.join(areas) or 'none'}.")
    chosen = [f for f in found if area in (None, f.area) and name in (None, f.name)]
    if not chosen:
        wanted = f"of a family {name!r} " if name else ""
        raise VectorProblem(f"{folder}: no cases {wanted}found (expected <area>/<family>.jsonl.gz).")
    return chosen


def _families_in(folder: Path) -> Iterator[Family]:
    for path in folder.glob("*/*"):
        area = path.parent.name
        for ending in (".jsonl.gz", ".jsonl"):
            if path.name.endswith(ending):
                yield Family(area, path.name.removesuffix(ending), path)
        if area == "queueing" and path.name == QUEUE_TABLE:
            yield Family(area, path.stem, path)


def read_cases(family: Family) -> Iterator[dict[str, Any]]:
    """The cases of one family: dicts with id, family, input and expect."""
    try:
        if family.path.suffix == ".csv":
            yield from _rows(family)
        else:
            with _opened(family.path) as lines:
                for line in lines:
                    if line.strip():
                        yield json.loads(line)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise VectorProblem(f"{family.path}: cannot be read: {error}") from error


def _opened(path: Path) -> Any:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _rows(family: Family) -> Iterator[dict[str, Any]]:
    """One row is one case: input {c, rho}; every other column is expected, as a number."""
    with family.path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=1):
            yield {
                "id": f"{family.name}-{number}",
                "family": family.name,
                "input": {"c": int(row["c"]), "rho": float(row["rho"])},
                "expect": {name: float(text) for name, text in row.items() if name not in QUEUE_INPUTS},
            }
