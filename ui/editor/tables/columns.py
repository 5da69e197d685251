"""Columns of the tables: where a value is in a row, and how it is read and written."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from planner.plan.files.places import Path
from ui.editor.navigator.sections import Section, plain_columns
from ui.editor.values.adjust import tag_of
from ui.editor.values.field_help import help_of
from ui.editor.values.shapes import Shape, ShapeKind, fields_of
from ui.editor.values.text import meaning_of, plan_text, text_of, value_from


@dataclass(frozen=True)
class TableColumn:
    """One column of a table of rows."""

    title: str
    path: Path
    """Within the row."""
    parse: Callable[[str], Any]
    """Text to value; raises Unreadable."""
    unit: str
    help: str
    shape: Shape

    def value(self, row: Any) -> Any:
        """The value in a row; None where the row has no such part (no load, no container)."""
        for step in self.path:
            if isinstance(step, int):
                row = row[step] if step < len(row) else None
            else:
                row = getattr(row, step, None)
            if row is None:
                return None
        return row

    def exists(self, row: Any) -> bool:
        """Whether the row has the part this column is about."""
        parent = TableColumn(self.title, self.path[:-1], self.parse, "", "", self.shape).value(row)
        last = self.path[-1]
        return last < len(parent or ()) if isinstance(last, int) else hasattr(parent, last)

    def text(self, row: Any) -> str:
        """What a cell shows."""
        return text_of(self.shape, self.value(row))

    def meaning(self, row: Any, currency: str) -> str:
        """What is shown after the text."""
        return meaning_of(self.shape, self.value(row), currency)


def columns_of(section: Section) -> tuple[TableColumn, ...]:
    """The columns of a list."""
    model = section.row_model
    assert model is not None
    row = section.kinds or Shape(ShapeKind.GROUP, models=(model,))
    return tuple(_column(row, dotted) for dotted in section.columns or plain_columns(model))


def _column(row: Shape, dotted: str) -> TableColumn:
    steps: Path = tuple(int(step) if step.isdigit() else step for step in dotted.split("."))
    shape = _shape_at(row, steps)
    prefix = _shape_at(row, steps[:-1]).title if len(steps) > 1 else ""
    title = plan_text(shape.title) if len(steps) == 1 or isinstance(steps[-1], int) else _joined(prefix, shape.title)
    return TableColumn(title, steps, lambda text: value_from(shape, text), shape.unit, help_of(shape), shape)


_PLAIN_PREFIXES = ("Pod", "Demand", "SLO", "Metrics", "Kubelet", "")


def _joined(prefix: str, title: str) -> str:
    """CPU of the limits is "Limits CPU"; of the requests it is just "CPU"."""
    is_plain = prefix in (*_PLAIN_PREFIXES, "Requests", title)
    return plan_text(title) if is_plain else f"{plan_text(prefix)} {plan_text(title)}"


def _shape_at(shape: Shape, steps: Path) -> Shape:
    """The shape at the end of a path of names and positions; "type" of an alternative is a choice."""
    for step in steps:
        if isinstance(step, int):
            assert shape.item is not None
            shape = shape.item if shape.item.title else _titled(shape)
        elif step == "type" and shape.kind is ShapeKind.VARIANT:
            tags = tuple(tag_of(one) for one in shape.models)
            title = shape.title or QCoreApplication.translate("GroupEditor", "Type")
            text = shape.help or QCoreApplication.translate("GroupEditor", "The type of this entry.")
            return Shape(ShapeKind.CHOICE, title=title, help=text, choices=tags, read_only=True)
        else:
            of_any = (field.shape for model in shape.models for field in fields_of(model) if field.name == step)
            shape = next(of_any)
    return shape


def _titled(of: Shape) -> Shape:
    assert of.item is not None
    return Shape(of.item.kind, of.title, of.help, of.unit, models=of.item.models, item=of.item.item)
