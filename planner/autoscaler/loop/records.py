"""Records the autoscaler's decisions; those that only repeat the last loop are not written again."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby, starmap
from operator import itemgetter

import numpy as np

from planner.autoscaler.expander.option import ExpansionOption
from planner.autoscaler.scaledown.actuation import RemovalEnd
from planner.autoscaler.scaledown.eligibility import ScaleDownView
from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.autoscaler.scaleup.result import NoScaleUpInfo, ScaleUpPlan
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import (
    ExpanderFigure,
    Expendable,
    GroupProblem,
    NodeGroupDetails,
    NodeRemoval,
    NodeReview,
    NoScaleUp,
    PodMove,
    RejectedGroup,
    RemovalFailed,
    ScaleUp,
    ScaleUpEvent,
    TieBreak,
    WeighedOption,
)
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster
from planner.units import US_PER_S

MAX_TOTAL_REASON = "max total nodes in cluster reached"
CLUSTER = "cluster"
"""Subject of what concerns no single group."""
MOST_NAMED_PODS = 10
"""A scale-up names so many of the pods that it is for; the others are counted."""
_SILENT = (NodeVerdict.SIMULATE, NodeVerdict.RECENTLY_UNREMOVABLE, NodeVerdict.CURRENTLY_BEING_DELETED)
_IS_LOUD = np.array([verdict not in _SILENT for verdict in NodeVerdict], dtype=np.bool_)
"""By verdict code: whether it is recorded."""
_AT_MINIMUM = NodeVerdict.NODE_GROUP_MIN_SIZE_REACHED
_REASONS = tuple((_AT_MINIMUM if each is NodeVerdict.NOT_CANDIDATE else each).text for each in NodeVerdict)
"""By verdict code: why a node stays."""


class LoopRecords:
    """The decisions of scale-up and scale-down with what led to them."""

    def __init__(self, cluster: Cluster, recorder: Recorder) -> None:
        self._cluster = cluster
        self._recorder = recorder
        self._verdicts = np.full(0, NodeVerdict.SIMULATE, dtype=np.int8)
        self._blocked: dict[int, tuple[int, BlockingReason]] = {}
        """By node the pod that keeps it and the rule, as last recorded."""
        self._refused: dict[int, str] = {}
        """Names of the pods that no group could grow for in the last loop: mostly the same pods again."""
        self._findings: dict[tuple[object, ...], NoScaleUp] = {}
        """What was found of them: told by the same object, a repeat is only counted."""

    # -- scale-up -----------------------------------------------------------------------------

    def scale_up(self, plan: ScaleUpPlan, now_us: int) -> None:
        """One decision per group that grows."""
        options, names = _weighed(plan), self._cluster.group_names
        choice = plan.choice
        tied = tuple(each.group_id for each in choice.finalists) if choice and len(choice.finalists) > 1 else ()
        tie_break = (TieBreak.DRAWN if choice.is_drawn else TieBreak.NAME) if choice and tied else None
        rejected = tuple(RejectedGroup(names[group], ", ".join(why)) for group, why in plan.rejected.items())
        triggers = tuple(map(self._cluster.pod_name, plan.triggered[:MOST_NAMED_PODS]))
        expanders = tuple(step.name.value for step in plan.choice.steps) if plan.choice else ()
        chosen = plan.choice.chosen if plan.choice else None
        figures = () if chosen is None else _figures_of(chosen, plan)
        for resize in plan.resizes:
            added, pods = resize.new_size - resize.old_size, len(plan.triggered)
            details = ScaleUp(
                added, resize.new_size, pods, expanders, figures, options, triggers, tied, tie_break, rejected
            )
            name = self._cluster.group_names[resize.group]
            self._add(now_us, Actor.SCALE_UP, Verdict.TRIGGERED, name, details)

    def not_triggered(self, refusals: Sequence[NoScaleUpInfo], now_us: int) -> None:
        """One decision per pod for which no group can grow, with the number of groups by reason."""
        before, names, findings = self._refused, dict[int, str](), dict[tuple[object, ...], NoScaleUp]()
        pod_name = self._cluster.pod_name
        for refusal in refusals:
            details = self._finding(refusal, findings)
            for pod in refusal.pods:
                names[pod] = before.get(pod) or pod_name(pod)
            found = [(names[pod], details) for pod in refusal.pods]
            self._recorder.find(now_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, found)
        self._refused, self._findings = names, findings

    def _finding(self, refusal: NoScaleUpInfo, findings: dict[tuple[object, ...], NoScaleUp]) -> NoScaleUp:
        counts: dict[str, int] = {}
        for reasons in (*refusal.rejected.values(), *refusal.skipped.values()):
            for reason in reasons:
                counts[reason] = counts.get(reason, 0) + 1
        if not counts:  # no group was looked at
            counts[MAX_TOTAL_REASON] = self._cluster.groups.count
        details = NoScaleUp(counts, self._refusals_by_group(refusal))
        key = (*counts.items(), details.groups)
        return findings.setdefault(key, self._findings.get(key, details))

    def _refusals_by_group(self, refusal: NoScaleUpInfo) -> tuple[RejectedGroup, ...]:
        reasons, names = {**refusal.rejected, **refusal.skipped}, self._cluster.group_names
        return tuple(RejectedGroup(names[group], ", ".join(reasons[group])) for group in sorted(reasons))

    def expendable(self, pods: Sequence[int], cutoff: int, now_us: int) -> None:
        """Pods that wait and cause no scale-up because of their priority."""
        for pod in pods:
            details = Expendable(int(self._cluster.pods.priority[pod]), cutoff)
            self._add(now_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, self._cluster.pod_name(pod), details)

    def group_event(self, event: ScaleUpEvent, group: int, count: int, now_us: int, cloud: str = "") -> None:
        """Something went wrong with `count` nodes of a group; `cloud`: what the cloud said."""
        name = self._cluster.group_names[group]
        self._add(now_us, Actor.SCALE_UP, Verdict.FAILED, name, GroupProblem(event, count, cloud))

    def cluster_event(self, event: ScaleUpEvent, now_us: int) -> None:
        """Something that keeps the whole cluster from growing."""
        self._add(now_us, Actor.SCALE_UP, Verdict.FAILED, CLUSTER, GroupProblem(event))

    def unregistered_removed(self, node: int, in_backoff: bool, now_us: int) -> None:
        """An instance that never registered is given up; whether its group is left alone now."""
        details = GroupProblem(ScaleUpEvent.DELETE_UNREGISTERED, in_backoff=in_backoff)
        self._add(now_us, Actor.SCALE_UP, Verdict.REMOVED, self._cluster.node_name(node), details)

    # -- scale-down ---------------------------------------------------------------------------

    def node_verdicts(self, snapshot: Snapshot, view: ScaleDownView, now_us: int) -> None:
        """Verdicts on nodes that differ from those of the last loop, in the pod that keeps a node too."""
        rows = snapshot.rows
        missing = self._cluster.nodes.count - len(self._verdicts)
        if missing > 0:
            self._verdicts = np.concatenate([self._verdicts, np.full(missing, NodeVerdict.SIMULATE, dtype=np.int8)])
        loud = _IS_LOUD[view.verdicts]
        differs = view.verdicts != self._verdicts[rows]
        if view.blocked:
            others = [node for node, pod in view.blocked.items() if self._blocked.get(node) != pod]
            self._blocked |= view.blocked
            differs |= np.isin(rows, others)
        changed = np.flatnonzero(differs & loud)
        nodes, codes = rows[changed], view.verdicts[changed]
        before = self._verdicts[nodes] == NodeVerdict.UNNEEDED
        self._verdicts[nodes] = codes
        used, thresholds = view.utilization.value[changed].tolist(), view.thresholds[changed].tolist()
        reviews = zip(nodes.tolist(), codes.tolist(), before.tolist(), used, thresholds, strict=True)
        for word, run in groupby(starmap(partial(self._review, view), reviews), key=itemgetter(0)):
            self._recorder.find(now_us, Actor.SCALE_DOWN, word, [(name, details) for _, name, details in run])

    def _review(
        self, view: ScaleDownView, node: int, code: int, was_unneeded: bool, used: float, threshold: float
    ) -> tuple[Verdict, str, NodeReview]:
        name = self._cluster.node_name(node)
        if code == NodeVerdict.UNNEEDED:
            return Verdict.UNNEEDED, name, NodeReview(used, threshold, wait_s=view.wait_us.get(node, 0) / US_PER_S)
        details = NodeReview(used, threshold, reason=_REASONS[code])
        if node in view.blocked:
            pod, reason = view.blocked[node]
            details = details._replace(pod=self._cluster.pod_name(pod), pod_reason=reason.text)
        return Verdict.NEEDED_AGAIN if was_unneeded else Verdict.UNREMOVABLE, name, details

    def removing(self, nodes: Mapping[int, int], moves: Mapping[int, Mapping[int, int | None]], now_us: int) -> None:
        """Removals that start. `nodes`: since when each was unneeded; `moves`: where pods of drained ones may go."""
        cluster = self._cluster
        for node, since_us in nodes.items():
            pods = tuple(
                PodMove(cluster.pod_name(pod), "" if to is None else cluster.node_name(to))
                for pod, to in moves.get(node, {}).items()
            )
            details = NodeRemoval(node in moves, (now_us - since_us) / US_PER_S, pods)
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


def _weighed(plan: ScaleUpPlan) -> tuple[WeighedOption, ...]:
    """The options with their figures and places."""
    ranks = plan.choice.ranks(plan.options) if plan.choice else [0] * len(plan.options)
    return tuple(
        WeighedOption(
            each.group_id,
            each.node_count,
            each.pod_count,
            _figures_of(each, plan),
            rank,
            None if each.node_price is None else each.node_price * each.node_count,
        )
        for each, rank in zip(plan.options, ranks, strict=True)
    )


def _figures_of(option: ExpansionOption, plan: ScaleUpPlan) -> tuple[ExpanderFigure, ...]:
    """By which numbers the expanders that looked at the option judged it."""
    steps = plan.choice.steps if plan.choice else ()
    return tuple(
        ExpanderFigure(step.name.value, float(figure))
        for step in steps
        for given, figure in zip(step.given, step.figures, strict=True)
        if given is option and figure is not None
    )
