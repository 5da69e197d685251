"""What a preemption leaves in the record: the candidates that were compared, the victims and their budgets.

Rows at first, which become decisions when these are read.
"""

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.scheduling import Nomination, Preempted, PreemptionCandidate
from planner.record.recorder import Recorder
from planner.scheduler.cycle.select import NameOrder
from planner.scheduler.preemption_result import LEADING, Candidate, Preemption
from planner.scheduler.queue.queued_pod import QueuedPod
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

NominationRow = tuple[int, int, Candidate, tuple[Candidate, ...], int, int]
"""Time in microseconds, pod, the candidate chosen, the best others, how many there are, and how many are as good."""
VictimRow = tuple[int, int, int, Candidate]
"""Time, preemptor, victim, and the candidate it is one of."""
_SCHEDULER = Actor.SCHEDULER  # looking up a member of an enum costs a call in Python 3.11


class PreemptionReader:
    """Turns rows into decisions, also after the run."""

    def __init__(self, cluster: Cluster, names: NameOrder) -> None:
        self._cluster = cluster
        self._names = names

    def nomination(self, row: NominationRow) -> Decision:
        """Which node was chosen for a pod."""
        now_us, pod, chosen, others, candidates, tied = row
        details = Nomination(
            self._named(chosen),
            candidates,
            tied,
            tuple([self._named(other) for other in others]),
            tuple(dict.fromkeys(chosen.violated.values())),
        )
        place = self._names.name(chosen.node)
        return Decision(now_us, _SCHEDULER, Verdict.NOMINATED, self._cluster.pod_name(pod), place, details)

    def victim(self, row: VictimRow) -> Decision:
        """Who had to go."""
        now_us, pod, victim, chosen = row
        name, priority = self._cluster.pod_name, self._cluster.pods.priority.item
        details = Preempted(name(pod), priority(pod), priority(victim), chosen.violated.get(victim, ""))
        place = self._names.name(chosen.node)
        return Decision(now_us, _SCHEDULER, Verdict.PREEMPTED, name(victim), place, details)

    def _named(self, candidate: Candidate) -> PreemptionCandidate:
        return PreemptionCandidate(
            self._names.name(candidate.node),
            tuple([self._cluster.pod_name(victim) for victim in candidate.victims]),
            candidate.violations,
            candidate.highest_priority,
            candidate.priority_sum,
            candidate.earliest_start_s,
        )


class PreemptionRecord:
    """Writes the preemptions of one scheduler."""

    def __init__(self, cluster: Cluster, recorder: Recorder, names: NameOrder) -> None:
        self._cluster = cluster
        self._recorder = recorder
        self._read = PreemptionReader(cluster, names)

    def nominated(self, queued: QueuedPod, found: Preemption, chosen: Candidate) -> None:
        """Record the choice among the candidates of `found`, for a pod that has just been refused."""
        others = [found.candidate(node) for node in found.leading if node != chosen.node][: LEADING - 1]
        row = (
            self._cluster.clock.now_us,
            queued.pod,
            chosen,
            tuple(others),
            len(found.helped),
            len(found.equals),
        )
        self._recorder.keep_row(row, self._read.nomination, (_SCHEDULER, queued.name))

    def preempted(self, pod: int, victim: int, chosen: Candidate) -> None:
        """Record that a victim has to go; a name that another pod will bear is noted at once."""
        row = self._cluster.clock.now_us, pod, victim, chosen
        if self._cluster.pods.ordinal.item(victim) == NONE:
            self._recorder.keep_row(row, self._read.victim)
        else:
            self._recorder.decide(self._read.victim(row))
