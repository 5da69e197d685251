"""The window: puts document, runs and views together and listens to what concerns all of them."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from planner.plan.files.places import Path as PlanPath
from ui.document.disk_watch import DiskWatch
from ui.document.plan_check import Findings
from ui.document.plan_document import PlanDocument
from ui.document.plan_files import PlanFiles
from ui.document.preset_menu import PresetMenu
from ui.document.questions import Questions
from ui.document.recovery import RecoveryCopy
from ui.editor.finding.finder import PlanFinder
from ui.editor.values.changes import change_words
from ui.headroom.search import HeadroomSearch
from ui.process.another_window import open_another_window
from ui.process.folders import recovery_folder
from ui.process.settings import WindowSettings
from ui.runs.controls.run_controls import RunControls
from ui.runs.controls.status_line import StatusLine
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController
from ui.shell import leaving
from ui.shell.dropped_files import DroppedFiles, take_dropped
from ui.shell.features.experiments import ExperimentsInWindow
from ui.shell.features.first_plan import FirstPlanInWindow
from ui.shell.features.headroom import HeadroomInWindow
from ui.shell.features.help import HelpInWindow
from ui.shell.features.history import HistoryInWindow
from ui.shell.features.measured import MeasuredInWindow
from ui.shell.features.messages import MessagesInWindow
from ui.shell.features.tour import tour_of
from ui.shell.pages import Pages, PagesScroller
from ui.shell.palette import Palette
from ui.shell.tool_bar import tool_bar
from ui.shell.window_actions import WindowActions
from ui.shell.workspace import Workspace
from ui.shell.workspace_switch import WorkspaceSwitch
from ui.start.start_page import StartPage
from ui.theme.icons import Icons
from ui.theme.theme import ThemeSource
from ui.widgets.message_bar import MessageBar

_FIRST_SIZE = QSize(1440, 900)
_LEAST_SIZE = QSize(800, 450)
"""Half a screen of 1920 x 1080, as one at 200 % is, has room for it with its frame; what is larger scrolls."""


class MainWindow(QMainWindow):
    """One plan, its runs and everything to see them."""

    def __init__(
        self,
        theme: ThemeSource,
        settings: WindowSettings,
        questions: Questions | None = None,
        former: "MainWindow | None" = None,
    ) -> None:
        """`former`: a window that this one takes the place of, with its plan, undo steps and runs."""
        super().__init__()
        self.theme, self.settings = theme, settings
        self.questions = questions if questions is not None else Questions(self)
        self.document, self.session = PlanDocument(parent=self), RunSession(self)
        if former is not None:
            self.document.take_over(former.document)
            self.session.take_over(former.session)
        self.controller, self.search = RunController(self.session, self, change_words), HeadroomSearch(self)
        self.messages = MessageBar(theme)
        self.files = PlanFiles(self.document, settings, self.questions, self.messages, self)
        self.recovery = RecoveryCopy(self.document, recovery_folder(), self)
        self.disk = DiskWatch(self.document, self)
        self.icons = Icons(theme, self)
        self.actions_ = WindowActions(self.document, settings, theme, self.icons, self)
        self.controls = RunControls(self.controller, self.session, self.document, self)
        self.controls.also_stops(lambda: self.search.is_running, self.search.cancel, self.search.changed)
        self.workspace = Workspace(self.document, self.session, self.search, theme)
        self.experiments = ExperimentsInWindow(self.document, theme, self)
        self.measured = MeasuredInWindow(self.document, theme, self.messages, self)
        self.experiments.runner.measured = lambda: self.measured.measured
        self.start = StartPage(settings, self.icons)
        self.help = HelpInWindow(theme, self.messages, self)
        self.status = StatusLine(self.document, self.session, theme)
        places = self.start, self.workspace, self.experiments.page, self.measured.page
        self.pages = Pages(*places, settings)
        self.headroom = HeadroomInWindow(self.document, self.search, self.workspace, self.pages, self)
        self.history = HistoryInWindow(
            self.document, self.session, self.controller, self.messages, self.pages.show_plan, self
        )
        self._compose()
        self._connect()
        made = MessagesInWindow(self)
        self.run_messages, self.file_messages = made.runs, made.files
        self.exports, self.manifests = made.exports, made.manifests
        self._show_name()
        self._show_state()
        if former is not None:
            self._look_like(former)

    def _look_like(self, former: "MainWindow") -> None:
        """Show what the former window shows, and end that one; the plan has a recovery copy at every moment."""
        self.session.runs_changed.emit()
        self.session.current_changed.emit()
        self.session.baseline_changed.emit()
        self.recovery.write()
        former.end()  # keeps the layout, which the page then restores
        self.pages.show_as(former.pages)
        self.workspace.tabs.setCurrentIndex(former.workspace.tabs.currentIndex())
        self.restore_layout()

    @property
    def is_busy(self) -> bool:
        """Something runs that a new window could not go on with."""
        run = self.controller.run
        is_live = run is not None and run.state.is_live
        return is_live or self.search.is_running or self.experiments.runner.is_running

    def _compose(self) -> None:
        self.setObjectName("window")
        self.setMinimumSize(_LEAST_SIZE)
        DroppedFiles(self).dropped.connect(self._take_files)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        central = QWidget()
        down = QVBoxLayout(central)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.messages)
        down.addWidget(PagesScroller(self.pages), 1)
        self.setCentralWidget(central)
        self.setStatusBar(self.status)
        self.switch = WorkspaceSwitch(self.pages.spaces(), self)
        self.tools = tool_bar(self.actions_, self.controls, self.switch, self.icons, self)
        self.addToolBar(self.tools)
        menus = (self.workspace.faults.menu(self), PresetMenu(self.document, self).menu(self))
        editing = [*self.workspace.editor.row_actions, *(menu.menuAction() for menu in menus)]
        asking = self.experiments.actions_by_question(self.pages.show_experiments, self)
        panels = [*self.switch.actions_, None, *self.workspace.panel_actions(self), None, self.history.action]
        self.actions_.fill(self.menuBar(), self.controls, panels, [*editing, None, *asking])
        self.palette_ = Palette(PlanFinder(self.document, tuple(self.workspace.editor.tree.sections)), self.menuBar())
        self.workspace.plan_space.finder.more = self.palette_.actions_of_menus
        self.actions_.find.triggered.connect(self._find)
        self.palette_.finder.chosen.connect(self._go_to_path)
        self.tour = tour_of(self)
        self.actions_.tour.triggered.connect(self.tour.open)
        self.actions_.full_screen.toggled.connect(lambda on: self.showFullScreen() if on else self.showNormal())

    def _connect(self) -> None:
        actions = self.actions_
        self.switch.wanted.connect(self.pages.show_page)
        self.pages.shown_changed.connect(self._show_state)
        self.start.question_chosen.connect(self._ask_sample)
        actions.new.triggered.connect(self.files.new)
        self.first_plan = FirstPlanInWindow(self.files, self.controls.run_action.trigger, self)
        actions.first_plan.triggered.connect(self.first_plan.open)
        self.start.first_plan_wanted.connect(self.first_plan.open)
        self.workspace.missing.first_plan_wanted.connect(self.first_plan.open)
        actions.new_window.triggered.connect(open_another_window)
        actions.open.triggered.connect(self.files.open_chosen)
        actions.recent_chosen.connect(self.open_path)
        actions.save.triggered.connect(self.files.save)
        actions.save_as.triggered.connect(self.files.save_as)
        actions.headroom.triggered.connect(self.headroom.find)
        self.workspace.history_wanted.connect(self.controller.copy_history)
        actions.start_page.triggered.connect(self.pages.show_start)
        actions.quit.triggered.connect(self.close)
        actions.problems.triggered.connect(self._show_problems)
        actions.reset_layout.triggered.connect(self._reset_layout)
        self.help.connect_actions(actions)
        self.start.new_wanted.connect(self.files.new)
        self.start.open_wanted.connect(self.files.open_chosen)
        self.start.file_chosen.connect(self.open_path)
        self.start.sample_chosen.connect(self.files.open_sample)
        self.files.opened.connect(self.pages.show_plan)
        self.document.path_changed.connect(self._show_name)
        self.document.path_changed.connect(lambda: self.session.name_plan(self.document.path))
        self.document.changed.connect(self._show_name)
        self.document.modified_changed.connect(self.setWindowModified)
        self.document.replaced.connect(self._on_replaced)
        self.session.current_changed.connect(self._show_state)
        self.controller.state_changed.connect(self._show_state)
        self.search.changed.connect(self._show_state)
        self.controls.answered.connect(self._show_run_of)
        self.status.validity_clicked.connect(self._show_problems)
        self.workspace.notes.run_wanted.connect(self.controls.run_action.trigger)

    def _show_run_of(self, findings: Findings) -> None:
        """The run that was asked for; a plan that cannot be run is mended where it is edited."""
        if findings.problems:
            self.pages.show_editor()
        else:
            self.pages.show_plan()

    def _find(self) -> None:
        """In the line that is on the screen, or in one above all else."""
        if self.pages.shown is self.workspace.plan_space:
            self.workspace.plan_space.focus_finder()
        else:
            self.palette_.open_above()

    def _go_to_path(self, path: PlanPath) -> None:
        self.pages.show_editor()
        self.workspace.editor.show_path(path)

    def show_place(self, where: str) -> None:
        """The field of the plan that a problem names."""
        self.pages.show_editor()
        self.workspace.editor.show_place(where)

    def open_path(self, path: Path) -> bool:
        """Open a plan file and show it; False (and a message) if that cannot be done or takes a while.

        Manifests are imported instead.
        """
        return not self.manifests.takes([path]) and self.files.open(path)

    def _take_files(self, files: list[Path]) -> None:
        take_dropped(files, self.open_path, self.manifests.takes, self.messages)

    def take_over(self, name: str) -> None:
        """Another start of the program: come to the front, and open the file that it named."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        if name and Path(name) != self.document.path:
            self.open_path(Path(name))

    def _ask_sample(self, path: Path, kind: str) -> None:
        """A question of the start page: about its sample."""
        if self.files.open_sample(path):
            self.experiments.ask(kind)

    def _show_problems(self) -> None:
        self.pages.show_editor()
        findings = self.document.check.findings
        if findings is not None and findings.first_place is not None:
            self.workspace.editor.show_place(findings.first_place)

    def _reset_layout(self) -> None:
        self.settings.forget_layout()
        self.workspace.reset_layout(self.width(), self.height())

    def _show_name(self) -> None:
        path = self.document.path
        self.setWindowFilePath(str(path) if path is not None else "")
        self.setWindowTitle(self.tr("{name}[*] – Headroom").format(name=self.files.shown_name))
        self.setWindowModified(self.document.modified)

    def _on_replaced(self) -> None:
        """Runs of another plan stay in the session for comparison, but are not shown as this plan's."""
        self.controller.shutdown()
        self.search.forget()
        self.experiments.on_replaced()
        self.session.begin_plan(self.document.path)

    def _show_state(self) -> None:
        has_plan = not self.pages.is_at_start
        self.status.show_plan(has_plan)
        self.manifests.manifests.show_state(has_plan)
        self.exports.show_state(has_plan=has_plan)
        self.measured.enable(has_plan)
        self.controls.show_plan(has_plan)
        self.switch.show_page(self.pages.shown)
        self.switch.enable(has_plan)
        self.actions_.headroom.setEnabled(has_plan and not self.search.is_running)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not leaving.may_close(self):
            event.ignore()
            return
        self.end()
        event.accept()

    def end(self) -> None:
        """The window goes: the plan was saved or is not wanted."""
        self.recovery.discard()
        leaving.stop_everything(self)

    def leave_in_a_hurry(self) -> bool:
        """End at once, on a signal: an unsaved plan stays as a recovery copy. Whether it does."""
        is_safe = self.recovery.write()
        leaving.stop_everything(self)
        return is_safe

    def restore_layout(self) -> None:
        """Size and place as the window was left, or those of the first start."""
        geometry = self.settings.layout("window")
        if geometry is None or not self.restoreGeometry(geometry):
            screen = self.screen().availableGeometry().size()
            self.resize(_FIRST_SIZE.boundedTo(screen))
            is_tight = screen.width() <= _FIRST_SIZE.width() or screen.height() <= _FIRST_SIZE.height()
            if is_tight and screen.width() >= _LEAST_SIZE.width() and screen.height() >= _LEAST_SIZE.height():
                self.setWindowState(Qt.WindowState.WindowMaximized)  # with its frame it would not fit
        if not self.workspace.restore(self.settings):
            self.workspace.reset_layout(self.width(), self.height())
