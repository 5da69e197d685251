"""The page before a plan is open: samples, recent files, a new plan."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.experiments.questions import questions
from ui.process.settings import WindowSettings
from ui.start.samples import samples
from ui.theme.icons import Icons
from ui.widgets.card_button import CardButton, heading, muted
from ui.widgets.return_presses import press_with_return

_WIDTH_PX = 1040
_MOST_RECENT = 6


class StartPage(QScrollArea):
    """One click opens a sample or a file."""

    sample_chosen = Signal(Path)
    question_chosen = Signal(Path, str)
    """A sample, and the kind of experiment that answers the question about it."""
    file_chosen = Signal(Path)
    first_plan_wanted = Signal()
    new_wanted = Signal()
    open_wanted = Signal()
    import_files_wanted = Signal()
    import_folder_wanted = Signal()
    import_pasted_wanted = Signal()

    def __init__(self, settings: WindowSettings, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._icons = settings, icons
        self._recent_rows = QVBoxLayout()
        self._recent_rows.setSpacing(6)
        page = QWidget()
        page.setObjectName("startPage")
        across = QHBoxLayout(page)
        across.addStretch(1)
        across.addWidget(self._content(), 20)
        across.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        press_with_return(page.findChildren(QPushButton), self)
        self._fill_recent()
        settings.recent_changed.connect(self._fill_recent)

    def _content(self) -> QWidget:
        content = QWidget()
        content.setMaximumWidth(_WIDTH_PX)
        content.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        down = QVBoxLayout(content)
        down.setContentsMargins(24, 40, 24, 24)
        down.setSpacing(6)
        title = QLabel("Headroom")
        title.setObjectName("startTitle")
        down.addWidget(title)
        down.addWidget(muted(self.tr("Find out how a Kubernetes cluster scales before it has to.")))
        down.addSpacing(22)
        columns = QHBoxLayout()
        columns.setSpacing(32)
        columns.addLayout(self._samples(), 3)
        columns.addLayout(self._own_plans(), 2)
        down.addLayout(columns)
        down.addStretch(1)
        return content

    def _samples(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(heading(self.tr("Try a sample")))
        for sample in samples():
            button = CardButton("sample", sample.title, sample.about)
            button.clicked.connect(partial(self.sample_chosen.emit, sample.path))
            column.addWidget(button)
        column.addStretch(1)
        return column

    def _own_plans(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(heading(self.tr("Your plans")))
        guide = QPushButton(self.tr("First plan: five &questions…"))
        guide.setToolTip(self.tr("From how many users and which service to a plan that runs"))
        guide.setProperty("primary", True)
        guide.clicked.connect(self.first_plan_wanted)
        column.addWidget(guide)
        new, open_file = QPushButton(self.tr("&New plan")), QPushButton(self.tr("&Open…"))
        for button, icon, wanted in ((new, "new", self.new_wanted), (open_file, "open", self.open_wanted)):
            self._icons.dress(button, icon)
            button.clicked.connect(wanted)
        buttons = QHBoxLayout()
        buttons.addWidget(new)
        buttons.addWidget(open_file)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addLayout(self._imports())
        column.addWidget(muted(self.tr("You can also drop plan files, manifests and folders anywhere on the window.")))
        column.addSpacing(14)
        column.addWidget(heading(self.tr("Ask a question")))
        column.addWidget(muted(self.tr("About a sample; about your own plan in the workspace Experiments.")))
        column.addLayout(self._questions())
        column.addSpacing(14)
        column.addWidget(heading(self.tr("Recent")))
        column.addLayout(self._recent_rows)
        column.addStretch(1)
        return column

    def _imports(self) -> QHBoxLayout:
        """A cluster of one's own, out of its manifests."""
        ways = (
            (self.tr("&Import manifests…"), self.tr("Kubernetes manifests or kubectl dumps"), self.import_files_wanted),
            (self.tr("Fo&lder…"), self.tr("All manifests of a folder"), self.import_folder_wanted),
            (self.tr("Pas&te"), self.tr("The manifests on the clipboard"), self.import_pasted_wanted),
        )
        buttons = QHBoxLayout()
        for text, tip, wanted in ways:
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(wanted)
            buttons.addWidget(button)
        buttons.addStretch(1)
        return buttons

    def _questions(self) -> QVBoxLayout:
        """A button for each question that an experiment answers."""
        rows = QVBoxLayout()
        rows.setSpacing(5)
        sample = next((one.path for one in samples()), None)
        for question in questions() if sample is not None else ():
            button = QPushButton(question.shown)
            button.setToolTip(question.tip)
            button.clicked.connect(partial(self.question_chosen.emit, sample, question.kind))
            rows.addWidget(button)
        return rows

    def _fill_recent(self) -> None:
        while (item := self._recent_rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        known = [path for path in self._settings.recent if path.exists()]
        for path in known[:_MOST_RECENT]:
            row = CardButton("recentFile", path.name, _shown_folder(path.parent))
            row.setToolTip(str(path))
            row.clicked.connect(partial(self.file_chosen.emit, path))
            press_with_return((row,), row)
            self._recent_rows.addWidget(row)
        if not known:
            self._recent_rows.addWidget(muted(self.tr("Plans you open or save will appear here.")))


def _shown_folder(folder: Path) -> str:
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except ValueError:
        return str(folder)
