"""Which pods of a node would have to move, from the simulated state."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.drain.budgets import BudgetTracker
from planner.autoscaler.scaledown.drain.rules.pod import MOVE, DrainContext, DrainOutcome, DrainPod
from planner.autoscaler.scaledown.drain.rules.registry import NodeDrain, drain_of_outcomes, drain_outcome
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.scaling import ControllerKind
from planner.state.specs import PodSpec

SYSTEM_NAMESPACE = "kube-system"
_Outcome = tuple[DrainOutcome, tuple[int, ...], bool]
"""What happens to a pod, the budgets that cover it, and whether that stays so."""


class Residents(NamedTuple):
    """The pods of a node, and what removing it does to them."""

    pods: tuple[int, ...]
    drain: NodeDrain
    templates: list[int] | None = None
    """Of the pods that move, where they all do; None: not known."""


class PodsNow(NamedTuple):
    """The pods of a node whose removal begins."""

    evicted: tuple[int, ...]
    """All that do not belong to the node, also those that the simulation did not move: a drain ends when they are
    gone."""
    is_filled: bool
    """Some would have to move, or the removal to wait for them."""
    is_kept: bool
    """One keeps the node."""


def _belongs_to_node(cluster: Cluster, pod: int) -> bool:
    """Those of DaemonSets, and static ones."""
    spec = cluster.pod_specs[cluster.pods.spec[pod]]
    return spec.scaling.is_mirror or _controller(spec) is ControllerKind.DAEMON_SET


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
        self._known: dict[int, Residents] = {}
        self.has_expendable = False
        """Some templates have a priority so low that their pods count as absent."""
        self._ordinary: dict[int, _Outcome] = {}
        self._moves: dict[int, None] = {}
        """Templates whose pods move, unless one is out of the ordinary."""

    def refresh(self) -> None:
        """Forget the nodes that changed; once per loop."""
        self._budgets.restart()
        cutoff = self._settings.expendable_pods_priority_cutoff
        self.has_expendable = any(spec.priority < cutoff for spec in self._cluster.pod_specs)
        changed = self._cluster.node_changes.since(self._cursor)
        self._cursor = self._cluster.node_changes.cursor
        if changed is None:
            self._known.clear()
            return
        for node in changed:
            self._known.pop(node, None)

    def are_known(self, nodes: NDArray[np.int64]) -> bool:
        """Whether what removing each of the nodes does to its pods is known, and stays so while they do not change."""
        return all(map(self._known.__contains__, nodes.tolist()))

    def now(self, node: int, now_us: int) -> PodsNow:
        """A node at this moment."""
        pods, drain, _ = self.drain(node, (), now_us)
        evicted = tuple(pod for pod in pods if not _belongs_to_node(self._cluster, pod))
        return PodsNow(evicted, bool(drain.moving) or drain.waits_for_completion, drain.blocking is not None)

    def drain(self, node: int, extra: Sequence[int], now_us: int) -> Residents:
        """The node's pods in order of creation, `extra` ones last, and what removing the node does to them.

        Expendable pods are absent, as in the whole simulation.
        """
        known = self._known.get(node)
        if known is not None:
            longer = self._with_extra(known, extra) if extra else known
            if longer is not None:
                return longer
        pods = (*sorted(self._cluster.node_pods[node]), *extra)
        if self.has_expendable:
            pods = tuple(pod for pod in pods if not self._is_expendable(pod))
        templates = None if extra else self._templates_that_move(pods)
        if templates is not None:
            answer = self._known[node] = Residents(pods, NodeDrain(tuple(range(len(pods)))), templates)
            return answer
        context = self._context(now_us)
        found = self._outcomes(pods, context)
        outcomes, budgets = [outcome for outcome, _, _ in found], [covering for _, covering, _ in found]
        keeps = not extra and all(is_lasting for _, _, is_lasting in found)
        answer = Residents(pods, drain_of_outcomes(outcomes, budgets, context.disruptions_allowed))
        if keeps:
            self._known[node] = answer
        return answer

    def _with_extra(self, known: Residents, extra: Sequence[int]) -> Residents | None:
        """The answer with more pods at the end of the list; None where one of them is out of the ordinary."""
        more = None if self.has_expendable else self._templates_that_move(extra)
        if more is None:
            return None
        pods, drain, templates = known
        if drain.blocking is None:
            moving = (*drain.moving, *range(len(pods), len(pods) + len(extra)))
            drain = NodeDrain(moving, None, None, drain.waits_for_completion, drain.is_risky)
        return Residents((*pods, *extra), drain, None if templates is None else templates + more)

    def _templates_that_move(self, pods: Sequence[int]) -> list[int] | None:
        """The template of each pod, if each is of a template whose pods move and nothing sets it apart, which lasts."""
        table, moves = self._cluster.pods, self._moves
        template, deletion_us = table.spec.item, table.deletion_us.item
        if self._budgets.left or any(deletion_us(pod) != NONE for pod in pods):
            return None
        templates: list[int] = [template(pod) for pod in pods]
        return templates if all(map(moves.__contains__, templates)) else None

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
                if known[0] is MOVE:
                    self._moves[shape] = None
        return known
