"""Verbs on the rows of a list: each one undo step. An edit that cannot be made is reported and changes nothing."""

import json
from typing import Any

from PySide6.QtCore import QMimeData, QObject, Signal

from planner.errors import PlanProblem
from planner.plan.edits.edit import insert_many, move_many, remove_many, replace_at, value_at
from planner.plan.model.plan import Plan
from ui.document.drafts import NO_DRAFTS, Drafts, followed
from ui.document.plan_document import PlanDocument
from ui.editor.navigator.sections import Section
from ui.editor.tables.columns import TableColumn, columns_of
from ui.editor.tables.tsv import MAX_ROWS, from_tsv, row_from, to_tsv
from ui.editor.values.field_names import in_words
from ui.editor.values.seeds import free_name, new_row, seed_of
from ui.editor.values.shapes import fields_of
from ui.editor.values.summaries import name_of

ROWS_TYPE = "application/vnd.headroom.rows+json"
"""Whole rows, beside the text with tabs that spreadsheets read."""
_SHARED_NAMES = ("workloads", "overprovisioning")
"""Pods are called after their workload or reserve, so these share one set of names."""


class RowEdits(QObject):
    """Adds, copies, removes and moves rows. All verbs give the positions of the rows to select."""

    refused = Signal(str)

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def add(self, section: Section, after: int | None) -> list[int]:
        """A new row behind `after`, or at the end."""
        plan, field = self._document.plan, section.fields[0]
        if section.facet:
            return self._set_facet(section, [after] if after is not None else [])
        position = len(section.rows(plan)) if after is None else after + 1
        row = new_row(field, plan, names_in(plan, field))
        step_text = self.tr("Add {noun} {name}").format(noun=section.shown_noun.lower(), name=name_of(row))
        return self._insert(section, position, [row], step_text)

    def duplicate(self, section: Section, positions: list[int]) -> list[int]:
        """Copies of rows behind the last of them, with names of their own."""
        rows = [section.rows(self._document.plan)[position] for position in positions]
        copies = self._renamed(section, rows)
        step_text = self._step_text(
            section, rows, self.tr("Duplicate {noun} {name}"), self.tr("Duplicate {count} rows")
        )
        return self._insert(section, max(positions) + 1, copies, step_text)

    def delete(self, section: Section, positions: list[int]) -> list[int]:
        """Delete rows; dangling references are reported by the checks. A facet is removed from its rows instead."""
        plan, field = self._document.plan, section.fields[0]
        rows = [section.rows(plan)[position] for position in positions]
        step_text = self._step_text(section, rows, self.tr("Delete {noun} {name}"), self.tr("Delete {count} rows"))
        if section.facet:
            for position in positions:
                plan = replace_at(plan, (field, position, section.facet[0]), None)
            self._document.apply(plan, step_text)
            return positions
        self._document.apply(remove_many(plan, (field,), positions), step_text)
        left = len(section.rows(self._document.plan))
        return [min(min(positions), left - 1)] if left else []

    def move(self, section: Section, positions: list[int], by: int) -> list[int]:
        """Move rows one place up (-1) or down (1)."""
        rows = section.rows(self._document.plan)
        moved = [rows[position] for position in positions]
        one = self.tr("Move {noun} {name} up") if by < 0 else self.tr("Move {noun} {name} down")
        many = self.tr("Move {count} rows up") if by < 0 else self.tr("Move {count} rows down")
        plan = move_many(self._document.plan, (section.fields[0],), positions, by)
        self._document.apply(plan, self._step_text(section, moved, one, many))
        after = {id(row): position for position, row in enumerate(section.rows(self._document.plan))}
        return sorted(after[id(row)] for row in moved)

    def copied(self, section: Section, positions: list[int]) -> QMimeData:
        """Rows for the clipboard."""
        rows = [section.rows(self._document.plan)[position] for position in positions]
        data = QMimeData()
        data.setText(to_tsv(columns_of(section), rows))
        written = [row.model_dump(mode="json", by_alias=True, exclude_unset=True) for row in rows]
        data.setData(ROWS_TYPE, json.dumps({section.fields[0]: written}).encode())
        return data

    def paste(self, section: Section, data: QMimeData | None, after: int | None) -> list[int]:
        """Rows of the clipboard behind `after`: whole ones, or text with tabs. Cells that do not fit stay marked."""
        plan, field = self._document.plan, section.fields[0]
        position = len(section.rows(plan)) if after is None else after + 1
        data = data if data is not None else QMimeData()  # nothing was ever copied
        whole = self._whole_rows(section, data)
        rows, typed = (whole, []) if whole else self._typed_rows(section, data.text())
        if not rows:
            self.refused.emit(self.tr("The clipboard does not contain rows. Copy rows here or in a spreadsheet first."))
            return []
        step_text = self._step_text(section, rows, self.tr("Paste {noun} {name}"), self.tr("Paste {count} rows"))
        drafts = {
            (field, position + offset, *path): draft
            for offset, cells in enumerate(typed)
            for path, draft in cells.items()
        }
        return self._insert(section, position, self._renamed(section, rows), step_text, drafts)

    def _whole_rows(self, section: Section, data: QMimeData) -> list[Any]:
        if not data.hasFormat(ROWS_TYPE) or section.row_model is None:
            return []
        try:
            written = json.loads(bytes(data.data(ROWS_TYPE).data())).get(section.fields[0], [])
            return [section.model_of(row.get("type", "")).model_validate(row) for row in written[:MAX_ROWS]]
        except (ValueError, AttributeError, TypeError):
            return []

    def _typed_rows(self, section: Section, text: str) -> tuple[list[Any], list[Any]]:
        field, plan = section.fields[0], self._document.plan
        found = [
            row_from(cells, field, new_row(field, plan, frozenset(), _tag_in(cells)))
            for cells in from_tsv(text, columns_of(section))
        ]
        return [row for row, _ in found], [drafts for _, drafts in found]

    def _renamed(self, section: Section, rows: list[Any]) -> list[Any]:
        """Rows with names that are free; values are as they were."""
        taken = set(names_in(self._document.plan, section.fields[0]))
        renamed = []
        for row in rows:
            if "name" in type(row).model_fields:
                row = row.model_copy(update={"name": free_name(row.name, frozenset(taken))})
                taken.add(row.name)
            renamed.append(row)
        return renamed

    def _insert(
        self, section: Section, position: int, rows: list[Any], step_text: str, drafts: Drafts = NO_DRAFTS
    ) -> list[int]:
        try:
            plan = insert_many(self._document.plan, (section.fields[0], position), rows)
        except PlanProblem as problem:
            self.refused.emit(in_words(problem.where, problem.problem, problem.remedy, self._document.plan))
            return []
        kept = followed(self._document.drafts, self._document.plan, plan)
        self._document.apply(plan, step_text, "", {**kept, **drafts})
        return list(range(position, position + len(rows)))

    def _set_facet(self, section: Section, positions: list[int]) -> list[int]:
        """Give rows their part, for example workloads a load."""
        plan, field = self._document.plan, section.fields[0]
        model = section.row_model
        assert model is not None
        shape = next(one.shape for one in fields_of(model) if one.name == section.facet[0])
        bare = [row for row in positions if getattr(section.rows(plan)[row], section.facet[0]) is None]
        if not bare:
            self.refused.emit(self.tr("Select a row that does not have one yet."))
            return []
        rows = [value_at(plan, (field, position)) for position in bare]
        for position in bare:
            plan = replace_at(plan, (field, position, section.facet[0]), seed_of(shape))
        step_text = self._step_text(section, rows, self.tr("Add {noun} to {name}"), self.tr("Add to {count} rows"))
        self._document.apply(plan, step_text)
        return bare

    def _step_text(self, section: Section, rows: list[Any], one: str, many: str) -> str:
        if len(rows) == 1:
            return one.format(noun=section.shown_noun.lower(), name=name_of(rows[0]))
        return many.format(count=len(rows))


def names_in(plan: Plan, field: str) -> frozenset[str]:
    """Names that a new row of a list must not have."""
    lists = _SHARED_NAMES if field in _SHARED_NAMES else (field,)
    return frozenset(str(getattr(row, "name", "")) for name in lists for row in getattr(plan, name))


def _tag_in(cells: dict[TableColumn, str]) -> str:
    """Which kind a row is; empty where all are of one kind."""
    return next((text for column, text in cells.items() if column.path == ("type",)), "")
