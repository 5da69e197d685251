"""CSV tables of traces: columns by name, numbers with their place in errors."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from planner.errors import ImportProblem
from planner.kube.files.file_text import read_text
from planner.language.translation import tr

MAX_ROWS = 1_000_000
_MAX_NUMBER = 1 << 40


@dataclass(frozen=True)
class TraceTable:
    """A table as text."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def has(self, *columns: str) -> bool:
        """Whether it has all these columns."""
        return all(column in self.columns for column in columns)

    def records(self) -> Iterator["Record"]:
        """One record per row."""
        for index, row in enumerate(self.rows):
            yield Record(self, index, dict(zip(self.columns, row, strict=True)))


@dataclass(frozen=True)
class Record:
    """One row."""

    table: TraceTable
    index: int
    cells: dict[str, str]

    def text(self, column: str) -> str:
        """A cell as text."""
        return self.cells[column].strip()

    def whole(self, column: str) -> int:
        """A whole number that is not negative; an empty cell is 0. Raises ImportProblem."""
        text = self.text(column)
        try:
            number = int(float(text)) if text else 0
        except (ValueError, OverflowError):
            number = -1
        if not 0 <= number <= _MAX_NUMBER:
            where = f"{self.table.path}, line {self.index + 2}: {column}"
            raise ImportProblem(
                where,
                tr("'{value}' is not a usable number.", value=text[:40]),
                tr("Write a whole number of 0 or more."),
            )
        return number


def read_table(path: str) -> TraceTable:
    """A CSV file with a head line. Raises ImportProblem."""
    text = read_text(path)
    try:
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise ImportProblem(
            path, tr("This is not a CSV table ({reason}).", reason=error), tr("Save it as comma-separated text.")
        ) from None
    if len(lines) < 2:
        raise ImportProblem(path, tr("The table has no rows."), tr("Give the complete file of the trace."))
    if len(lines) > MAX_ROWS:
        raise ImportProblem(path, tr("The table has more than {most} rows.", most=MAX_ROWS), tr("Split it."))
    columns = tuple(name.strip() for name in lines[0])
    rows = [row for row in lines[1:] if row]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(columns):
            problem = tr("The line has {cells} cells instead of {columns}.", cells=len(row), columns=len(columns))
            raise ImportProblem(
                tr("{path}, line {number}", path=path, number=number),
                problem,
                tr("The file may be incomplete; download it again."),
            )
    return TraceTable(path, columns, tuple(map(tuple, rows)))
