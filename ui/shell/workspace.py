"""The plan at the left; at the right its key figures, plots and decisions. Composition only."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabWidget, QVBoxLayout, QWidget

from ui.autoscalers.status_panel import StatusPanel
from ui.decisions.decision_panel import DecisionPanel
from ui.document.plan_document import PlanDocument
from ui.editor.plan_editor import PlanEditor
from ui.figures.key_figure_bar import KeyFigureBar
from ui.headroom.headroom_panel import HeadroomPanel
from ui.headroom.search import HeadroomSearch
from ui.map.cluster_panel import ClusterPanel
from ui.plots.panel.plot_panel import PlotPanel
from ui.process.settings import WindowSettings
from ui.runs.controls.run_notes import RunNotes
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.shell.panes import Pane, Panes, SplitterHome, TabHome
from ui.shell.plan_space import PlanSpace
from ui.shell.window_actions import toggle
from ui.start.missing_parts import MissingParts
from ui.summary.summary_panel import SummaryPanel
from ui.theme.theme import ThemeSource
from ui.what_if.fault_menu import FaultMenu

_GAP_PX = 10
_PLAN_SHARE, _DECISIONS_SHARE = 25, 28
_FRAME_PX = 215
"""Height of menus, tool bar, key figures and status line."""
_PLOTS_PX, _LEAST_DECISIONS_PX = 480, 200
"""Four plots, which scroll in less; ten lines of why."""


class Workspace(QWidget):
    """Everything about one plan and its runs."""

    history_wanted = Signal(bool)
    """Whether a view shows nodes and pods of a run, also of one under way."""

    def __init__(
        self,
        document: PlanDocument,
        session: RunSession,
        search: HeadroomSearch,
        theme: ThemeSource,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.cursor_time = TimeCursor(self)
        self.cursor_time.give_way_to(session)
        self.editor = PlanEditor(document, theme)
        self.notes = RunNotes(document, session, theme)
        self.missing = MissingParts(document)
        self.missing.row_wanted.connect(self.editor.add_to)
        self.figures = KeyFigureBar(session, self.cursor_time, theme)
        self.plots = PlotPanel(session, self.cursor_time, theme)
        self.cluster = ClusterPanel(session, self.cursor_time, theme)
        self.autoscalers = StatusPanel(session, self.cursor_time, theme)
        self.summary = SummaryPanel(session, theme)
        self.headroom = HeadroomPanel(search, document, theme)
        self.decisions = DecisionPanel(session, self.cursor_time, theme)
        self.faults = FaultMenu(document, self.cursor_time, self)
        self._connect_views(session)
        self.tabs = QTabWidget()
        self._fill_tabs()
        self._shows_editor, self._has_windows = True, False
        self.plan_space = PlanSpace(self.editor, document)
        self.columns, self.rows = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Vertical)
        self._compose()
        self.panes = self._make_panes()
        self._place_plot_tools()

    def _connect_views(self, session: RunSession) -> None:
        for view in (self.plots.empty, self.cluster, self.autoscalers, self.summary, self.decisions):
            self.missing.said.connect(view.show_missing)
            view.show_missing(self.missing.text.text())
        self.autoscalers.decision_chosen.connect(self.decisions.select)
        self.cluster.decision_chosen.connect(self.decisions.select)
        self.plots.decision_chosen.connect(self.decisions.select)
        session.current_changed.connect(lambda: self.editor.show_run(session.current))
        self.faults.added.connect(lambda row: self.editor.show_path(("events", row, "at")))
        self.plots.extend_menu = self.faults.extend
        self._has_map = self._has_pools = False
        self.cluster.history_wanted.connect(self._show_map)
        self.autoscalers.history_wanted.connect(self._show_pools)

    # Methods of this object, whose connections end with it: panels still say that they are hidden while they go.
    def _show_map(self, on: bool) -> None:
        self._want_history(on, self._has_pools)

    def _show_pools(self, on: bool) -> None:
        self._want_history(self._has_map, on)

    def _want_history(self, has_map: bool, has_pools: bool) -> None:
        before, after = self._has_map or self._has_pools, has_map or has_pools
        self._has_map, self._has_pools = has_map, has_pools
        if before != after:
            self.history_wanted.emit(after)

    def _fill_tabs(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(self.tr("Views of the run"))
        self.tabs.addTab(self.plots, self.tr("Live"))
        self.tabs.addTab(self.cluster, self.tr("Cluster"))
        self.tabs.addTab(self.autoscalers, self.tr("Autoscalers"))
        self.tabs.addTab(self.summary, self.tr("Summary"))
        self.tabs.addTab(self.headroom, self.tr("Headroom"))
        policy = self.plots.tools.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the tabs stay where they are
        self.plots.tools.setSizePolicy(policy)
        self._corner = QHBoxLayout()
        self._corner.setContentsMargins(0, 0, 0, 0)
        self.tabs.setCornerWidget(_with_layout(self._corner))  # beside the tabs, to save height

    def _make_panes(self) -> Panes:
        """What can be torn off."""
        tabs, below = TabHome(self.tabs), SplitterHome(self.rows)
        panes = Panes(
            (
                Pane("live", self.tr("Live"), self.plots, tabs, head=self.plots.tools),
                Pane("cluster", self.tr("Cluster"), self.cluster, tabs),
                Pane("autoscalers", self.tr("Autoscalers"), self.autoscalers, tabs),
                Pane("summary", self.tr("Summary"), self.summary, tabs),
                Pane("headroom", self.tr("Headroom"), self.headroom, tabs),
                Pane("decisions", self.tr("Decisions and why"), self.decisions, below),
            ),
            self,
        )
        tabs.wanted_back.connect(panes.bring_back_widget)
        panes.changed.connect(self._place_plot_tools)
        self.tabs.currentChanged.connect(lambda _tab: self._place_plot_tools())
        bar = self.tabs.tabBar()
        bar.setToolTip(self.tr("A double-click gives a view a window of its own"))
        bar.tabBarDoubleClicked.connect(lambda tab: panes.toggle_nth(tab))
        return panes

    def _place_plot_tools(self) -> None:
        """Beside the tabs while the plots are shown below; above the plots in their own window."""
        if self.panes.is_away(self.plots):
            self.plots.tools.show()
            return
        if self._corner.indexOf(self.plots.tools) < 0:
            self._corner.addWidget(self.plots.tools)
        self.plots.tools.setVisible(self.tabs.currentIndex() == 0)

    def show_view(self, view: QWidget) -> None:
        """Show this tab, or its window where it has one."""
        if self.panes.is_away(view):
            self.panes.show_window_of(view)
        else:
            self.tabs.setCurrentWidget(view)

    def _compose(self) -> None:
        self.rows.addWidget(self.tabs)
        self.rows.addWidget(self.decisions)
        self.columns.addWidget(self.editor)
        self.dashboard = self._run_side()
        self.columns.addWidget(self.dashboard)
        for splitter in (self.rows, self.columns):
            splitter.setHandleWidth(_GAP_PX)
        self.columns.setCollapsible(1, False)
        self.rows.setCollapsible(0, False)
        self.columns.setStretchFactor(0, 0)
        self.columns.setStretchFactor(1, 1)
        self.rows.setStretchFactor(0, 3)
        self.rows.setStretchFactor(1, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(_GAP_PX, _GAP_PX, _GAP_PX, _GAP_PX)
        around.addWidget(self.plan_space)
        around.addWidget(self.columns, 1)

    @property
    def is_for_plan(self) -> bool:
        """Whether the plan has the whole window."""
        return self.plan_space.isVisibleTo(self)

    def show_for_plan(self, on: bool) -> None:
        """Give the plan the whole window, or have it at the left of its runs."""
        self.plan_space.setVisible(on)
        self.dashboard.setVisible(not on)
        self.editor.setVisible(on or self._shows_editor)
        self.editor.arrange(on)

    def _show_editor(self, on: bool) -> None:
        self._shows_editor = on
        self.editor.setVisible(on or self.is_for_plan)

    def _run_side(self) -> QWidget:
        """What is beside the plan."""
        side = QWidget()
        down = QVBoxLayout(side)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(_GAP_PX)
        down.addWidget(self.missing)
        down.addWidget(self.notes)
        down.addWidget(self.figures)
        down.addWidget(self.rows, 1)
        return side

    def panel_actions(self, window: QWidget) -> list[QAction]:
        """What can be hidden, with its key, and what can be torn off."""
        control = Qt.KeyboardModifier.ControlModifier
        return [
            toggle(self.tr("Column of the &plan"), control | Qt.Key.Key_1, self._show_editor, window),
            toggle(self.tr("&Key figures"), control | Qt.Key.Key_2, self.figures.setVisible, window),
            toggle(self.tr("&Decisions"), control | Qt.Key.Key_3, self.decisions.setVisible, window),
            self.panes.menu(window).menuAction(),
        ]

    def reset_layout(self, width: int, height: int) -> None:
        """Places and sizes of the parts as on the first start, in a window of this size: the plots come first."""
        self.panes.bring_all_back()
        self.columns.setSizes([width * _PLAN_SHARE // 100, width * (100 - _PLAN_SHARE) // 100])
        room = height - _FRAME_PX
        decisions = max(_LEAST_DECISIONS_PX, min(room * _DECISIONS_SHARE // 100, room - _PLOTS_PX))
        self.rows.setSizes([room - decisions, decisions])

    def restore_windows(self, settings: WindowSettings) -> None:
        """What was torn off when the window was left; once, as the first plan is shown."""
        if not self._has_windows:
            self._has_windows = True
            self.panes.restore(settings)
            self.decisions.restore(settings)

    def restore(self, settings: WindowSettings) -> bool:
        """Sizes as they were left; False if they are not known."""
        columns, rows = settings.layout("columns"), settings.layout("rows")
        self.editor.table_box.filter.restore(settings)
        return (
            columns is not None
            and rows is not None
            and self.columns.restoreState(columns)
            and self.rows.restoreState(rows)
        )

    def keep(self, settings: WindowSettings) -> None:
        """Remember the sizes; windows only where a plan was shown, since they are restored with the first one."""
        if self._has_windows or self.panes.windows:
            self.panes.keep(settings)
            self.decisions.keep(settings)
        self.editor.table_box.filter.keep(settings)
        settings.keep_layout("columns", self.columns.saveState())
        settings.keep_layout("rows", self.rows.saveState())


def _with_layout(layout: QHBoxLayout) -> QWidget:
    room = QWidget()
    room.setLayout(layout)
    return room
