"""A plot with its header: title, views to switch between, legend with values, and a menu."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup, QContextMenuEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.plots.catalogue import Plot, View
from ui.plots.curves.curves import (
    Curve,
    CurveChoice,
    Subjects,
    curves_of,
    offered_views,
    shows_together,
)
from ui.plots.panel.legend import Legend, Reading, legend_entries
from ui.plots.panel.plot_view import RIGHT_MARGIN, PlotView
from ui.plots.timeline.axes import VALUE_AXIS_WIDTH
from ui.plots.timeline.time_ruler import TimeRuler
from ui.plots.timeline.time_window import TimeWindow
from ui.runs.run_data import RunData
from ui.theme.theme import Theme
from ui.widgets.emptied import emptied
from ui.wording.translations import translated

LEAST_HEIGHT = 90


class PlotRow(QWidget):
    """One plot of the catalogue on the screen."""

    export_wanted = Signal(tuple)
    """As one of these kinds, by the ending of its file."""
    dashboard_wanted = Signal()
    """A picture of everything, not of this plot alone."""
    """"png", "svg" or "csv"."""
    hide_wanted = Signal()

    def __init__(self, plot: Plot, window: TimeWindow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot, self.window_of_time, self._theme = plot, window, theme
        self.run: RunData | None = None
        self.baseline: RunData | None = None
        self.curves: list[Curve] = []
        self.chosen_view: View = plot.views[0]
        self._subjects, self._choice = Subjects(()), CurveChoice()
        self._ticked: frozenset[str] | None = None
        self.extend_menu: Callable[[QMenu], None] | None = None
        """Adds what the owner of the window offers for the time under the pointer."""
        self.view = PlotView(window, theme, self)
        self.view.setAccessibleName(translated(plot.title))
        self.view.setMinimumHeight(40)
        self.legend = Legend(theme, self)
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._switch = QHBoxLayout()
        self._group = QButtonGroup(self)
        self._views: list[View] = []
        self._menu_button = self._make_menu_button()
        self._lay_out()
        self._show_title()

    # -- what is shown ----------------------------------------------------------------------------

    def show_runs(self, run: RunData | None, baseline: RunData | None, subjects: Subjects, choice: CurveChoice) -> None:
        """Restart with these runs and this choice of workloads. `subjects`: of the run."""
        self.run, self.baseline, self._subjects, self._choice = run, baseline, subjects, choice
        views = offered_views(self.plot, subjects)
        if self.chosen_view not in views:
            self.chosen_view, self._ticked = views[0], None
        self._show_switch(views)
        self.curves = curves_of(self.chosen_view, subjects, choice, self._ticked)
        limits = [] if run is None else list(self.chosen_view.limits(run.plan))
        members = {name for curve in self.curves for name in _subjects_of(curve)}
        limits = [limit for limit in limits if limit.subject is None or limit.subject in members]
        self.view.show_curves(self.chosen_view, self.curves, limits, (run, baseline), self._theme)
        self.legend.show_entries(legend_entries(self.curves))
        self._show_title(len(members) if shows_together(subjects, choice) else 0)

    def choose_view(self, view: View) -> None:
        """Look at the plot in another way."""
        if view is not self.chosen_view:
            same = self.chosen_view.lines == view.lines
            self.chosen_view, self._ticked = view, self._ticked if same else None
            self._show_again()

    def tick(self, column: str, on: bool) -> None:
        """Show or hide the lines of one metric."""
        usual = frozenset(curve.line.column for curve in self.curves)
        ticked = self._ticked if self._ticked is not None else usual
        self._ticked = ticked | {column} if on else ticked - {column}
        self._show_again()

    def _show_again(self) -> None:
        self.show_runs(self.run, self.baseline, self._subjects, self._choice)
        self.view.catch_up()
        self.refresh()
        self.show_values(None if not self.view.cursor_line.isVisible() else self.view.cursor_line.value())

    def catch_up(self) -> bool:
        """Take over what the runs have recorded."""
        return self.view.catch_up()

    def refresh(self) -> None:
        """Draw what the time window shows."""
        self.view.draw()

    def show_values(self, time_s: float | None) -> None:
        """Values at a time in the legend, or the newest ones."""
        unit = self.chosen_view.unit
        mine = {data.curve: data for data in self.view.layer.data}
        others = {data.curve: data for data in self.view.baseline.data if not data.is_empty}

        def read(curve: Curve) -> Reading:
            value = mine[curve].text_at(time_s, unit) if curve in mine else ""
            if curve not in others:
                return Reading(value)
            at = time_s if time_s is not None or self.run is None else self.run.done_us / 1e6
            return Reading(value, others[curve].text_at(at, unit))

        self.legend.show_values(read)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme
        self.view.recolor(theme)
        self.legend.recolor(theme)

    def title_text(self) -> str:
        """Title with unit, as shown."""
        return self._title.text()

    @contextmanager
    def as_picture(self) -> Iterator[tuple[QWidget, QWidget]]:
        """What a picture of this plot alone shows: itself without buttons, and the times that all plots share."""
        buttons = (*self._group.buttons(), self._menu_button)
        hidden = [button for button in buttons if not button.isChecked() and button.isVisibleTo(self)]
        ruler = TimeRuler(self.window_of_time, self._theme, VALUE_AXIS_WIDTH, RIGHT_MARGIN)
        try:
            self._show_buttons(hidden, on=False)
            ruler.resize(self.width(), ruler.sizeHint().height())
            yield self, ruler
        finally:
            self._show_buttons(hidden, on=True)
            ruler.deleteLater()

    def _show_buttons(self, buttons: Sequence[QAbstractButton], *, on: bool) -> None:
        for button in buttons:
            button.setVisible(on)
        layout = self.layout()
        assert layout is not None
        layout.activate()

    # -- parts ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(10, 2, 6, 0)
        header.setSpacing(8)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._title.setToolTip(translated(self.plot.help))
        self._switch.setSpacing(0)
        header.addWidget(self._title)
        header.addLayout(self._switch)
        header.addWidget(self.legend, 1)
        header.addWidget(self._menu_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(header)
        layout.addWidget(self.view, 1)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _show_title(self, together: int = 0) -> None:
        currency = self.run.plan.costs.currency if self.run is not None else ""
        title, unit = translated(self.plot.title), self.chosen_view.unit.title(currency)
        text = self.tr("{title} ({unit})").format(title=title, unit=unit) if unit else title
        workloads = any(curve.count > 1 for curve in self.curves)
        if together > 1 and workloads and not self._is_by_pool():
            text = self.tr("{title}, {count} workloads").format(title=text, count=together)
        self._title.setText(text)

    def _is_by_pool(self) -> bool:
        return any(line.column.startswith("group_") for line in self.chosen_view.lines)

    def _show_switch(self, views: list[View]) -> None:
        if views == self._views:
            for button, view in zip(self._group.buttons(), views, strict=False):
                button.setChecked(view is self.chosen_view)
            return
        self._views = views
        while (item := self._switch.takeAt(0)) is not None:
            old = item.widget()
            assert isinstance(old, QToolButton)
            self._group.removeButton(old)
            old.hide()
            old.deleteLater()
        if len(views) < 2:
            return
        for view in views:
            button = QToolButton(self)
            button.setText(translated(view.label))
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setChecked(view is self.chosen_view)
            button.setProperty("class", "plot-view")
            button.setAccessibleName(f"{translated(self.plot.title)}: {translated(view.label)}")
            button.clicked.connect(lambda _=False, view=view: self.choose_view(view))
            self._group.addButton(button)
            self._switch.addWidget(button)
        order: list[QWidget] = [self.view, *self._group.buttons(), self._menu_button]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)  # made late, they would come behind everything else in the window

    # -- menu -------------------------------------------------------------------------------------

    def _make_menu_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setText("⋯")
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(self.tr("Choose lines, export the plot as PNG, SVG or CSV, or hide it"))
        button.setAccessibleName(self.tr("Menu of {title}").format(title=translated(self.plot.title)))
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: self.fill_menu(menu))
        button.setMenu(menu)
        return button

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.view.cursor_line.isVisible():
            self.view.pinned.emit(self.view.cursor_line.value())  # the menu is about the time under the pointer
        self.fill_menu(menu)
        menu.popup(event.globalPos())

    def fill_menu(self, menu: QMenu) -> None:
        """Lines to tick, exports, reset of the zoom, hide."""
        emptied(menu)
        if self.extend_menu is not None:
            self.extend_menu(menu)
        self._add_views(menu)
        menu.addSection(self.tr("Lines"))
        drawn = {curve.line.column for curve in self.curves}
        for line in self.chosen_view.lines:
            action = menu.addAction(translated(line.label))
            action.setCheckable(True)
            action.setChecked(line.column in drawn)
            action.toggled.connect(lambda on, column=line.column: self.tick(column, on))
        menu.addSection(self.tr("Export"))
        labels = {
            "png": self.tr("Image (PNG)…"),
            "svg": self.tr("Vector graphic (SVG)…"),
            "csv": self.tr("Data (CSV)…"),
        }
        for kind, label in labels.items():
            menu.addAction(label).triggered.connect(lambda _=False, kind=kind: self.export_wanted.emit((kind,)))
        menu.addAction(self.tr("Picture of the whole dashboard…")).triggered.connect(self.dashboard_wanted)
        menu.addSeparator()
        reset = menu.addAction(self.tr("Show the whole run"))
        reset.setEnabled(not self.window_of_time.is_whole)
        reset.triggered.connect(self.window_of_time.reset)
        menu.addAction(self.tr("Hide this plot")).triggered.connect(self.hide_wanted)

    def _add_views(self, menu: QMenu) -> None:
        views = offered_views(self.plot, self._subjects)
        if len(views) < 2:
            return
        menu.addSection(self.tr("View"))
        group = QActionGroup(menu)
        for view in views:
            action = menu.addAction(translated(view.label))
            action.setCheckable(True)
            action.setChecked(view is self.chosen_view)
            action.triggered.connect(lambda _=False, view=view: self.choose_view(view))
            group.addAction(action)


def _subjects_of(curve: Curve) -> list[str]:
    return [column[column.index("[") + 1 : -1] for column in curve.columns if "[" in column]
