"""The eviction API of a run: checks the budgets that cover a pod, then deletes it or records the refusal."""

from collections.abc import Callable, Sequence

from planner.plan.model.budgets import PodDisruptionBudget
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import EvictionRefused
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.workloads.controllers.pod_lifecycle import PodLifecycle
from planner.workloads.disruption.budgets import BudgetStatus, EvictionAnswer, EvictionCode, answer_eviction
from planner.workloads.disruption.disruption_controller import CompiledBudget, DisruptionController

_RUNNING = int(PodPhase.RUNNING)  # looking up a member of an enum costs a call in Python 3.11


class EvictionApi:
    """Evicts pods as budgets allow. The status of a budget is that of this moment."""

    def __init__(
        self,
        cluster: Cluster,
        lifecycle: PodLifecycle,
        budgets: Sequence[PodDisruptionBudget],
        decide: Callable[[Decision], None],
        without_scale: Callable[[int], bool],
    ) -> None:
        """`without_scale`: whether a workload row is of a kind that has no desired scale (DaemonSet, Job)."""
        self._cluster = cluster
        self._lifecycle = lifecycle
        self._decide = decide
        self._controller = DisruptionController(cluster, budgets, without_scale)

    @property
    def budgets(self) -> list[CompiledBudget]:
        """All budgets, in the order of the plan."""
        return self._controller.budgets

    def covering(self, pod: int) -> tuple[int, ...]:
        """Numbers of the budgets that select a pod."""
        return self._controller.covering(pod)

    def allowed(self) -> list[int]:
        """Disruptions that each budget allows now."""
        return [self.status(compiled).disruptions_allowed for compiled in self.budgets]

    def status(self, compiled: CompiledBudget) -> BudgetStatus:
        """A budget as the disruption controller sees it now."""
        return self._controller.status(compiled.number)

    def dry_run(self, pod: int) -> EvictionAnswer:
        """What the API would answer now; nothing changes."""
        pods = self._cluster.pods
        past = pods.phase.item(pod) != _RUNNING or pods.deletion_us.item(pod) != NONE
        covering = [self.budgets[number] for number in self.covering(pod)]
        states = [(one.rule, self.status(one)) for one in covering]
        return answer_eviction(past, bool(pods.ready[pod]), states)

    def evict(self, pod: int, by: str, grace_cap_us: int | None = None) -> EvictionAnswer:
        """Delete the pod if the budgets allow it. `by`: the caller, for the record."""
        answer = self.dry_run(pod)
        if answer.allowed:
            if answer.budget is not None:
                self._controller.on_eviction(self.covering(pod)[answer.budget], pod)
            self._lifecycle.delete(pod, EndReason.EVICTED, grace_cap_us)
        else:
            self._record_refusal(pod, answer, by)
        return answer

    def _record_refusal(self, pod: int, answer: EvictionAnswer, by: str) -> None:
        cluster = self._cluster
        covering = [self.budgets[number] for number in self.covering(pod)]
        if answer.code is EvictionCode.SEVERAL_BUDGETS:
            details = EvictionRefused(int(answer.code), by, reason="more than one disruption budget covers the pod")
        else:
            status, name = self.status(covering[0]), covering[0].budget.name
            details = EvictionRefused(int(answer.code), by, name, status.current_healthy, status.desired_healthy)
        name, on = cluster.pod_name(pod), cluster.node_name(int(cluster.pods.node[pod]))
        self._decide(Decision(cluster.clock.now_us, Actor.EVICTION, Verdict.REFUSED, name, on, details))
