"""Records decisions in columns of bounded size: one equal to the previous one of its subject counts as a repeat."""

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence

from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.decision_log import DecisionLog, MakeDecision, Row, make_all
from planner.record.decisions import Actor, Decision, Details, Verdict
from planner.record.details.replicas import Evaluation, Range
from planner.record.series import Floats, SeriesStore
from planner.record.shared_findings import SharedFindings

_CHANGES = frozenset(
    (
        Verdict.BOUND,
        Verdict.PREEMPTED,
        Verdict.SCALED,
        Verdict.TRIGGERED,
        Verdict.LAUNCHED,
        Verdict.NODE_READY,
        Verdict.REMOVING,
        Verdict.REMOVED,
        Verdict.EVICTED,
        Verdict.DRAINING,
        Verdict.DRAINED,
        Verdict.HAPPENED,
        Verdict.ENDED,
    )
)

ALONE_AT_ONCE = 100
"""Findings of one instant that have a decision of their own; further ones share one with those that are alike."""
_KEPT = Verdict.KEPT  # looking up a member of an enum costs a call in Python 3.11


class Recorder:
    """Gathers series rows and decisions of one run."""

    def __init__(self) -> None:
        self._decisions: list[Decision] = []
        """With rows in the places of `_rows`."""
        self._rows: list[int] = []
        self._makers: list[MakeDecision] = []
        """Of each of `_rows`."""
        self._more: dict[int, int] = {}
        """By place: how often a decision was found again since its repeats were counted last."""
        self.series_time_us = array("q")
        self.series = SeriesStore()
        self.statuses: list[AutoscalerStatus] = []
        """What the Cluster Autoscaler says of itself, whenever that changed."""
        self._repeated: dict[int, None] | None = None
        """Rows of `decisions` replaced by their repeat since they were last taken; None while no one takes them."""
        self._last: dict[Actor, dict[str, int]] = {actor: {} for actor in Actor}
        """By actor: where the last decision of each subject is."""
        self._shared = SharedFindings()

    def copy(self) -> "Recorder":
        """A recorder that goes on by itself; what is recorded is common to both, as it never changes."""
        other = Recorder()
        other._decisions, other._shared = list(self.decisions), self._shared.copy()
        other._last = {actor: dict(last) for actor, last in self._last.items()}
        other._repeated = None if self._repeated is None else dict(self._repeated)
        other.series_time_us, other.series = self.series_time_us[:], self.series.copy()
        other.statuses = list(self.statuses)
        return other

    @property
    def decisions(self) -> list[Decision]:
        """All decisions so far, oldest first."""
        for at in tuple(self._more):
            self._decision(at)
        self._write_shared()
        make_all(self._decisions, self._rows, self._makers)
        return self._decisions

    def log(self) -> DecisionLog:
        """The same of a run that is over; rows stay rows until somebody reads them."""
        for at in tuple(self._more):
            self._decision(at)
        self._write_shared()
        return DecisionLog(self._decisions, self._rows, self._makers)

    def keep_row(self, row: Row, make: MakeDecision, subject: tuple[Actor, str] | None = None) -> None:
        """Keep a decision as a row, a plain tuple, until decisions are read; it never counts as a repeat.

        `make` makes the same decision whenever it is called. `subject`: the actor and subject of a decision of which a
        later one may be a repeat.
        """
        at = len(self._decisions)
        if subject is not None:
            self._last[subject[0]][subject[1]] = at
        self._rows.append(at)
        self._makers.append(make)
        self._decisions.append(row)  # type: ignore[arg-type]

    def keep_rows(self, rows: Sequence[Row], make: MakeDecision) -> None:
        """The same for several decisions of which no later one may be a repeat."""
        at = len(self._decisions)
        self._rows.extend(range(at, at + len(rows)))
        self._makers.extend([make] * len(rows))
        self._decisions.extend(rows)  # type: ignore[arg-type]

    def _decision(self, at: int) -> Decision:
        """The decision at a place, made if it is a row, with all its repeats."""
        found = self._decisions[at]
        if at in self._more:
            found = self._decisions[at] = _repeated(found, found.details, self._more.pop(at))
        if type(found) is tuple:
            make = self._makers[bisect_left(self._rows, at)]
            found = self._decisions[at] = make(found)
        return found

    def decide(self, decision: Decision) -> None:
        """Keep a decision; a finding that only repeats the subject's last one by this actor raises its count.

        What changes the cluster (a scale-up, a removal, an eviction) is kept each time it happens.
        """
        last = self._last[decision.actor]
        at = last.get(decision.subject)
        if at is not None and decision.verdict not in _CHANGES:
            folded = _folded(self._decision(at), decision.verdict, decision.target, decision.details)
            if folded is not None:
                self._replace(at, folded)
                return
        last[decision.subject] = len(self._decisions)
        self._decisions.append(decision)

    def find(self, time_us: int, actor: Actor, verdict: Verdict, findings: Iterable[tuple[str, Details]]) -> None:
        """Keep what an actor finds of many subjects at once, as `decide` does; nothing of it changes the cluster."""
        last, decisions = self._last[actor], self._decisions
        for subject, details in findings:
            at = last.get(subject)
            if at is not None and self._is_again(at, verdict, details):
                continue
            last[subject] = len(decisions)
            decisions.append(Decision(time_us, actor, verdict, subject, "", details))

    def find_alike(
        self, time_us: int, actor: Actor, verdict: Verdict, findings: Iterable[tuple[str, Details, Hashable]]
    ) -> None:
        """As `find`, where there may be tens of thousands at one instant: findings with equal third parts are alike.

        Beyond the first `ALONE_AT_ONCE` of an instant, alike ones share a decision, in whatever calls they come.
        """
        shared, last, decisions, repeated = self._shared, self._last[actor], self._decisions, self._repeated
        if shared.time_us != time_us:
            self._write_shared()
            shared.begin(time_us)
        for subject, details, kind in findings:
            at = last.get(subject)
            if at is not None and self._is_again(at, verdict, details):
                continue
            if shared.alone < ALONE_AT_ONCE:
                shared.alone += 1
                at = None
            else:
                at = shared.join(kind, len(decisions), subject)
            if at is None:
                at = len(decisions)
                decisions.append(Decision(time_us, actor, verdict, subject, "", details))
            elif repeated is not None:
                repeated[at] = None
            last[subject] = at

    def _is_again(self, at: int, verdict: Verdict, details: Details) -> bool:
        """Whether a finding repeats the decision at a place, which then counts it."""
        old = self._decisions[at]
        if type(old) is Decision and old.details is details and old.verdict is verdict and not old.target:
            self._more[at] = self._more.get(at, 0) + 1
            if self._repeated is not None:
                self._repeated[at] = None
            return True
        folded = _folded(self._decision(at), verdict, "", details)
        if folded is not None:
            self._replace(at, folded)
        return folded is not None

    def _write_shared(self) -> None:
        """Name in shared decisions who has joined them."""
        for at, others in self._shared.take():
            self._decisions[at] = self._decisions[at]._replace(others=others)

    def note_status(self, status: AutoscalerStatus) -> None:
        """Keep the status of the Cluster Autoscaler if it differs from the last one in anything but its time."""
        if not self.statuses or self.statuses[-1][1:] != status[1:]:
            self.statuses.append(status)

    def repeat(self, actor: Actor, subject: str, times: int, ranges: tuple[Range, Range] | None = None) -> None:
        """Count so many further decisions equal to the subject's last one by this actor.

        `ranges`: of the ratio and the raw proposal, where the last one is the evaluation of an autoscaler.
        """
        at = self._last[actor][subject]
        old = self._decision(at)
        details = old.details
        if ranges is not None and isinstance(details, Evaluation):
            details = details.widened(*ranges)
        self._replace(at, _repeated(old, details, times))

    def watch_repeats(self) -> None:
        """From now on remember which decisions are replaced by their repeat, for `take_repeats`."""
        if self._repeated is None:
            self._repeated = {}

    def take_repeats(self) -> tuple[int, ...]:
        """Rows of `decisions` replaced by their repeat since the last call, oldest change first."""
        rows = tuple(self._repeated or ())
        if rows:
            self._repeated = {}
        return rows

    def _replace(self, at: int, decision: Decision) -> None:
        self._decisions[at] = decision
        if self._repeated is not None:
            self._repeated[at] = None

    def open_series(self, names: Sequence[str]) -> None:
        """Name the series of the run, in the order of the report."""
        self.series = SeriesStore(names)

    def add_row(self, time_us: int, values: Floats | Sequence[float]) -> None:
        """One value for every opened series, in their order. Raises ValueError if the number differs."""
        self.series.append(values)
        self.series_time_us.append(time_us)


def _folded(old: Decision, verdict: Verdict, target: str, details: Details | None) -> Decision | None:
    """The old decision with a new one counted; None if they are to be kept apart."""
    if old.verdict is not verdict or old.target != target:
        return None
    if old.details is details or old.details == details:
        return _repeated(old, old.details, 1)
    if verdict is _KEPT and isinstance(old.details, Evaluation) and isinstance(details, Evaluation):
        evaluation = old.details.folded(details)
        return None if evaluation is None else _repeated(old, evaluation, 1)
    return None


def _repeated(old: Decision, details: Details | None, times: int) -> Decision:
    repeats = old.repeats + times
    return Decision(old.time_us, old.actor, old.verdict, old.subject, old.target, details, repeats, old.others)
