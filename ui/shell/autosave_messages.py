"""Messages about recovery copies that cannot be written."""

from PySide6.QtCore import QObject

from ui.document.recovery import RecoveryCopy
from ui.widgets.message_bar import MessageBar, MessageKind

_AUTOSAVE_MESSAGE = "autosave"


class AutosaveMessages(QObject):
    """Says once that the copies fail, and takes it back when they work again."""

    def __init__(self, recovery: RecoveryCopy, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._recovery, self._messages = recovery, messages
        recovery.failed.connect(self._show_failed)
        recovery.works_again.connect(lambda: messages.withdraw(_AUTOSAVE_MESSAGE))

    def _show_failed(self, reason: str) -> None:
        text = self.tr("Your unsaved changes cannot be copied for recovery ({reason}).").format(reason=reason)
        remedy = self.tr("Save the plan. Headroom tries again every 30 seconds; the copies are in {folder}.")
        self._messages.show_message(
            MessageKind.WARNING, text, remedy.format(folder=self._recovery.file.parent), key=_AUTOSAVE_MESSAGE
        )
