"""The dialog that chooses a file for a plot, and the export itself."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from planner.disk.cures import reason_of
from ui.plots.panel.export import FILTERS, export_plot
from ui.plots.panel.plot_row import PlotRow


class PlotExports(QObject):
    """Writes plots to files that the user chooses."""

    failed = Signal(str)
    """Why a plot could not be written."""

    def choose(self, row: PlotRow, kinds: tuple[str, ...]) -> None:
        """A dialog that does not block the window; the plot is written when it ends."""
        title = QCoreApplication.translate("plots", "Export plot")
        dialog = QFileDialog(row, title, f"{row.plot.name}.{kinds[0]}", ";;".join(FILTERS[kind] for kind in kinds))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(kinds[0])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def take(name: str) -> None:
            ending = Path(name).suffix.removeprefix(".").lower()
            self.write(row, ending if ending in kinds else kinds[0], Path(name))

        def follow(chosen: str) -> None:
            kind = next(kind for kind in kinds if FILTERS[kind] == chosen)
            dialog.setDefaultSuffix(kind)
            dialog.selectFile(str(Path(dialog.selectedFiles()[0]).with_suffix(f".{kind}")))

        dialog.fileSelected.connect(take)
        dialog.filterSelected.connect(follow)
        dialog.open()

    def write(self, row: PlotRow, kind: str, path: Path) -> None:
        """Write a plot; failures are reported by a signal."""
        try:
            export_plot(row, kind, path)
        except OSError as error:
            text = QCoreApplication.translate("plots", "{file} could not be written: {reason}")
            self.failed.emit(text.format(file=path, reason=reason_of(error)))
