"""The table of docs/accuracy.md: cases that agree, by family."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from tests.conformance.vectors import PROJECT

PAGE = PROJECT / "docs" / "accuracy.md"
FLOOR = Path(__file__).with_name("floor.json")
BEGIN, END = "<!-- counts begin -->\n", "<!-- counts end -->"
_ROW = re.compile(r"^\| (\S+) \| (\S+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def table(passed: Mapping[str, int], totals: Mapping[str, int]) -> str:
    """The rows between the marks; families as `area/name`."""
    lines = ["| Area | Family | Agree | Cases |", "|---|---|---:|---:|"]
    for family in sorted(passed):
        area, name = family.split("/")
        lines.append(f"| {area} | {name} | {passed[family]} | {totals[family]} |")
    lines += ["", f"Together: {sum(passed.values())} of {sum(totals[family] for family in passed)}."]
    return "\n".join(lines) + "\n"


def counts_of(text: str) -> tuple[dict[str, int], dict[str, int]]:
    """What a page says: cases that agree, and all cases, by family."""
    rows = [(f"{area}/{name}", int(agree), int(cases)) for area, name, agree, cases in _ROW.findall(text)]
    return {family: agree for family, agree, _ in rows}, {family: cases for family, _, cases in rows}


def write(passed: Mapping[str, int], totals: Mapping[str, int]) -> None:
    """Put a new table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}{table(passed, totals)}{END}{after}", encoding="utf-8")


def floor() -> dict[str, int]:
    """The committed floor."""
    found: dict[str, int] = json.loads(FLOOR.read_text(encoding="utf-8"))
    return found
