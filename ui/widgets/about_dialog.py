"""Version, licence and the libraries inside."""

import importlib.metadata
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from planner import __version__

_PARTS = (
    ("PySide6_Essentials", "Qt for Python", "LGPL-3.0"),
    ("pyqtgraph", "pyqtgraph", "MIT"),
    ("numpy", "NumPy", "BSD-3-Clause"),
    ("pydantic", "pydantic", "MIT"),
    ("PyYAML", "PyYAML", "MIT"),
    ("click", "click", "BSD-3-Clause"),
    ("platformdirs", "platformdirs", "MIT"),
    ("google-re2", "RE2", "BSD-3-Clause"),
    ("Jinja2", "Jinja", "BSD-3-Clause"),
    ("xlsxwriter", "XlsxWriter", "BSD-2-Clause"),
)


class AboutDialog(QDialog):
    """What the program is and what it is made of."""

    def __init__(self, log_file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Headroom"))
        self._log_file = log_file
        down = QVBoxLayout(self)
        down.setContentsMargins(24, 20, 24, 16)
        down.setSpacing(8)
        title = QLabel(self.tr("Headroom {version}").format(version=__version__))
        title.setObjectName("startTitle")
        down.addWidget(title)
        down.addWidget(QLabel(self.tr("Kubernetes cluster capacity planning by simulation")))
        down.addWidget(QLabel(self.tr("Licence: Apache-2.0")))
        down.addSpacing(8)
        down.addLayout(self._parts())
        if log_file is not None:
            where = QLabel(self.tr("Log file: {path}").format(path=log_file))
            where.setProperty("muted", True)
            where.setWordWrap(True)
            where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            down.addWidget(where)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("&Copy versions"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.versions()))
        buttons.rejected.connect(self.close)
        down.addWidget(buttons)

    def versions(self) -> str:
        """Everything shown, as plain text."""
        lines = [f"Headroom {__version__}", *(" ".join(part).strip() for part in parts())]
        return "\n".join(lines)

    def _parts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(22)
        heads = (self.tr("Built with"), self.tr("Version"), self.tr("Licence"))
        for row, cells in enumerate((heads, *parts())):
            for column, text in enumerate(cells):
                label = QLabel(text)
                label.setProperty("heading" if row == 0 else "muted", True)
                grid.addWidget(label, row, column)
        return grid


def parts() -> list[tuple[str, str, str]]:
    """Name, version ("" if unknown) and licence of the libraries inside."""
    return [(name, _installed(package), licence) for package, name, licence in _PARTS]


def _installed(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # a packaged program may come without this
        return ""
