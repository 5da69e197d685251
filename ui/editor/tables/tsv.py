"""Rows as text with tabs, as spreadsheets copy and paste them."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from planner.errors import PlannerError
from planner.plan.edits.edit import replace_at, replace_many, value_at
from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.document.drafts import TypedText
from ui.editor.tables.columns import TableColumn
from ui.editor.values.seeds import seed_of
from ui.editor.values.shapes import Shape, fields_of
from ui.editor.values.text import UnreadableText

MAX_ROWS = 5_000


def to_tsv(columns: Sequence[TableColumn], rows: Sequence[BaseModel]) -> str:
    """A header and one line per row."""
    out = io.StringIO()
    writer = csv.writer(out, dialect="excel-tab", lineterminator="\n")
    writer.writerow(column.title for column in columns)
    writer.writerows([column.text(row) for column in columns] for row in rows)
    return out.getvalue()


def from_tsv(text: str, columns: Sequence[TableColumn]) -> list[dict[TableColumn, str]]:
    """Texts by column. A first line that holds titles of columns says which they are; else they are in order."""
    lines = [line for line in csv.reader(io.StringIO(text), dialect="excel-tab") if any(map(str.strip, line))]
    if not lines:
        return []
    by_title = {column.title.casefold(): column for column in columns}
    titles = [by_title.get(cell.strip().casefold()) for cell in lines[0]]
    has_header = sum(title is not None for title in titles) * 2 >= len(titles)
    used = titles if has_header else [*columns]
    rows = lines[1:] if has_header else lines
    return [
        {column: cell.strip() for column, cell in zip(used, line, strict=False) if column is not None}
        for line in rows[:MAX_ROWS]
    ]


def row_from(cells: dict[TableColumn, str], section: str, seed: BaseModel) -> tuple[Any, dict[Path, TypedText]]:
    """A row with the texts of its cells, and those that do not fit, by their path within the row.

    Cells are tried until nothing more fits, since a minimum may need its maximum first.
    """
    plan = Plan.model_validate({section: (seed,)})
    waiting = {column: text for column, text in cells.items() if text and not column.shape.read_only}
    while waiting:
        refused: dict[TableColumn, str] = {}
        drafts: dict[Path, TypedText] = {}
        for column, text in waiting.items():
            path = (section, 0, *column.path)
            try:
                plan = replace_at(_with_parents(plan, path), path, column.parse(text))
            except (UnreadableText, PlannerError) as error:
                refused[column] = text
                drafts[column.path] = _draft(column, text, error, plan, path)
        if len(refused) == len(waiting):
            return value_at(plan, (section, 0)), drafts
        waiting = refused
    return value_at(plan, (section, 0)), {}


def _draft(column: TableColumn, text: str, error: Any, plan: Plan, path: Path) -> TypedText:
    row = value_at(plan, path[:2])
    return TypedText(text, error.problem, error.remedy, column.value(row), column.parse)


def _shape(model: type[BaseModel], name: str) -> Shape:
    return next(field.shape for field in fields_of(model) if field.name == name)


def _with_parents(plan: Plan, path: Path) -> Plan:
    """The plan with what a path leads through: a load, a first metric."""
    for length in range(3, len(path)):
        parent = value_at(plan, path[: length - 1])
        step = path[length - 1]
        if isinstance(step, int) and step >= len(parent):
            item = _shape(type(value_at(plan, path[: length - 2])), str(path[length - 2])).item
            assert item is not None
            plan = replace_at(plan, path[: length - 1], (*parent, seed_of(item)))
        elif isinstance(step, str) and getattr(parent, step, None) is None:
            plan = replace_many(plan, path[: length - 1], {step: seed_of(_shape(type(parent), step))})
    return plan
