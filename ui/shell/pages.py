"""The start page and the workspaces, one of which fills the window."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from ui.process.settings import WindowSettings
from ui.shell.workspace import Workspace
from ui.shell.workspace_switch import Space
from ui.widgets.late_page import LatePage
from ui.widgets.shown_stack import ShownStack


class PagesScroller(QScrollArea):
    """Scrolls the page that is shown where the window is smaller than it can be."""

    def __init__(self, pages: "Pages") -> None:
        super().__init__()
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(pages)
        for part in (self.viewport(), pages):
            part.setAutoFillBackground(False)


class Pages(ShownStack):
    """Shows one of them. The workspaces Plan and Run are two arrangements of one widget."""

    shown_changed = Signal()

    def __init__(
        self,
        start: QWidget,
        workspace: Workspace,
        experiments: LatePage[Any],
        measured: LatePage[Any],
        settings: WindowSettings,
    ) -> None:
        super().__init__()
        self._start, self._workspace, self._settings = start, workspace, settings
        self._experiments, self._measured = experiments, measured
        for page in (start, workspace, experiments, measured):
            self.addWidget(page)

    def spaces(self) -> list[Space]:
        """The workspaces, in the order of their buttons."""
        run, plan = self._workspace, self._workspace.plan_space
        return [
            Space(self.tr("Plan"), Qt.Key.Key_F9, self.tr("The whole window for the plan"), plan),
            Space(self.tr("Run"), Qt.Key.Key_F3, self.tr("Edit the plan, run it and watch"), run),
            Space(self.tr("Experiments"), Qt.Key.Key_F4, self.tr("Ask questions to many runs"), self._experiments),
            Space(self.tr("Measured"), Qt.Key.Key_F12, self.tr("Compare with a real cluster"), self._measured),
        ]

    @property
    def shown(self) -> QWidget | None:
        """The workspace or page that is shown."""
        page, workspace = self.currentWidget(), self._workspace
        return workspace.plan_space if page is workspace and workspace.is_for_plan else page

    @property
    def is_at_start(self) -> bool:
        """Whether the start page is shown."""
        return self.currentWidget() is self._start

    def show_page(self, page: QWidget) -> None:
        """Show a page or workspace."""
        if page in (self._workspace, self._workspace.plan_space):
            if self.is_at_start:
                self._workspace.restore_windows(self._settings)
            self._workspace.show_for_plan(page is self._workspace.plan_space)
            page = self._workspace
        if isinstance(page, LatePage):
            _ = page.content  # made before it is shown, so that no empty page is seen
        self.setCurrentWidget(page)
        self.shown_changed.emit()

    def show_as(self, other: "Pages") -> None:
        """Show what another window shows."""
        page = self.widget(other.currentIndex())
        if page is not None:
            is_for_plan = other.shown is other._workspace.plan_space
            self.show_page(self._workspace.plan_space if is_for_plan else page)

    def show_plan(self) -> None:
        """Show plan and runs."""
        self.show_page(self._workspace)

    def show_editor(self) -> None:
        """Show the plan, in the workspace that has it now."""
        if self.shown is not self._workspace.plan_space:
            self.show_plan()

    def show_experiments(self) -> None:
        """Show experiments with the plan."""
        self.show_page(self._experiments)

    def show_measured(self) -> None:
        """Show what was measured of a real cluster."""
        self.show_page(self._measured)

    def show_start(self) -> None:
        """Show the start page; the plan stays as it is."""
        self.show_page(self._start)
