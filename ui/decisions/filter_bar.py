"""Search and filters above the decisions."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from planner.language.translation import tr
from planner.record.decisions import Actor, Verdict
from planner.record.text.headline import COMPONENTS
from ui.decisions.decision_index import DecisionFilter, DecisionIndex

_TYPING_MS = 120
_SEARCH_PX, _ARROW_PX, _AFTER_PX = 116, 38, 2
"""Least width of the search, and what a choice needs beside its text."""
_BUT_KEPT = "but kept"
"""The verdict choice that hides "kept" decisions, which every autoscaler repeats."""


class FilterBar(QWidget):
    """Text, component, object and verdict; signals when the wanted rows change."""

    changed = Signal()
    left = Signal()
    """The reader wants to go on to the rows (arrow down, or Enter)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = _SearchField()
        self.search.setPlaceholderText(self.tr("Search (Ctrl+F)"))
        self.search.setAccessibleName(self.tr("Search decisions"))
        self.search.setToolTip(
            self.tr("Show rows that contain all of these words, in any order; for example: shop insufficient")
        )
        self.actor = self._combo(self.tr("Component"))
        self.subject = self._combo(self.tr("Workload or node pool"))
        self.verdict = self._combo(self.tr("Verdict"))
        self._count = QLabel()
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self.search.setMinimumWidth(_SEARCH_PX)
        for part, share in ((self.search, 25), (self.actor, 18), (self.subject, 16), (self.verdict, 21)):
            layout.addWidget(part, share)
        layout.addWidget(self._count)
        layout.addSpacing(_AFTER_PX)
        self._typing = QTimer(self, interval=_TYPING_MS, singleShot=True)
        self._typing.timeout.connect(self.changed)
        self._offered: tuple[list[Actor], list[Verdict], list[str]] | None = None
        self.search.textChanged.connect(lambda: self._typing.start())
        self.search.left.connect(self._leave_search)
        self.offer(None)

    @property
    def wanted(self) -> DecisionFilter:
        """What is to be shown."""
        chosen = self.verdict.currentData()
        return DecisionFilter(
            self.search.text(),
            self.actor.currentData() or (),
            () if chosen == _BUT_KEPT else chosen or (),
            self.subject.currentData() or (),
            (Verdict.KEPT,) if chosen == _BUT_KEPT else (),
        )

    def offer(self, index: DecisionIndex | None) -> None:
        """Fill the choices with what occurs in the run; what is chosen stays chosen where it can."""
        actors, verdicts = (index.actors(), index.verdicts()) if index is not None else ([], [])
        names = [name for name in index.objects if name] if index is not None else []
        if (actors, verdicts, names) == self._offered:
            return
        self._offered = actors, verdicts, names
        _fill(self.actor, [(self.tr("Components"), ()), *((_component(actor), (actor,)) for actor in actors)])
        _fill(self.subject, [(self.tr("Objects"), ()), *((name, (name,)) for name in names)])
        all_of_them: list[_Choice] = [(self.tr("All but “kept”"), _BUT_KEPT), (self.tr("All verdicts"), ())]
        _fill(self.verdict, [*all_of_them, *((tr(verdict.value), (verdict,)) for verdict in verdicts)])

    def show_count(self, shown: int, total: int, *, is_searching: bool) -> None:
        """How many rows there are."""
        if is_searching:
            text = self.tr("searching …")
        elif shown == total:
            text = self.tr("{total:,} total").format(total=total)
        else:
            text = self.tr("{shown:,} of {total:,}").format(shown=shown, total=total)
        self._count.setText(text)

    def choose_object(self, name: str) -> None:
        """Only this workload or pool."""
        _choose(self.subject, (name,))

    def choose_verdict(self, verdict: Verdict) -> None:
        """Only this verdict."""
        _choose(self.verdict, (verdict,))

    def choose_actor(self, actor: Actor) -> None:
        """Only this component."""
        _choose(self.actor, (actor,))

    def clear(self) -> None:
        """Show everything."""
        self._reset(self.verdict.findData(()))

    def start_over(self) -> None:
        """As at first: only what every autoscaler repeats is hidden."""
        self._reset(self.verdict.findData(_BUT_KEPT))

    def _reset(self, verdict: int) -> None:
        widgets = (self.search, self.actor, self.subject, self.verdict)
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.search.clear()
        for combo in (self.actor, self.subject):
            combo.setCurrentIndex(combo.findData(()))
        self.verdict.setCurrentIndex(verdict)
        del blockers
        self.changed.emit()

    def _leave_search(self) -> None:
        """The rows that are entered are those of the text as it is, however fast it was typed."""
        if self._typing.isActive():
            self._typing.stop()
            self.changed.emit()
        self.left.emit()

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setToolTip(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(6)
        combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        combo.currentIndexChanged.connect(self.changed)
        return combo


class _SearchField(QLineEdit):
    """Arrow down and Enter lead on to the rows, Escape clears."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)

    def event(self, event: QEvent) -> bool:
        """While there is text, Escape clears it instead of stopping a run."""
        if event.type() == QEvent.Type.ShortcutOverride and self.text():
            assert isinstance(event, QKeyEvent)
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def _component(actor: Actor) -> str:
    return tr(COMPONENTS[actor])


_Choice = tuple[str, object]


def _fill(combo: QComboBox, items: list[_Choice]) -> None:
    if [(combo.itemText(row), combo.itemData(row)) for row in range(combo.count())] == items:
        return
    chosen = combo.currentText()
    with QSignalBlocker(combo):
        combo.clear()
        for text, data in items:
            combo.addItem(text, data)
        combo.setCurrentIndex(max(0, combo.findText(chosen)))
    combo.setMinimumWidth(combo.fontMetrics().horizontalAdvance(items[0][0]) + _ARROW_PX)  # what is chosen at first


def _choose(combo: QComboBox, data: tuple[object, ...]) -> None:
    for row in range(combo.count()):
        if combo.itemData(row) == data:
            combo.setCurrentIndex(row)
