"""Whatever happens to a cluster: budgets hold against voluntary disruption, pods are conserved and replaced."""

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.engine.loop import EventLoop
from planner.plan.model.plan import Plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.state.invariants import broken_invariants
from planner.state.pods import PodPhase
from planner.units import US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload

TIMES = st.integers(10, 500).map(lambda second: f"{second}s")
LENGTHS = st.sampled_from(["0s", "20s", "2m"])
GROUPS = st.sampled_from(["a", "b"])
PORTIONS = st.sampled_from([0, 1, 2, "20%", "50%"])
NOEXECUTE = {"key": "maintenance", "effect": "NoExecute"}

EVENTS = st.one_of(
    st.fixed_dictionaries({"type": st.just("nodeLoss"), "nodeGroup": GROUPS, "at": TIMES, "duration": LENGTHS,
                           "count": st.integers(1, 3), "nodeRemovedAfter": LENGTHS}),
    st.fixed_dictionaries({"type": st.just("zoneOutage"), "zone": GROUPS, "at": TIMES, "duration": LENGTHS}),
    st.fixed_dictionaries({"type": st.just("spotReclaim"), "nodeGroup": GROUPS, "at": TIMES, "notice": LENGTHS}),
    st.fixed_dictionaries({"type": st.just("drain"), "nodeGroup": GROUPS, "at": TIMES, "count": st.integers(1, 3),
                           "uncordonAfter": st.just("10s"), "timeout": LENGTHS}),
    st.fixed_dictionaries({"type": st.just("nodeUpgrade"), "nodeGroup": GROUPS, "at": TIMES,
                           "maxUnavailable": st.integers(0, 2), "drainTimeout": st.just("2m")}),
    st.fixed_dictionaries({"type": st.just("taint"), "nodeGroup": GROUPS, "at": TIMES, "duration": st.just("30s"),
                           "taint": st.just(NOEXECUTE)}),
    st.fixed_dictionaries({"type": st.just("rollout"), "workload": st.sampled_from(["web", "db"]), "at": TIMES}),
    st.fixed_dictionaries({"type": st.just("readinessFlap"), "workload": st.sampled_from(["web", "db"]), "at": TIMES,
                           "count": st.integers(1, 4)}),
)  # fmt: skip


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Two pools in two zones, a Deployment and a StatefulSet with budgets, up to four events."""
    budget: dict[str, Any] = {"selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": draw(PORTIONS)}
    other: dict[str, Any] = {"selector": {"matchLabels": {"app": "db"}}, "minAvailable": draw(PORTIONS)}
    strategy = draw(st.sampled_from([{}, {"type": "Recreate"}, {"maxSurge": 0, "maxUnavailable": 1, "minReady": "5s"}]))
    memory = draw(st.sampled_from([{}, {"memoryUse": {"start": "1Gi", "growthPerHour": "100Gi"}}]))
    return a_plan(
        simulation={"duration": "30m", "seed": draw(st.integers(1, 9))},
        nodeGroups=[a_group("a", 3, zone="a", memory="8Gi"), a_group("b", 3, zone="b", memory="8Gi")],
        workloads=[a_workload("web", 6, updateStrategy=strategy, **memory), a_workload("db", 3, kind="StatefulSet")],
        podDisruptionBudgets=[{"name": "web", **budget}, {"name": "db", **other}],
        events=draw(st.lists(EVENTS, max_size=4)),
    )


class Watched(Simulation):
    """A run that checks itself whenever it is quiet, and after every eviction that the API accepted."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, plan.simulation.seed)
        self.broken: list[str] = []
        evict = self.evictions.evict

        def watched(pod: int, by: str, grace_cap_us: int | None = None) -> Any:
            was_ready = bool(self.cluster.pods.ready[pod])
            answer = evict(pod, by, grace_cap_us)
            for number in self.evictions.covering(pod) if answer.allowed and was_ready else ():
                status = self.evictions.status(self.evictions.budgets[number])
                if status.current_healthy < status.desired_healthy:
                    self.broken.append(f"{self.cluster.pod_name(pod)} was evicted: {status}")
            return answer

        self.evictions.evict = watched  # type: ignore[method-assign]

    def settle(self) -> None:
        """Settle, then look whether all pods are accounted for."""
        super().settle()
        self.broken += broken_invariants(self.cluster)
        phases = np.bincount(self.cluster.pods.phase, minlength=3)
        if int(self.cluster.workloads.created.sum()) != int(phases.sum()) == self.cluster.pods.count:
            self.broken.append(f"created {self.cluster.workloads.created}, in phases {phases}")
        for row in range(self.cluster.workloads.count):
            desired, active = int(self.cluster.workloads.desired[row]), int(self.cluster.workloads.active[row])
            if row == 0 and active != desired and not self.keepers.rollouts.is_rolling(row):
                self.broken.append(f"workload {row} has {active} of {desired} pods")


def run(plan: Plan) -> Watched:
    sim = Watched(plan)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(1_200 * US_PER_S)
    return sim


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(plans())
def test_budgets_hold_and_pods_are_conserved_and_replaced_at_every_instant(plan: Plan) -> None:
    sim = run(plan)
    assert sim.broken == []
    running = sim.cluster.pods.phase == PodPhase.RUNNING
    assert not sim.cluster.pods.ready[~running].any()


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(plans())
def test_events_do_not_make_a_run_depend_on_more_than_plan_and_seed(plan: Plan) -> None:
    one, other = run(plan), run(plan)
    assert one.recorder.decisions == other.recorder.decisions
