"""The search for how much more load the plan bears, from the menu and from its tab."""

from PySide6.QtCore import QObject, Signal

from ui.document.plan_check import Findings
from ui.document.plan_document import PlanDocument
from ui.headroom.search import HeadroomSearch
from ui.runs.failure import failure_of
from ui.shell.pages import Pages
from ui.shell.workspace import Workspace


class HeadroomInWindow(QObject):
    """Starts the search once the plan is known to be valid, and shows its tab."""

    failed = Signal(object)
    """A RunFailure: the plan has a problem, or a run of the search failed."""

    def __init__(
        self, document: PlanDocument, search: HeadroomSearch, workspace: Workspace, pages: Pages, window: QObject
    ) -> None:
        super().__init__(window)
        self._document, self._search, self._workspace, self._pages = document, search, workspace, pages
        workspace.headroom.find_wanted.connect(self.find)
        search.failed.connect(self.failed)

    def find(self) -> None:
        """Search how much more load the plan bears; the tab shows how it goes."""
        self._document.check.when_known(self._find)

    def _find(self, findings: Findings) -> None:
        if findings.problems:
            self.failed.emit(failure_of(findings.refusal))
            return
        self.show_tab()
        self._search.start(self._document.plan)

    def show_tab(self) -> None:
        """Show what the search found."""
        self._pages.show_plan()
        self._workspace.show_view(self._workspace.headroom)
