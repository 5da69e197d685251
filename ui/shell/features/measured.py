"""Connects the workspace of measured series, and the way from and to a cluster, with the rest of the window."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from planner.errors import PlannerError
from planner.plan.model.plan import Plan
from ui.document.plan_document import PlanDocument
from ui.document.questions import Questions
from ui.process.settings import WindowSettings
from ui.theme.theme import ThemeSource
from ui.transfer.manifest_messages import ManifestMessages
from ui.widgets.late_page import LatePage
from ui.widgets.message_bar import MessageBar, MessageKind

if TYPE_CHECKING:  # loaded when asked for: with them come all kinds of manifests and series
    from planner.measured.measured_cluster import MeasuredCluster
    from ui.measured.measuring import Measuring, SeriesChoice
    from ui.measured.series_dialog import SeriesDialog
    from ui.measured.workspace import MeasuredWorkspace
    from ui.transfer.changes_dialog import ChangesDialog
    from ui.transfer.cluster_reading import ClusterReading

_MESSAGE, _FOLDER = "measured", "measured"


class MeasuredInWindow(QObject):
    """The workspace, and the actions of the File menu that lead there, to the cluster and back."""

    proposed = Signal(object)
    """A plan: show what has to be applied to get there from the open one."""

    def __init__(self, document: PlanDocument, theme: ThemeSource, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._messages, self._theme = document, messages, theme
        self._measuring: Measuring | None = None
        self.page = LatePage(self._make_workspace)
        self.cluster: ClusterReading | None = None
        self.series_dialog: SeriesDialog | None = None
        self.changes_dialog: ChangesDialog | None = None
        self.series = self._action(self.tr("Measured s&eries…"), self.tr("Series of a Prometheus or of files"))
        self.changes = self._action(self.tr("Changes to appl&y…"), self.tr("What has to be applied to the cluster"))
        self.from_cluster = self._action(
            self.tr("From a &cluster…"), self.tr("A running cluster, through your kubectl")
        )
        self.refresh = self._action(
            self.tr("&Refresh from the cluster…"), self.tr("Read it again, and see what differs from the plan")
        )

    @property
    def measuring(self) -> "Measuring":
        """Reads series, fits to them and compares with them."""
        if self._measuring is None:
            from ui.measured.measuring import Measuring

            self._measuring = Measuring(self._document, self)
            self._measuring.work.failed.connect(self._show_failure)
        return self._measuring

    @property
    def measured(self) -> "MeasuredCluster | None":
        """The series that are there."""
        return self._measuring.measured if self._measuring is not None else None

    @property
    def workspace(self) -> "MeasuredWorkspace":
        """What the page shows."""
        return self.page.content

    def _make_workspace(self) -> "MeasuredWorkspace":
        from ui.measured.workspace import MeasuredWorkspace

        return MeasuredWorkspace(self.measuring, self._document, self._theme)

    def _action(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setToolTip(tip)
        return action

    def connect_window(
        self,
        manifests: ManifestMessages,
        questions: Questions,
        settings: WindowSettings,
        show: Callable[[], object],
    ) -> None:
        """Connect the actions. `show` shows the workspace."""

        def ask_cluster() -> None:
            from ui.transfer.cluster_reading import ClusterReading

            self.cluster = self.cluster or ClusterReading(manifests, settings)
            self.cluster.ask()

        def ask_series() -> None:
            from ui.measured.series_dialog import SeriesDialog

            self.series_dialog = SeriesDialog(questions, settings, manifests.window)
            self.series_dialog.chosen.connect(read)
            self.series_dialog.show()

        def read(choice: "SeriesChoice") -> None:
            show()
            self._messages.withdraw(_MESSAGE)
            self.measuring.read(choice)

        def keep_series() -> None:
            from planner.measured.saving import ENDING

            name = (self._document.path.stem if self._document.path is not None else "cluster") + ENDING
            path = questions.file_for_series(settings.folder(_FOLDER) / name)
            if path is not None:
                self.measuring.save(path)

        def show_changes(proposed: Plan | None = None) -> None:
            from ui.transfer.changes_dialog import ChangesDialog

            self.changes_dialog = ChangesDialog(self._document, manifests, questions, settings, proposed)
            self.changes_dialog.show()

        self.from_cluster.triggered.connect(ask_cluster)
        self.refresh.triggered.connect(ask_cluster)
        self.series.triggered.connect(ask_series)
        self.page.when_made(lambda place: place.series_wanted.connect(ask_series))
        self.page.when_made(lambda place: place.file_wanted.connect(keep_series))
        self.changes.triggered.connect(lambda _on=False: show_changes())
        self.proposed.connect(show_changes)

    def fill(self, importing: QMenu, exporting: QMenu) -> None:
        """The ways from a cluster and back, for these menus."""
        importing.addSeparator()
        importing.addActions([self.from_cluster, self.refresh, self.series])
        exporting.addSeparator()
        exporting.addAction(self.changes)

    def enable(self, has_plan: bool) -> None:
        """Whether there is a plan to measure for."""
        for action in (self.series, self.changes, self.refresh):
            action.setEnabled(has_plan)

    def shutdown(self) -> None:
        """Nothing more is wanted."""
        if self._measuring is not None:
            self._measuring.work.cancel()
        if self.cluster is not None:
            self.cluster.work.cancel()

    def _show_failure(self, error: PlannerError) -> None:
        text = self.tr("That did not work.")
        self._messages.show_message(MessageKind.ERROR, text, self._in_the_window(str(error)), key=_MESSAGE)

    def _in_the_window(self, problem: str) -> str:
        """What the command line calls options are fields of the dialog of series."""
        for option, here in (
            ("--prometheus", self.tr("“Address”")),
            ("--requests", self.tr("“Requests”")),
            ("--since", self.tr("“Look back”")),
            ("--step", self.tr("“Step”")),
        ):
            problem = problem.replace(option, here)
        return problem
