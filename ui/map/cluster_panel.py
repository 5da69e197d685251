"""The tab "Cluster": map, tables of nodes and pods, and the story of what is chosen. Composition only."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from planner.record.history import NEVER
from planner.record.kubectl_words import container_counts, version_text
from planner.units import US_PER_S
from ui.map.drawing.scene import MapLook
from ui.map.map_legend import MapLegend
from ui.map.map_view import NOTHING, MapView, Picked
from ui.map.tables import kubectl
from ui.map.tables.object_rows import chosen_rows, next_found
from ui.map.tables.object_table import NO_ROWS, ObjectTable, ObjectView
from ui.map.time_bar import TimeBar
from ui.map.tools import MapTools, Page
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.runs.time_cursor import TimeCursor
from ui.stories.decisions_by_name import DecisionsByName
from ui.stories.story import Story, story_of_node, story_of_pod
from ui.stories.story_view import StoryView
from ui.theme.icons import Icons
from ui.theme.theme import ThemeSource

_STORY_PX = 300
_TABLES_MS = 120
"""Tables and story are renewed at most this often while the time is scrubbed."""
_FRESH_MS = 80
"""The map of a run under way is drawn so long after the plots, not together with them."""


class ClusterPanel(QWidget):
    """The nodes and pods of the current run at the time of the cursor."""

    decision_chosen = Signal(object)
    history_wanted = Signal(bool)
    """Whether a run under way should hand on its nodes and pods."""

    def __init__(
        self, session: RunSession, cursor: TimeCursor, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._cursor = session, cursor
        self._run: RunData | None = None
        self._by_name: DecisionsByName | None = None
        self._counts: Mapping[str, int] = {}
        self._missing = ""
        self.tools, self.map, self.legend = MapTools(), MapView(theme), MapLegend(theme)
        self.time = TimeBar(cursor, Icons(theme, self))
        self.story = StoryView(theme)
        self.nodes = ObjectView(ObjectTable(kubectl.node_columns(self._version), self), self.tr("Nodes"))
        self.pods = ObjectView(ObjectTable(kubectl.pod_columns(self._containers), self), self.tr("Pods"))
        self._late = QTimer(self, singleShot=True, interval=_TABLES_MS)
        self._late.timeout.connect(self._show_texts)
        self._fresh = QTimer(self, singleShot=True, interval=_FRESH_MS)
        self._fresh.timeout.connect(self._show_history)
        self._compose()
        self._connect()
        self._follow()

    def _compose(self) -> None:
        self.pages = QStackedWidget()
        for page in (self.map, self.nodes, self.pods):
            self.pages.addWidget(page)
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self.parts.addWidget(self.pages)
        self.parts.addWidget(self.story)
        self.parts.setStretchFactor(0, 1)
        self.parts.setCollapsible(0, False)
        self.parts.setSizes([3 * _STORY_PX, _STORY_PX])
        self.story.setMinimumWidth(180)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(2)
        down.addWidget(self.tools)
        down.addWidget(self.parts, 1)
        down.addWidget(self.legend)
        down.addWidget(self.time)

    def _connect(self) -> None:
        self.tools.look_changed.connect(self._show_look)
        self.tools.page_chosen.connect(self._show_page)
        self.tools.next_wanted.connect(self._go_to_next)
        self.map.picked.connect(self._choose)
        self.map.drawn.connect(self._late.start)
        self.nodes.chosen.connect(lambda node: self._choose(Picked(node)))
        self.pods.chosen.connect(self._choose_pod)
        self.story.decision_chosen.connect(self.decision_chosen)
        self.story.time_chosen.connect(self._cursor.move)
        self._cursor.moved.connect(self._show_time)
        self._session.current_changed.connect(self._follow)

    # -- the run ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self._run is not None:
            self._run.history_changed.disconnect(self._fresh.start)
        self._run = run = self._session.current
        self._by_name = DecisionsByName(run) if run is not None else None
        self._counts = container_counts(run.plan) if run is not None else {}
        if run is not None:
            run.history_changed.connect(self._fresh.start)
        self._choose(NOTHING)
        for view in (self.nodes, self.pods):
            view.table.show_rows(None, NO_ROWS)  # so that columns fit the names of this run
        self._show_history()
        self.time.choose_usual_speed(run.until_us / US_PER_S if run is not None else 0.0)

    def show_missing(self, missing: str) -> None:
        """What the plan lacks before it can do anything; empty if it can run."""
        self._missing = missing
        self._show_history()
        self.map.update()

    def _show_history(self) -> None:
        run = self._run
        text = self._missing or self.tr("Run the plan (F5) to see its nodes and pods here, at any moment of the run.")
        self.map.empty_text = text if run is None else self.tr("The nodes of this run are not known yet.")
        if self.isVisible():
            self.time.show_span(self._until_us() / US_PER_S)
            self.map.show_history(run)
            self._show_time()

    def _until_us(self) -> int:
        run = self._run
        return run.history.until_us if run is not None and run.history is not None else 0

    def showEvent(self, event: QShowEvent) -> None:
        self.history_wanted.emit(True)
        self._show_history()

    def hideEvent(self, event: QHideEvent) -> None:
        self.history_wanted.emit(False)

    def _show_time(self) -> None:
        if self.isVisible():
            self.map.show_time(round(self.time.time_s * US_PER_S))
            if self.pages.currentWidget() is not self.map and not self._late.isActive():
                self._late.start()

    # -- what is shown ----------------------------------------------------------------------------

    def _show_look(self, look: MapLook) -> None:
        self.map.show_look(replace(look, zoom=self.map.look.zoom))
        self._late.start()

    def _show_page(self, page: Page) -> None:
        self.pages.setCurrentIndex(page.value)
        self.legend.setVisible(page is Page.MAP)
        self._show_texts()

    def _show_texts(self) -> None:
        """MapLegend, tables and story: what people read, and so not sixty times a second."""
        scene = self.map.current_scene()
        if scene is None:
            self.legend.show_entries((), "", "")
            self.story.show_story(None, 0)
            return
        waiting = len(scene.moment.pending)
        words = (
            self.tr("1 pod waits for a node") if waiting == 1 else self.tr("{0:,} pods wait for a node").format(waiting)
        )
        shown = scene.colored
        self.legend.show_entries(shown.legend, shown.heading, words if waiting else "", shown.more)
        for view, page in ((self.nodes, Page.NODES), (self.pods, Page.PODS)):
            if self.pages.currentIndex() == page.value:
                is_first = not view.table.rowCount()
                view.table.show_rows(scene.moment, chosen_rows(scene, page))
                view.show_row(self.map.choice.node if page is Page.NODES else self.map.choice.pod)
                if is_first:
                    view.fit()
        self.story.show_story(self._story(), scene.moment.time_us)

    # -- what is chosen ---------------------------------------------------------------------------

    def _choose(self, choice: Picked) -> None:
        with QSignalBlocker(self.map):
            self.map.choose(choice)
        self._late.start(0)

    def _choose_pod(self, pod: int) -> None:
        scene = self.map.current_scene()
        if scene is not None:
            pods = scene.moment.history.pods
            is_bound = pods.node[pod] != NEVER and pods.bound_us[pod] <= scene.moment.time_us
            self._choose(Picked(int(pods.node[pod]) if is_bound else None, pod))

    def _go_to_next(self) -> None:
        scene = self.map.current_scene()
        if scene is not None:
            self._choose(next_found(scene, self.map.choice))

    def _story(self) -> Story | None:
        run, choice = self._run, self.map.choice
        history = run.history if run is not None else None
        if run is None or history is None or self._by_name is None:
            return None
        if choice.pod is not None and choice.pod < len(history.pods):
            return story_of_pod(history, choice.pod, self._by_name.about(history.pods.name(choice.pod)))
        if choice.node is not None and choice.node < len(history.nodes):
            nodes = history.nodes
            own, group = nodes.names[choice.node], nodes.groups[nodes.group[choice.node]]
            return story_of_node(history, choice.node, self._by_name.about(own), self._by_name.about(group))
        return None

    # -- what the tables know of the plan ----------------------------------------------------------

    def _version(self) -> str:
        return version_text(self._run.plan) if self._run is not None else ""

    def _containers(self) -> Mapping[str, int]:
        return self._counts
