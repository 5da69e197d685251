"""Everything of a plan that can be found: its objects, and the fields of objects and settings."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from pydantic import BaseModel

from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.finding.matching import DOT, Findable
from ui.editor.navigator.sections import Section
from ui.editor.values.field_help import kubernetes_name_of
from ui.editor.values.shapes import PlanField, ShapeKind, fields_of
from ui.editor.values.summaries import name_of
from ui.editor.values.text import plan_text

_DEEPEST = 4
_MOST_ROWS = 20
"""Objects of one kind whose fields are offered because the text names them."""


def places(plan: Plan, sections: Sequence[Section], current_row: Callable[[str], int]) -> Iterator[Findable]:
    """Lists, the objects in them, and the fields of settings and of the current row of each list."""
    for section in sections:
        if section.facet:
            continue  # the same rows again
        if not section.is_list:
            base: Path = (section.fields[0],) if section.is_single_group else ()
            yield from _fields(section.shown_title, base, section.form_fields(), 0)
            continue
        yield Findable(section.shown_title, (section.fields[0],))
        rows = section.rows(plan)
        for number, row in enumerate(rows):
            yield Findable(_row_words(section, row, number), (section.fields[0], number))
        current = min(current_row(section.key), len(rows) - 1)
        if current >= 0:
            yield from _fields_of_row(section, rows[current], current)


def places_in_named_rows(text: str, plan: Plan, sections: Sequence[Section]) -> Iterator[Findable]:
    """The fields of the first objects whose names are words of a text, or begin with them."""
    typed = [word for word in text.casefold().replace(DOT.strip(), " ").split() if len(word) > 1]
    for section in sections:
        if section.facet or not section.is_list:
            continue
        named = (
            (row, number)
            for number, row in enumerate(section.rows(plan))
            if any(name_of(row).casefold().startswith(word) for word in typed)
        )
        for row, number in islice(named, _MOST_ROWS):
            yield from _fields_of_row(section, row, number)


def _row_words(section: Section, row: BaseModel, number: int) -> str:
    return f"{section.shown_title}{DOT}{name_of(row) or number + 1}"


def _fields_of_row(section: Section, row: BaseModel, number: int) -> Iterator[Findable]:
    yield from _fields(_row_words(section, row, number), (section.fields[0], number), fields_of(type(row)), 0)


def _fields(title: str, base: Path, fields: tuple[PlanField, ...], depth: int) -> Iterator[Findable]:
    for field in fields:
        words, path = f"{title}{DOT}{plan_text(field.shape.title)}", (*base, field.name)
        yield Findable(words, path, f"{_file_key(field)} {kubernetes_name_of(field.shape)}")
        if field.shape.kind is ShapeKind.GROUP and depth < _DEEPEST:
            yield from _fields(words, path, fields_of(field.shape.model), depth + 1)


def _file_key(field: PlanField) -> str:
    owner = field.shape.owner
    return field.name if owner is None else owner.model_fields[field.name].alias or field.name
