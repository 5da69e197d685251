"""Marks by place: problems of the plan, invalid texts, and hints."""

from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, QTimer, Signal

from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.document.plan_check import Findings
from ui.document.plan_document import PlanDocument
from ui.editor.values.field_names import with_titles
from ui.editor.values.where import path_of, where_at, words_at

_DELAY_MS = 120
"""Checks wait for a pause in typing: they look at the whole plan."""


class Severity(IntEnum):
    """How bad a mark is; higher is worse."""

    NONE = 0
    HINT = 1
    PROBLEM = 2


@dataclass(frozen=True)
class Mark:
    """One problem or hint at a place."""

    severity: Severity
    where: str
    path: Path
    text: str
    remedy: str
    words: str
    """The place as the screen names it."""
    written: str = ""
    """Place, problem and remedy in the file's words."""

    @property
    def sentence(self) -> str:
        """Problem and remedy."""
        return f"{self.text} {self.remedy}".strip()


class Marks(QObject):
    """All marks of a document, found again shortly after each change."""

    changed = Signal()

    def __init__(self, document: PlanDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._found: tuple[Mark, ...] = ()
        self._of_plan: tuple[Mark, ...] = ()
        self._at: dict[Path, list[Mark]] = {}
        self._within: dict[Path, Severity] = {}
        self._wait = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._wait.timeout.connect(self.refresh)
        document.changed.connect(self._wait.start)
        document.replaced.connect(self._begin_again)
        document.check.ended.connect(self.refresh)
        document.drafts_changed.connect(self._index)
        self.refresh()

    @property
    def found(self) -> tuple[Mark, ...]:
        """All marks: texts that do not fit, then problems, then hints, each in the order of the file."""
        return self._found

    @property
    def findings(self) -> Findings | None:
        """What was found in the plan, some of it without a mark if it is very much; None while it is being checked."""
        return self._document.check.of_plan

    def refresh(self) -> None:
        """Look at the plan now. While it is being checked, the marks of the version before it stay."""
        self._wait.stop()
        findings = self.findings
        if findings is not None:
            self._of_plan = _marks_of(findings, self._document.plan)
        self._index()

    def _begin_again(self) -> None:
        """Another document."""
        self._of_plan = ()
        self.refresh()

    def at(self, path: Path) -> list[Mark]:
        """Marks of exactly this place, the worst first."""
        return self._at.get(path, [])

    def within(self, path: Path) -> Severity:
        """The worst mark of this place and of all inside it."""
        return self._within.get(path, Severity.NONE)

    def _index(self) -> None:
        plan = self._document.plan
        drafts = tuple(
            _mark(Severity.PROBLEM, where_at(path, plan), plan, draft.problem, draft.remedy, path)
            for path, draft in self._document.drafts.items()
        )
        self._found = (*drafts, *self._of_plan)
        self._at, self._within = {}, {}
        for mark in self._found:
            self._at.setdefault(mark.path, []).append(mark)
            for length in range(len(mark.path) + 1):
                place = mark.path[:length]
                self._within[place] = max(self._within.get(place, Severity.NONE), mark.severity)
        self.changed.emit()


def _marks_of(findings: Findings, plan: Plan) -> tuple[Mark, ...]:
    problems = (_mark(Severity.PROBLEM, one.where, plan, one.problem, one.remedy) for one in findings.problems)
    hints = (_mark(Severity.HINT, one.where, plan, one.text, one.remedy) for one in findings.hints)
    return (*problems, *hints)


def _mark(severity: Severity, where: str, plan: Plan, text: str, remedy: str, path: Path | None = None) -> Mark:
    path = path_of(where) if path is None else path
    said, cure, words = with_titles(text, path), with_titles(remedy, path), words_at(path, plan) or where
    return Mark(severity, where, path, said, cure, words, f"{where}: {text} {remedy}".strip())
