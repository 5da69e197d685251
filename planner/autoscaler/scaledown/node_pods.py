"""Which pods of a node would have to move, from the simulated state."""

from collections.abc import Sequence
from typing import cast

from planner.autoscaler.scaledown.budgets import BudgetTracker
from planner.autoscaler.scaledown.drain_rules.pod import MOVE, DrainContext, DrainOutcome, DrainPod
from planner.autoscaler.scaledown.drain_rules.registry import NodeDrain, drain_of_outcomes, drain_outcome
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.scaling import ControllerKind
from planner.state.specs import PodSpec

SYSTEM_NAMESPACE = "kube-system"
_Outcome = tuple[DrainOutcome, tuple[int, ...], bool]
"""What happens to a pod, the budgets that cover it, and whether that stays so."""
_Answer = tuple[tuple[int, ...], NodeDrain]
"""The pods of a node, and what removing it does to them."""


def drain_pod(cluster: Cluster, pod: int, budgets: tuple[int, ...] = ()) -> DrainPod:
    """The pod as the drain rules see it."""
    pods = cluster.pods
    spec = cluster.pod_specs[pods.spec[pod]]
    marks, deletion_us = spec.scaling, int(pods.deletion_us[pod])
    return DrainPod(
        controller=_controller(spec),
        controller_exists=marks.controller_exists,
        controller_replicas=int(cluster.workloads.desired[spec.workload]),
        safe_to_evict=marks.safe_to_evict,
        is_mirror=marks.is_mirror,
        is_terminal=marks.is_terminal,
        is_kube_system=spec.namespace == SYSTEM_NAMESPACE,
        created_us=int(pods.created_us[pod]),
        deletion_stamp_us=None if deletion_us == NONE else deletion_us + spec.running.grace_us,
        grace_us=spec.running.grace_us,
        budgets=budgets,
        local_volumes=marks.local_volumes,
        safe_local_volumes=marks.safe_local_volumes,
    )


def _controller(spec: PodSpec) -> ControllerKind:
    return ControllerKind.DAEMON_SET if spec.is_daemon else spec.scaling.controller


class NodePods:
    """Pods and drain verdict of nodes; kept until something about the node changes."""

    def __init__(self, cluster: Cluster, settings: ClusterAutoscalerSettings, budgets: BudgetTracker) -> None:
        self._cluster = cluster
        self._settings = settings
        self._budgets = budgets
        self._cursor = cluster.node_changes.cursor
        self._known: dict[int, _Answer] = {}
        self._has_expendable = False
        self._ordinary: dict[int, _Outcome] = {}

    def refresh(self) -> None:
        """Forget the nodes that changed; once per loop."""
        self._budgets.restart()
        cutoff = self._settings.expendable_pods_priority_cutoff
        self._has_expendable = any(spec.priority < cutoff for spec in self._cluster.pod_specs)
        changed = self._cluster.node_changes.since(self._cursor)
        self._cursor = self._cluster.node_changes.cursor
        if changed is None:
            self._known.clear()
            return
        for node in changed:
            self._known.pop(node, None)

    def drain(self, node: int, extra: Sequence[int], now_us: int) -> _Answer:
        """The node's pods in order of creation, `extra` ones last, and what removing the node does to them.

        Expendable pods are absent, as in the whole simulation.
        """
        known = self._known.get(node)
        if known is not None:
            longer = self._with_extra(known, extra) if extra else known
            if longer is not None:
                return longer
        pods = (*sorted(self._cluster.node_pods[node]), *extra)
        if self._has_expendable:
            pods = tuple(pod for pod in pods if not self._is_expendable(pod))
        if not extra and self._all_move(pods):
            answer = self._known[node] = pods, NodeDrain(tuple(range(len(pods))))
            return answer
        context = self._context(now_us)
        found = self._outcomes(pods, context)
        outcomes, budgets = [outcome for outcome, _, _ in found], [covering for _, covering, _ in found]
        keeps = not extra and all(is_lasting for _, _, is_lasting in found)
        answer = pods, drain_of_outcomes(outcomes, budgets, context.disruptions_allowed)
        if keeps:
            self._known[node] = answer
        return answer

    def _with_extra(self, known: _Answer, extra: Sequence[int]) -> _Answer | None:
        """The answer with more pods at the end of the list; None where one of them is out of the ordinary."""
        if self._has_expendable or not self._all_move(extra):
            return None
        pods, drain = known
        if drain.blocking is None:
            moving = (*drain.moving, *range(len(pods), len(pods) + len(extra)))
            drain = NodeDrain(moving, None, None, drain.waits_for_completion, drain.is_risky)
        return (*pods, *extra), drain

    def _all_move(self, pods: Sequence[int]) -> bool:
        """Whether nothing sets the pods apart from others of templates that are known to move, and that lasts."""
        table, rows, ordinary = self._cluster.pods, list(pods), self._ordinary
        if self._budgets.left or (table.deletion_us[rows] != NONE).any():
            return False
        known = [ordinary.get(shape) for shape in dict.fromkeys(table.spec[rows].tolist())]
        return all(outcome is not None and outcome[0] is MOVE for outcome in known)

    def _depends_on_more(self, view: DrainPod) -> bool:
        """On the clock, on the state of a budget, or on the size of a workload."""
        counts_replicas = self._settings.min_replica_count > 0
        return counts_replicas or view.is_kube_system or view.deletion_stamp_us is not None or bool(view.budgets)

    def _context(self, now_us: int) -> DrainContext:
        settings = self._settings
        return DrainContext(
            now_us,
            self._budgets.left,
            settings.skip_nodes_with_custom_controller_pods,
            settings.skip_nodes_with_system_pods,
            settings.skip_nodes_with_local_storage,
            settings.min_replica_count,
            settings.blocking_system_pod_distruption_timeout,
        )

    def _is_expendable(self, pod: int) -> bool:
        return bool(self._cluster.pods.priority[pod] < self._settings.expendable_pods_priority_cutoff)

    def _outcomes(self, pods: Sequence[int], context: DrainContext) -> list[_Outcome]:
        """The answer for each pod; at once for pods of known templates that nothing sets apart."""
        table, rows = self._cluster.pods, list(pods)
        if not self._budgets.left and (table.deletion_us[rows] == NONE).all():
            known = [self._ordinary.get(shape) for shape in table.spec[rows].tolist()]
            if None not in known:
                return cast(list[_Outcome], known)
        return [self._outcome(pod, context) for pod in pods]

    def _outcome(self, pod: int, context: DrainContext) -> _Outcome:
        """What happens to a pod, the budgets that cover it, and whether that stays so while its node does not change.

        Pods of a template are alike unless they are terminating or covered by a budget.
        """
        pods, budgets = self._cluster.pods, self._budgets.covering(pod)
        if budgets or pods.deletion_us[pod] != NONE:
            view = drain_pod(self._cluster, pod, budgets)
            return drain_outcome(view, context), budgets, False
        shape = int(pods.spec[pod])
        known = self._ordinary.get(shape)
        if known is None:
            view = drain_pod(self._cluster, pod)
            known = drain_outcome(view, context), budgets, not self._depends_on_more(view)
            if known[2]:
                self._ordinary[shape] = known
        return known
