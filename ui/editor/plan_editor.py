"""The left column of the window: navigator, table and form of the plan, and what is wrong with it."""

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from planner.errors import PlanProblem
from planner.plan.files.places import Path
from ui.document.plan_document import PlanDocument
from ui.editor.arrangement import EditorParts
from ui.editor.boxes import FormBox, TableBox
from ui.editor.cards.registry import CARDS
from ui.editor.forms.form import PlanForm
from ui.editor.forms.manifest_text import ManifestText
from ui.editor.navigator.navigator import Navigator
from ui.editor.navigator.navigator_model import NavigatorModel
from ui.editor.navigator.sections import Section
from ui.editor.previews.plan_previews import PlanPreviews
from ui.editor.problems.marks import Marks
from ui.editor.problems.problems_panel import ProblemsPanel
from ui.editor.style import editor_style
from ui.editor.tables.row_actions import RowActions
from ui.editor.tables.row_edits import ROWS_TYPE, RowEdits
from ui.editor.tables.table_model import RowTableModel
from ui.editor.tables.table_view import RowTable
from ui.editor.values.edits import PlanEdits
from ui.editor.values.field_names import in_words
from ui.editor.values.summaries import name_of
from ui.editor.values.where import path_of
from ui.runs.failure import RunFailure
from ui.runs.run_data import RunData
from ui.theme.theme import ThemeSource
from ui.transfer.manifest_reading import is_manifest_text

_NOTE_MS = 6_000
_Verb = Callable[[Section, list[int]], list[int]]


class PlanEditor(QWidget):
    """Shows and edits the plan of a document."""

    manifests_pasted = Signal(str)
    """The clipboard holds manifests, which the window imports."""

    def __init__(self, document: PlanDocument, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("planEditor")
        self._document, self._theme, self._had_drafts = document, theme, False
        self.marks = Marks(document, self)
        self.edits = PlanEdits(document, self)
        self.row_edits = RowEdits(document, self)
        self.tree = NavigatorModel(document, self.marks, theme, self)
        self.navigator = Navigator(self.tree, theme)
        self.rows = RowTableModel(self.edits, self.marks, theme, self)
        self.table = RowTable(self.rows, document.undo_stack)
        self.form = PlanForm(self.edits, self.marks, theme, CARDS)
        self.yaml = ManifestText(document)
        self.problems = ProblemsPanel(self.marks, theme)
        self.actions_of_rows = RowActions(theme, self)
        self.section: Section = self.tree.sections[0]
        self.row: int | None = None
        self._following = False
        self._arrange()
        self._connect()
        self._dress()
        self._show(self.section, 0 if self.section.rows(document.plan) else None)

    @property
    def row_actions(self) -> list[QAction]:
        """The verbs on rows, for a menu of the window."""
        return self.actions_of_rows.all()

    def show_place(self, where: str) -> None:
        """Go to a place of the plan in the file's spelling, such as nodeGroups[0].maxSize."""
        self.show_path(path_of(where))

    def in_words(self, problem: PlanProblem | RunFailure) -> str:
        """A problem of the plan as the screen names its fields."""
        return in_words(problem.where, problem.problem, problem.remedy, self._document.plan)

    def show_path(self, path: Path) -> None:
        """Go to a place of the plan: its section, its row, and its field with the keyboard focus."""
        section = self._section_of(path)
        if section is None:
            return
        row = path[1] if section.is_list and len(path) > 1 and isinstance(path[1], int) else None
        count = len(section.rows(self._document.plan))
        self._go_to_row(section, row if row is not None and row < count else None)
        if row is None and section.is_list:
            self.navigator.setFocus()
        elif self.form.open_way(path) is None:
            self.navigator.setFocus()

    def _go_to_row(self, section: Section, row: int | None) -> None:
        """Show a row that something else than the table names."""
        if section is self.section and row is not None:
            self.table_box.filter.reveal([row])
        self._show(section, row)

    def add_to(self, field: str) -> None:
        """Add a row to a list of the plan, and show it."""
        self.show_path((field,))
        self.actions_of_rows.add.trigger()

    def _section_of(self, path: Path) -> Section | None:
        """The section that shows a path; of two that show it, the one that is chosen now."""
        found = [section for section in self.tree.sections if path and path[0] in section.fields]
        fitting = [one for one in found if not one.facet or (len(path) > 2 and path[2] in one.facet)]
        return self.section if self.section in fitting else next(iter(fitting), None)

    def _show(self, section: Section, row: int | None, by_table: bool = False) -> None:
        """Choose a section and row in all parts at once; the table chooses cells itself (`by_table`)."""
        if self._following:
            return
        self._following = True
        try:
            rows = section.rows(self._document.plan)
            shown = row if row is not None else (0 if rows else None)
            if section is not self.section or self.rows.section is None:
                self.section = section
                self.rows.show_section(section)
            self.row = shown
            self.navigator.choose(section, row)
            if section.is_list and not by_table and (shown is None or shown not in self.table.positions()):
                self.table.choose([shown] if shown is not None else [])
            self.form.show_place_of(section, shown)
        finally:
            self._following = False
        self._update_headings()

    def _update_headings(self) -> None:
        """Headings, and what there is to show of the section."""
        section, is_list = self.section, self.section.is_list
        rows = section.rows(self._document.plan)
        self.parts.show_parts(has_table=is_list, has_form=bool(rows) or not is_list)
        self.table.setVisible(bool(rows))
        self.table_box.title.setText(section.shown_title)
        self.form_box.title.setText(self._heading())
        self.yaml.show_row(section.fields[0], self.row if is_list else None)
        if self.parts.is_wide:
            row = rows[self.row] if self.row is not None and self.row < len(rows) else None
            self.previews.show_row(row, self._document.plan)
        self.table_box.empty.setVisible(is_list and not rows)
        self.table_box.empty.show_section(section, self._document.plan)
        self.actions_of_rows.enable(section, has_row=self.row is not None)

    def _heading(self) -> str:
        if not self.section.is_list:
            return self.section.shown_title
        if self.row is None:
            return ""
        name = name_of(self.section.rows(self._document.plan)[self.row]) or str(self.row + 1)
        return self.tr("{noun} · {name}").format(noun=self.section.shown_noun, name=name)

    def _arrange(self) -> None:
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setProperty("muted", True)
        self._note.hide()
        self._note_end = QTimer(self, singleShot=True, interval=_NOTE_MS)
        self._note_end.timeout.connect(self._note.hide)
        self.table_box, self.form_box = TableBox(self.table, self.row_actions), FormBox(self.form, self.yaml)
        self.previews = PlanPreviews(self._theme)
        self.previews.load_drawn.connect(self.edits.put_load)
        self.previews.paste_wanted.connect(self._paste_load)
        self.parts = EditorParts(self.navigator, self.table_box, self.previews, self.form_box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.parts, 1)
        column.addWidget(self._note)
        column.addWidget(self.problems)

    def arrange(self, is_wide: bool) -> None:
        """Side by side with larger previews, or one below the other."""
        if is_wide != self.parts.is_wide:
            self.parts.arrange(is_wide)
            self.rows.show_facts(is_wide)
            self._show(self.section, self.row)

    def show_run(self, run: RunData | None) -> None:
        """Tell the results of a run beside the rows."""
        self.rows.show_run(run)

    def _connect(self) -> None:
        self._document.changed.connect(self._follow)
        self._document.replaced.connect(self._begin)
        self._document.drafts_changed.connect(self._show_drafts)
        self.navigator.chosen.connect(self._go_to_row)
        self.navigator.activated.connect(self.form.open_first)
        self.table.row_chosen.connect(self._row_chosen)
        self.problems.chosen.connect(self.show_path)
        self.row_edits.refused.connect(self._say)
        self.edits.refused.connect(self._say)
        self._theme.changed.connect(self._dress)
        verbs = self.actions_of_rows
        verbs.add.triggered.connect(lambda: self._select_new(self.row_edits.add(self.section, self.row)))
        verbs.duplicate.triggered.connect(lambda: self._on_rows(self.row_edits.duplicate, self._select_new))
        verbs.delete.triggered.connect(lambda: self._on_rows(self.row_edits.delete))
        verbs.up.triggered.connect(lambda: self._on_rows(lambda s, rows: self.row_edits.move(s, rows, -1)))
        verbs.down.triggered.connect(lambda: self._on_rows(lambda s, rows: self.row_edits.move(s, rows, 1)))
        self.table_box.empty.add_wanted.connect(verbs.add.trigger)
        self.table_box.empty.rows_wanted.connect(lambda field: self.show_path((field,)))
        verbs.copy.triggered.connect(self._copy)
        verbs.paste.triggered.connect(self._paste)
        for view in (self.navigator, self.table):
            view.addActions(self.row_actions)

    def _follow(self, fields: frozenset[str]) -> None:
        """The plan changed: refresh what shows the fields that differ."""
        self._following = True
        try:
            has_drafts = self._had_drafts or bool(self._document.drafts)
            self.tree.refresh(fields)
            if fields & set(self.section.fields):
                self.rows.refresh(has_drafts)
        finally:
            self._following = False
        count = len(self.section.rows(self._document.plan))
        row = None if self.row is None else min(self.row, count - 1)
        if self.section.is_list and (row != self.row or (row is None and count) or (row is not None and row < 0)):
            self._show(self.section, row if row is not None and row >= 0 else None)
        else:
            self.form.refresh()
            self._update_headings()

    def _show_drafts(self) -> None:
        """A cell of the table may hold a text that the form shows too."""
        self._had_drafts = bool(self._document.drafts)
        if not self._following:
            self.form.refresh()

    def _begin(self) -> None:
        """Another document."""
        self._following = True
        self.tree.reset()
        self.rows.show_section(self.section)
        self._following = False
        self.section = self.tree.sections[0]
        self.rows.show_section(self.section)
        self._show(self.section, 0 if self.section.rows(self._document.plan) else None)

    def _row_chosen(self, row: int) -> None:
        if row >= 0 and not self._following:
            self._show(self.section, row, by_table=True)

    def _positions(self) -> list[int]:
        """The rows a verb is about."""
        chosen = self.table.positions()
        return chosen or ([self.row] if self.row is not None else [])

    def _on_rows(self, verb: _Verb, then: Callable[[list[int]], None] | None = None) -> None:
        positions = self._positions()
        if positions:
            (then or self._select)(verb(self.section, positions))

    def _select(self, rows: list[int]) -> None:
        if rows:
            self._show(self.section, rows[0])
            if len(rows) > 1:
                self._following = True
                self.table.choose(rows)
                self._following = False

    def _select_new(self, rows: list[int]) -> None:
        self.table_box.filter.reveal(rows)
        self._select(rows)

    def _copy(self) -> None:
        positions = self._positions()
        if positions:
            QGuiApplication.clipboard().setMimeData(self.row_edits.copied(self.section, positions))

    def _paste(self) -> None:
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if data is None:  # an empty clipboard on some platforms, whatever the type says
            return
        if not data.hasFormat(ROWS_TYPE) and is_manifest_text(data.text()):
            self.manifests_pasted.emit(data.text())
            return
        self._select_new(self.row_edits.paste(self.section, data, self.row))

    def _paste_load(self, traffic: Path) -> None:
        from ui.editor.previews.pasted_points import NoPoints, points_of

        try:
            self.edits.put_load(traffic, points_of(QGuiApplication.clipboard().text()))
        except NoPoints as why:
            self._say(str(why))

    def _say(self, text: str) -> None:
        """Show for a few seconds why an action did nothing."""
        self._note.setText(text)
        self._note.show()
        self._note_end.start()

    def _dress(self) -> None:
        self.setStyleSheet(editor_style(self._theme.current))
        self.form.refresh()
