"""Reads a running cluster beside the window, through the user's kubectl."""

import tempfile
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from planner import api
from planner.api import Imported, Losses
from planner.kube.live.kubectl import dump_cluster
from ui.process.settings import WindowSettings
from ui.process.watched_work import Watch, WatchedWork
from ui.transfer.cluster_dialog import ClusterChoice, ClusterDialog
from ui.transfer.manifest_messages import ManifestMessages
from ui.wording.names import file_name

_CONTEXT, _NAMESPACES = "cluster/context", "cluster/namespaces"


class ClusterReading(QObject):
    """Asks which cluster, reads it, and hands what it holds to the review of imports."""

    def __init__(self, manifests: ManifestMessages, settings: WindowSettings) -> None:
        super().__init__(manifests)
        self._manifests, self._settings = manifests, settings
        self.dialog: ClusterDialog | None = None
        self.work = WatchedWork("cluster", self)
        self.work.changed.connect(self._show_work)
        self.work.failed.connect(manifests.show_failure)

    @property
    def last(self) -> ClusterChoice:
        """The cluster that was read last."""
        return ClusterChoice(self._settings.text(_CONTEXT), tuple(self._settings.text(_NAMESPACES).split()))

    def ask(self) -> None:
        """Show which calls will be made; the user starts them."""
        self.dialog = ClusterDialog(self.last, self._manifests.window)
        self.dialog.chosen.connect(self.read)
        self.dialog.show()

    def read(self, choice: ClusterChoice) -> None:
        """Read a cluster."""
        self._settings.keep_text(_CONTEXT, choice.context)
        self._settings.keep_text(_NAMESPACES, " ".join(choice.namespaces))
        what = choice.context or self.tr("the cluster")
        self.work.start(self.tr("Reading {what}").format(what=what), partial(_read, choice), self._take)

    def _take(self, imported: Imported) -> None:
        self._manifests.show_review(imported)

    def _show_work(self) -> None:
        if self.work.is_running:
            self._manifests.show_progress(self.work.what, self.work.share, self.work.cancel)
        else:
            self._manifests.end_progress()


def _read(choice: ClusterChoice, watch: Watch) -> Imported:
    """Called in a thread: uses no Qt. Raises PlannerError."""
    with tempfile.TemporaryDirectory(prefix="headroom-") as parent:
        folder = Path(parent) / (file_name(choice.context) if choice.context else "cluster")
        folder.mkdir()
        losses = Losses()
        dump_cluster(choice.calls, folder, losses, watch.show)
        imported = api.import_plan([str(folder)])
    for loss in losses:
        imported.losses.add(loss.kind, loss.path, loss.reason, loss.count)
    imported.losses.skip(losses.skipped)
    return imported
