"""Help of the window: pages and guide beside it or in the browser, and what the focus is on."""

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMainWindow

from planner.language.translation import language
from ui.help.context_help import show_help_on
from ui.help.doc_window import DocWindow
from ui.process.folders import guide_page, log_folder
from ui.shell.window_actions import WindowActions
from ui.theme.theme import ThemeSource
from ui.widgets.about_dialog import AboutDialog
from ui.widgets.message_bar import MessageBar, MessageKind
from ui.widgets.shortcut_dialog import ShortcutDialog


class HelpInWindow(QObject):
    """Does what the Help menu says."""

    def __init__(self, theme: ThemeSource, messages: MessageBar, window: QMainWindow) -> None:
        super().__init__(window)
        self._theme, self._messages, self._window = theme, messages, window
        self.pages: DocWindow | None = None
        """Made when it is first wanted."""

    def connect_actions(self, actions: WindowActions) -> None:
        """Follow the menu."""
        actions.explain.triggered.connect(self._explain)
        actions.shortcuts.triggered.connect(self._show_keys)
        actions.guide.triggered.connect(self._show_guide)
        actions.accuracy.triggered.connect(lambda: self._show_page("accuracy.md"))
        actions.model.triggered.connect(lambda: self._show_page("model.md"))
        actions.rules.triggered.connect(lambda: self._show_page("rules/README.md"))
        actions.log.triggered.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder()))))
        actions.about.triggered.connect(lambda: AboutDialog(log_folder(), self._window).show())

    def _explain(self) -> None:
        """What has the focus; all keys where nothing has that could be explained."""
        if show_help_on(self._window.focusWidget()) is None:
            self._show_keys()

    def _show_keys(self) -> None:
        ShortcutDialog(self._window.menuBar(), self._window).show()

    def _show_page(self, page: str) -> None:
        """A page of `docs/`, beside the window."""
        if self.pages is None:
            self.pages = DocWindow(self._theme, self._window)
        self.pages.show_page(page)

    def _show_guide(self) -> None:
        """In the language of the window: in the browser, or beside the window in a source checkout."""
        page = guide_page(language())
        if page is None:
            self._show_page(f"guide/{language()}/index.md")
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(page))):
            text = self.tr("No program was found that shows the guide.")
            self._messages.show_message(MessageKind.WARNING, text, str(page), key="guide")
