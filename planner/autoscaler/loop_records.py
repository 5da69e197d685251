"""Writes the autoscaler's decisions to the recorder; repeats of a node's verdict are not written again."""

from collections.abc import Mapping, Sequence

import numpy as np

from planner.autoscaler.expander.option import ExpansionOption
from planner.autoscaler.scaledown.actuation import RemovalEnd
from planner.autoscaler.scaledown.planner import ScaleDownView
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.result import Refusal, ScaleUpPlan
from planner.autoscaler.snapshot import Snapshot
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.options import Option, options_text
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster
from planner.units import US_PER_S

MAX_TOTAL_REASON = "max total nodes in cluster reached"
_SILENT = (NodeVerdict.SIMULATE, NodeVerdict.RECENTLY_UNREMOVABLE, NodeVerdict.CURRENTLY_BEING_DELETED)


class LoopRecords:
    """Decisions of scale-up and scale-down in words and numbers."""

    def __init__(self, cluster: Cluster, recorder: Recorder) -> None:
        self._cluster = cluster
        self._recorder = recorder
        self._verdicts = np.full(0, NodeVerdict.SIMULATE, dtype=np.int8)

    def scale_up(self, plan: ScaleUpPlan, now_us: int) -> None:
        """One decision per group that grows."""
        figures = self._scores(plan)
        details = {
            "options": options_text(
                Option(option.group_id, option.node_count, option.pod_count, _scores_of(option, plan))
                for option in plan.options
            ),
            "expander": ", ".join(step.name for step in plan.choice.steps) if plan.choice else "",
        }
        for resize in plan.resizes:
            own = {
                "delta": float(resize.new_size - resize.old_size),
                "new_target": float(resize.new_size),
                "pods": float(len(plan.triggered)),
            }
            name = self._cluster.group_names[resize.group]
            self._add(now_us, Actor.SCALE_UP, Verdict.TRIGGERED, name, figures=own | figures, details=details)

    def _scores(self, plan: ScaleUpPlan) -> dict[str, float]:
        """The chosen option's figure of every expander that was asked."""
        chosen = plan.choice.chosen if plan.choice is not None else None
        return _scores_of(chosen, plan) if chosen is not None else {}

    def not_triggered(self, refusals: Sequence[Refusal], now_us: int) -> None:
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
                self._add(now_us, Actor.SCALE_UP, Verdict.NOT_TRIGGERED, name, refused=counts)

    def failed_scale_up(self, group: int, count: int, problem: str, now_us: int) -> None:
        """A request that the cloud refused, or whose nodes did not come in time."""
        name = self._cluster.group_names[group]
        figures, details = {"delta": float(count)}, {"reason": problem}
        self._add(now_us, Actor.SCALE_UP, Verdict.FAILED, name, figures=figures, details=details)

    def unregistered_removed(self, node: int, now_us: int) -> None:
        """An instance that never registered is given up."""
        name = self._cluster.node_name(node)
        self._add(now_us, Actor.SCALE_UP, Verdict.REMOVED, name, details={"reason": "DeleteUnregistered"})

    def node_verdicts(self, snapshot: Snapshot, view: ScaleDownView, now_us: int) -> None:
        """Verdicts on nodes that differ from those of the last loop."""
        rows = snapshot.rows
        missing = self._cluster.nodes.count - len(self._verdicts)
        if missing > 0:
            self._verdicts = np.concatenate([self._verdicts, np.full(missing, NodeVerdict.SIMULATE, dtype=np.int8)])
        loud = ~np.isin(view.verdicts, _SILENT)
        for position in np.flatnonzero((view.verdicts != self._verdicts[rows]) & loud).tolist():
            node = int(rows[position])
            before, verdict = NodeVerdict(self._verdicts[node]), NodeVerdict(view.verdicts[position])
            self._verdicts[node] = verdict
            self._node_verdict(node, before, verdict, view, float(view.utilization.value[position]), now_us)

    def _node_verdict(
        self, node: int, before: NodeVerdict, verdict: NodeVerdict, view: ScaleDownView, utilization: float, now_us: int
    ) -> None:
        name, figures = self._cluster.node_name(node), {"utilization": utilization}
        if verdict is NodeVerdict.UNNEEDED:
            self._add(now_us, Actor.SCALE_DOWN, Verdict.UNNEEDED, name, figures=figures)
            return
        reason = verdict.text
        if verdict is NodeVerdict.NOT_CANDIDATE:
            reason = NodeVerdict.NODE_GROUP_MIN_SIZE_REACHED.text
        if node in view.blocked:
            reason = f"{reason}: {view.blocked[node][1].text}"
        word = Verdict.NEEDED_AGAIN if before is NodeVerdict.UNNEEDED else Verdict.UNREMOVABLE
        self._add(now_us, Actor.SCALE_DOWN, word, name, figures=figures, details={"reason": reason})

    def removing(self, nodes: Mapping[int, int], drained: Sequence[int], now_us: int) -> None:
        """Removals that start; `nodes` says since when each was unneeded."""
        for node, since_us in nodes.items():
            figures = {"unneeded_s": (now_us - since_us) / US_PER_S}
            details = {"how": "drain" if node in drained else "empty"}
            name = self._cluster.node_name(node)
            self._add(now_us, Actor.SCALE_DOWN, Verdict.REMOVING, name, figures=figures, details=details)
            self._verdicts[node] = NodeVerdict.CURRENTLY_BEING_DELETED

    def ended(self, ends: Sequence[RemovalEnd], now_us: int) -> None:
        """Removals that reached the cloud, or failed."""
        for end in ends:
            name = self._cluster.node_name(end.node)
            if end.failure:
                self._add(now_us, Actor.SCALE_DOWN, Verdict.FAILED, name, details={"reason": end.failure})
            else:
                details = {"how": "drain" if end.is_drain else "empty"}
                self._add(now_us, Actor.SCALE_DOWN, Verdict.REMOVED, name, details=details)

    def _add(
        self,
        now_us: int,
        actor: Actor,
        verdict: Verdict,
        subject: str,
        *,
        refused: Mapping[str, int] | None = None,
        figures: Mapping[str, float] | None = None,
        details: Mapping[str, str] | None = None,
    ) -> None:
        self._recorder.decide(
            Decision(
                now_us, actor, verdict, subject, refused=refused or {}, figures=figures or {}, details=details or {}
            )
        )


def _scores_of(option: ExpansionOption, plan: ScaleUpPlan) -> dict[str, float]:
    """The option's figure of every expander that was asked about it."""
    steps = plan.choice.steps if plan.choice else ()
    return {
        step.name.value: figure
        for step in steps
        for given, figure in zip(step.given, step.figures, strict=True)
        if given is option and figure is not None
    }
