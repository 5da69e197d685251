"""Files that are dropped on a window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from ui.document.questions import SUFFIX
from ui.transfer.manifest_reading import is_manifest_file
from ui.widgets.message_bar import MessageBar, MessageKind

_NAMED = 3
_MESSAGE = "left out"


class DroppedFiles(QObject):
    """Accepts files from the desktop, of any number."""

    dropped = Signal(list)
    """Their paths, at least one."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.DragEnter, QEvent.Type.Drop) or not isinstance(event, QDropEvent):
            return False
        files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if not files:
            return False
        event.acceptProposedAction()
        if event.type() is QEvent.Type.Drop:
            self.dropped.emit(files)
        return True


def take_dropped(
    files: list[Path],
    open_plan: Callable[[Path], object],
    read_manifests: Callable[[list[Path]], object],
    messages: MessageBar,
) -> None:
    """Open a plan file, or else import all manifests; what is left out of a mixed lot is named."""
    messages.withdraw(_MESSAGE)
    plans = [file for file in files if file.suffix == SUFFIX and not file.is_dir()][:1]
    manifests = [] if plans else [file for file in files if is_manifest_file(file)]
    taken = manifests or plans or files[:1]
    if manifests:
        read_manifests(manifests)
    else:
        open_plan(taken[0])
    left = [file.name for file in files if file not in taken]
    if left:
        _tell_left_out(left, messages)


def _tell_left_out(names: list[str], messages: MessageBar) -> None:
    translate = QCoreApplication.translate
    shown = ", ".join(names[:_NAMED])
    text = translate("DroppedFiles", "Left out of what was dropped: {names}").format(names=shown)
    if len(names) > _NAMED:
        more = translate("DroppedFiles", "Left out of what was dropped: {names} and {count} more")
        text = more.format(names=shown, count=len(names) - _NAMED)
    remedy = translate("DroppedFiles", "Drop one plan file at a time, or any number of manifests and folders of them.")
    messages.show_message(MessageKind.WARNING, text, remedy, key=_MESSAGE, brief=True)
