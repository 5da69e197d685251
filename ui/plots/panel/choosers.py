"""The line above the plots: which plots and workloads to show, and how the time is shown."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QCursor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from ui.plots.catalogue import PLOTS
from ui.plots.curves.curves import CurveChoice, Subjects, shows_together
from ui.plots.timeline.time_window import TimeWindow
from ui.theme.theme import Theme
from ui.wording.numbers import clock_text
from ui.wording.translations import translated


class StayingMenu(QMenu):
    """A menu that stays open while its items are ticked."""

    def mouseReleaseEvent(self, event: object) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            return
        super().mouseReleaseEvent(event)  # type: ignore[arg-type]


class PlotTools(QWidget):
    """Choosers for plots and workloads, follow, the whole run, and the part of the time in view."""

    plots_chosen = Signal(frozenset)
    """Names of the plots to show."""
    choice_changed = Signal(object)
    """A CurveChoice."""

    def __init__(self, window: TimeWindow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window, self._theme = window, theme
        self._subjects = Subjects(())
        self._choice = CurveChoice()
        self._shown: frozenset[str] = frozenset(plot.name for plot in PLOTS if plot.shown)
        self.plots_button = self._menu_button(
            self.tr("Plots"), self.tr("Choose which plots are shown"), self._fill_plots
        )
        self.workloads_button = self._menu_button(
            self.tr("Workloads"),
            self.tr("Choose the workloads whose load, replicas and latency are shown"),
            self._fill_workloads,
        )
        self.together = QCheckBox(self.tr("Together"), self)
        self.together.setToolTip(self.tr("Show one curve for all selected workloads: the sum, or the worst latency"))
        self.together.clicked.connect(lambda on: self._choose(CurveChoice(self._choice.workloads, on)))
        self.follow = QCheckBox(self.tr("Follow"), self)
        self.follow.setToolTip(self.tr("Keep the newest part of a running simulation in view"))
        self.follow.clicked.connect(window.follow)
        self.whole = QToolButton(self)
        self.whole.setText(self.tr("Whole run"))
        self.whole.setAutoRaise(True)
        self.whole.setToolTip(self.tr("Show the whole run (double-click a plot, or press 0)"))
        self.whole.clicked.connect(window.reset)
        self._range = QLabel(self)
        self._baseline = QLabel(self)
        self._baseline.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out()
        window.changed.connect(self._show_window)
        self._show_window()

    @property
    def shown(self) -> frozenset[str]:
        """Names of the plots that are shown."""
        return self._shown

    def show_subjects(self, subjects: Subjects, choice: CurveChoice) -> None:
        """Offer the workloads of another run."""
        self._subjects, self._choice = subjects, choice
        self.together.setChecked(shows_together(subjects, choice))
        self.together.setVisible(len(subjects.workloads) > 1)
        self.workloads_button.setVisible(len(subjects.workloads) > 1)

    def show_baseline(self, label: str) -> None:
        """Say what the dotted curves and the values in brackets are; empty for no baseline."""
        self._baseline.setText(self.tr("┈ (baseline)") if label else "")
        text = self.tr("Dotted curves and values in brackets: {run}").format(run=label)
        self._baseline.setToolTip(text if label else "")

    def show_plots(self, names: frozenset[str]) -> None:
        """Show these plots."""
        if names != self._shown:
            self._shown = names
            self.plots_chosen.emit(names)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 3, 10, 1)
        layout.setSpacing(6)
        left: tuple[QWidget, ...] = (self.plots_button, self.workloads_button, self.together)
        right: tuple[QWidget, ...] = (self._baseline, self._range, self.whole, self.follow)
        for widget in left:
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addSpacing(8)
        for widget in right:
            layout.addWidget(widget)

    def _show_window(self) -> None:
        window = self._window
        text = self.tr("{start} to {end}").format(start=clock_text(window.start_s), end=clock_text(window.end_s))
        self._range.setText("" if window.is_whole else text)
        self.whole.setVisible(not window.is_whole)
        self.follow.setChecked(window.follows)

    # -- menus ------------------------------------------------------------------------------------

    def _menu_button(self, text: str, help_text: str, fill: object) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(help_text)
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = StayingMenu(button)
        menu.aboutToShow.connect(lambda: fill(menu))  # type: ignore[operator]
        menu.aboutToHide.connect(lambda: _release(button))
        button.setMenu(menu)
        return button

    def _fill_plots(self, menu: QMenu) -> None:
        menu.clear()
        for plot in PLOTS:
            action = menu.addAction(translated(plot.title))
            action.setCheckable(True)
            action.setChecked(plot.name in self._shown)
            action.setToolTip(translated(plot.help))
            action.toggled.connect(lambda on, name=plot.name: self._toggle_plot(name, on))
        menu.setToolTipsVisible(True)

    def _toggle_plot(self, name: str, on: bool) -> None:
        self.show_plots(self._shown | {name} if on else self._shown - {name})

    def _fill_workloads(self, menu: QMenu) -> None:
        menu.clear()
        chosen = self._chosen()
        menu.addAction(self.tr("All workloads")).triggered.connect(
            lambda: self._choose_workloads(self._subjects.workloads)
        )
        serving = menu.addAction(self.tr("Workloads that serve requests"))
        serving.setEnabled(bool(self._subjects.serving))
        serving.triggered.connect(lambda: self._choose_workloads(self._subjects.serving))
        menu.addSeparator()
        for name in self._subjects.workloads:
            action = menu.addAction(_dot(self._theme.series_color(self._subjects.workload_color(name))), name)
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.toggled.connect(lambda on, name=name: self._toggle_workload(name, on))

    def _chosen(self) -> frozenset[str]:
        chosen = self._choice.workloads
        return chosen if chosen is not None else frozenset(self._subjects.serving or self._subjects.workloads)

    def _toggle_workload(self, name: str, on: bool) -> None:
        chosen = self._chosen()
        self._choose_workloads(tuple(chosen | {name} if on else chosen - {name}))

    def _choose_workloads(self, names: Sequence[str]) -> None:
        self._choose(CurveChoice(frozenset(names), self._choice.together))

    def _choose(self, choice: CurveChoice) -> None:
        self._choice = choice
        self.together.setChecked(shows_together(self._subjects, choice))
        self.choice_changed.emit(choice)


def _release(button: QToolButton) -> None:
    """The click that closes the menu goes to what is below it, so the button hears neither of it nor of the pointer."""
    button.setDown(False)
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, button.rect().contains(button.mapFromGlobal(QCursor.pos())))
    button.update()


def _dot(color: str) -> QIcon:
    picture = QPixmap(32, 32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawEllipse(6, 6, 20, 20)
    painter.end()
    return QIcon(picture)
