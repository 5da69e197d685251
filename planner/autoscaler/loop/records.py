"""Records the autoscaler's decisions; those that only repeat the last loop are not written again."""

from collections.abc import Mapping, Sequence

import numpy as np

from planner.autoscaler.expander.option import ExpansionOption
from planner.autoscaler.scaledown.actuation import RemovalEnd
from planner.autoscaler.scaledown.eligibility import ScaleDownView
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.result import NoScaleUpInfo, ScaleUpPlan
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import (
    ExpanderFigure,
    GroupProblem,
    NodeGroupDetails,
    NodeRemoval,
    NodeReview,
    NoScaleUp,
    RemovalFailed,
    ScaleUp,
    ScaleUpEvent,
    WeighedOption,
)
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster
from planner.units import US_PER_S

MAX_TOTAL_REASON = "max total nodes in cluster reached"
CLUSTER = "cluster"
"""Subject of what concerns no single group."""
_SILENT = (NodeVerdict.SIMULATE, NodeVerdict.RECENTLY_UNREMOVABLE, NodeVerdict.CURRENTLY_BEING_DELETED)
_IS_LOUD = np.array([verdict not in _SILENT for verdict in NodeVerdict], dtype=np.bool_)
"""By verdict code: whether it is recorded."""


class LoopRecords:
    """The decisions of scale-up and scale-down with what led to them."""

    def __init__(self, cluster: Cluster, recorder: Recorder) -> None:
        self._cluster = cluster
        self._recorder = recorder
        self._verdicts = np.full(0, NodeVerdict.SIMULATE, dtype=np.int8)

    # -- scale-up -----------------------------------------------------------------------------

    def scale_up(self, plan: ScaleUpPlan, now_us: int) -> None:
        """One decision per group that grows."""
        options = tuple(
            WeighedOption(each.group_id, each.node_count, each.pod_count, _figures_of(each, plan))
            for each in plan.options
        )
        expanders = tuple(step.name.value for step in plan.choice.steps) if plan.choice else ()
        chosen = plan.choice.chosen if plan.choice else None
        figures = () if chosen is None else _figures_of(chosen, plan)
        for resize in plan.resizes:
            added, pods = resize.new_size - resize.old_size, len(plan.triggered)
            details = ScaleUp(added, resize.new_size, pods, expanders, figures, options)
            name = self._cluster.group_names[resize.group]
            self._add(now_us, Actor.SCALE_UP, Verdict.TRIGGERED, name, details)

    def not_triggered(self, refusals: Sequence[NoScaleUpInfo], now_us: int) -> None:
        """One decision per pod for which no group can grow, with the number of groups by reason."""
        for refusal in refusals:
            counts: dict[str, int] = {}
            for reasons in (*refusal.rejected.values(), *refusal.skipped.values()):
                for reason in reasons:
                    counts[reason] = counts.get(reason, 0) + 1
            if not counts:  # no group was looked at
                counts[MAX_TOTAL_REASON] = self._cluster.groups.count
            for pod in refusal.pods:
                name = self._cluster.pod_name(pod)
                self._add(now_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, name, NoScaleUp(counts))

    def group_event(self, event: ScaleUpEvent, group: int, count: int, now_us: int, cloud: str = "") -> None:
        """Something went wrong with `count` nodes of a group; `cloud`: what the cloud said."""
        name = self._cluster.group_names[group]
        self._add(now_us, Actor.SCALE_UP, Verdict.FAILED, name, GroupProblem(event, count, cloud))

    def cluster_event(self, event: ScaleUpEvent, now_us: int) -> None:
        """Something that keeps the whole cluster from growing."""
        self._add(now_us, Actor.SCALE_UP, Verdict.FAILED, CLUSTER, GroupProblem(event))

    def unregistered_removed(self, node: int, now_us: int) -> None:
        """An instance that never registered is given up."""
        details = GroupProblem(ScaleUpEvent.DELETE_UNREGISTERED)
        self._add(now_us, Actor.SCALE_UP, Verdict.REMOVED, self._cluster.node_name(node), details)

    # -- scale-down ---------------------------------------------------------------------------

    def node_verdicts(self, snapshot: Snapshot, view: ScaleDownView, now_us: int) -> None:
        """Verdicts on nodes that differ from those of the last loop."""
        rows = snapshot.rows
        missing = self._cluster.nodes.count - len(self._verdicts)
        if missing > 0:
            self._verdicts = np.concatenate([self._verdicts, np.full(missing, NodeVerdict.SIMULATE, dtype=np.int8)])
        loud = _IS_LOUD[view.verdicts]
        for position in np.flatnonzero((view.verdicts != self._verdicts[rows]) & loud).tolist():
            node = int(rows[position])
            before = NodeVerdict(self._verdicts[node])
            self._verdicts[node] = view.verdicts[position]
            self._node_verdict(node, position, before, view, now_us)

    def _node_verdict(self, node: int, position: int, before: NodeVerdict, view: ScaleDownView, now_us: int) -> None:
        verdict, name = NodeVerdict(view.verdicts[position]), self._cluster.node_name(node)
        used, threshold = float(view.utilization.value[position]), float(view.thresholds[position])
        if verdict is NodeVerdict.UNNEEDED:
            details = NodeReview(used, threshold, wait_s=view.wait_us.get(node, 0) / US_PER_S)
            self._add(now_us, Actor.SCALE_DOWN, Verdict.UNNEEDED, name, details)
            return
        if verdict is NodeVerdict.NOT_CANDIDATE:
            verdict = NodeVerdict.NODE_GROUP_MIN_SIZE_REACHED
        details = NodeReview(used, threshold, reason=verdict.text)
        if node in view.blocked:
            pod, reason = view.blocked[node]
            details = details._replace(pod=self._cluster.pod_name(pod), pod_reason=reason.text)
        word = Verdict.NEEDED_AGAIN if before is NodeVerdict.UNNEEDED else Verdict.UNREMOVABLE
        self._add(now_us, Actor.SCALE_DOWN, word, name, details)

    def removing(self, nodes: Mapping[int, int], drained: Sequence[int], now_us: int) -> None:
        """Removals that start; `nodes` says since when each was unneeded."""
        for node, since_us in nodes.items():
            details = NodeRemoval(is_drain=node in drained, unneeded_s=(now_us - since_us) / US_PER_S)
            self._add(now_us, Actor.SCALE_DOWN, Verdict.REMOVING, self._cluster.node_name(node), details)
            self._verdicts[node] = NodeVerdict.CURRENTLY_BEING_DELETED

    def ended(self, ends: Sequence[RemovalEnd], now_us: int) -> None:
        """Removals that reached the cloud, or failed."""
        for end in ends:
            name = self._cluster.node_name(end.node)
            if end.failure is not None:
                for subject in (name, *(self._cluster.pod_name(pod) for pod in end.pods)):
                    self._add(now_us, Actor.SCALE_DOWN, Verdict.FAILED, subject, RemovalFailed(end.failure.value))
            else:
                self._add(now_us, Actor.SCALE_DOWN, Verdict.REMOVED, name, NodeRemoval(end.is_drain))

    def _add(self, now_us: int, actor: Actor, verdict: Verdict, subject: str, details: NodeGroupDetails) -> None:
        self._recorder.decide(Decision(now_us, actor, verdict, subject, details=details))


def _figures_of(option: ExpansionOption, plan: ScaleUpPlan) -> tuple[ExpanderFigure, ...]:
    """By which numbers the expanders that looked at the option judged it."""
    steps = plan.choice.steps if plan.choice else ()
    return tuple(
        ExpanderFigure(step.name.value, float(figure))
        for step in steps
        for given, figure in zip(step.given, step.figures, strict=True)
        if given is option and figure is not None
    )
