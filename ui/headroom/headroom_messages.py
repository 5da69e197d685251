"""Shows the progress and the end of a headroom search while its tab is hidden."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from ui.headroom.search import HeadroomSearch, SearchState
from ui.headroom.words import headline, sentence
from ui.runs.controls.status_line import StatusLine
from ui.widgets.message_bar import MessageBar, MessageKind

_KEY = "headroom"


class HeadroomMessages(QObject):
    """Progress in the status line, the end as a message if the tab is hidden."""

    def __init__(
        self,
        search: HeadroomSearch,
        status: StatusLine,
        messages: MessageBar,
        panel: QWidget,
        show_panel: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._search, self._status, self._messages = search, status, messages
        self._panel, self._show_panel = panel, show_panel
        search.changed.connect(self._show_progress)
        search.ended.connect(self._show_end)

    def _show_progress(self) -> None:
        if self._search.is_running:
            text = self.tr("Headroom: {what} · run {number}, {percent} %")
            now = self._search.now
            text = text.format(what=headline(self._search), number=max(1, now.number), percent=int(100 * now.done))
            self._status.show_work(text, self._search.cancel)

    def _show_end(self) -> None:
        self._status.end_work()
        if self._panel.isVisible() or self._search.state is SearchState.FAILED:
            return
        text = self.tr("Headroom: {what}").format(what=headline(self._search))
        show = (self.tr("Show"), self._show_panel)
        kind = MessageKind.GOOD if self._search.state is SearchState.FINISHED else MessageKind.INFO
        self._messages.show_message(kind, text, sentence(self._search), [show], key=_KEY)
