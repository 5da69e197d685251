"""Messages about changes of the plan's file by other programs, and about plans left by a crash."""

from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, Signal

from planner.disk.version import ABSENT
from planner.language.translation import language
from ui.document.disk_watch import DiskWatch
from ui.document.lost_plans import LostPlan, lost_plans
from ui.document.plan_document import PlanDocument
from ui.document.plan_files import PlanFiles
from ui.document.recovery import RecoveryCopy
from ui.widgets.message_bar import MessageBar, MessageKind

_DISK_MESSAGE = "disk"


class FileMessages(QObject):
    """What happens to files outside of the window's own open and save."""

    recovered = Signal()
    """A lost plan is in the document now."""

    def __init__(
        self, document: PlanDocument, files: PlanFiles, disk: DiskWatch, messages: MessageBar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._files, self._disk, self._messages = document, files, disk, messages
        disk.changed_on_disk.connect(self._show_changed)
        disk.gone_from_disk.connect(self._show_gone)
        document.path_changed.connect(self._forget)
        document.saved.connect(self._forget)

    def offer_lost_plans(self, folder: Path, recovery: RecoveryCopy) -> None:
        """Offer each plan that a crash has left behind."""
        for lost in reversed(lost_plans(folder)):
            self._offer(lost, recovery)

    def _offer(self, lost: LostPlan, recovery: RecoveryCopy) -> None:
        when = QLocale(language()).toString(QDateTime.fromSecsSinceEpoch(int(lost.saved)), self.tr("d MMM yyyy HH:mm"))
        name = lost.path.name if lost.path is not None else lost.plan.name
        if lost.may_be_open:
            text = self.tr("“{name}” has unsaved changes in a Headroom that may still run on “{host}” ({when}).")
        elif lost.host:
            text = self.tr(
                "Headroom ended unexpectedly on “{host}”. Unsaved changes to “{name}” have been recovered ({when})."
            )
        else:
            text = self.tr("Headroom ended unexpectedly. Unsaved changes to “{name}” have been recovered ({when}).")

        def recover() -> None:
            if self._files.may_leave():
                self._document.open_copy(lost.plan, lost.path, lost.version, lost.drafts)
                self.recovered.emit()
                if recovery.write():
                    lost.forget()

        leave = self.tr("Ignore") if lost.may_be_open else self.tr("Discard")
        actions = [(self.tr("Recover"), recover), (leave, lost.forget)]
        self._messages.show_message(
            MessageKind.WARNING, text.format(name=name, when=when, host=lost.host), actions=actions, key=str(lost.file)
        )

    def _show_changed(self) -> None:
        text = self.tr("“{name}” was changed by another program.").format(name=self._files.shown_name)
        remedy = self.tr("Reloading keeps your unsaved changes in a file beside it.") if self._document.modified else ""
        actions = [(self.tr("Reload"), self._reload), (self.tr("Keep mine"), self._keep_mine)]
        self._messages.show_message(MessageKind.WARNING, text, remedy, actions, key=_DISK_MESSAGE)

    def _reload(self) -> None:
        """If the file cannot be read any more, what is shown is all that is left of the plan."""
        self._files.reload(otherwise=self._keep_mine)

    def _keep_mine(self) -> None:
        """What is shown is no longer what the file holds, and may replace it."""
        self._document.accept_on_disk(self._disk.found)

    def _show_gone(self) -> None:
        self._document.accept_on_disk(ABSENT)
        text = self.tr("“{name}” was removed or renamed by another program.").format(name=self._files.shown_name)
        remedy = self.tr("The plan is still open; save it to recreate the file.")
        self._messages.show_message(
            MessageKind.WARNING, text, remedy, [(self.tr("Save"), self._files.save)], key=_DISK_MESSAGE
        )

    def _forget(self) -> None:
        self._messages.withdraw(_DISK_MESSAGE)
