"""The dialog that chooses a file for a plot, and the export itself."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog

from ui.plots.panel.export import FILTERS, export_plot
from ui.plots.panel.plot_row import PlotRow


def choose_file(row: PlotRow, kind: str, write: Callable[[Path], object]) -> None:
    """A dialog that does not block the window; `write` is called with the chosen file."""
    title = QCoreApplication.translate("plots", "Export plot")
    dialog = QFileDialog(row, title, f"{row.plot.name}.{kind}", FILTERS[kind])
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(kind)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: write(Path(name)))
    dialog.open()


def write_plot(row: PlotRow, kind: str, path: Path) -> str:
    """Write a plot to a file; what went wrong, or nothing."""
    try:
        export_plot(row, kind, path)
    except OSError as error:
        text = QCoreApplication.translate("plots", "{file} could not be written: {reason}")
        return text.format(file=path, reason=error.strerror or error)
    return ""
