"""CPU follows the work done: what pods use is their idle use and the requests that they served, whatever happens."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.loop import EventLoop
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_nodes import NodeLoss
from planner.plan.model.events.on_workloads import ReadinessFlap, SetReplicas
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.serving import Balancer, Call, Discipline, Retries, WarmUp
from planner.plan.model.traffic import PointsLoad, Traffic
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload
from tests.planner.workloads.load.test_load_runs import limited


def _seconds(count: int) -> int:
    return count * US_PER_S


MINUTES = 6
LOADS = st.lists(st.floats(0, 60), min_size=3, max_size=6)
DEMANDS = st.builds(
    Demand,
    cpu_seconds_per_request=st.sampled_from([0.02, 0.1, 1.0]),
    idle_cpu=st.sampled_from([0, 10]),
    workers=st.sampled_from([None, 1, 3]),
    queue_limit=st.sampled_from([None, None, 0, 5, 300]),
    timeout=st.sampled_from([0, 0, 20 * US_PER_S]),
    discipline=st.sampled_from(list(Discipline)),
    balancer=st.sampled_from(list(Balancer)),
    retries=st.sampled_from([Retries(), Retries(attempts=2, back_off=7 * US_PER_S)]),
    warm_up=st.sampled_from([WarmUp(), WarmUp(), WarmUp(duration="40s", slow_down=2.0)]),
)
EVENTS = st.lists(
    st.one_of(
        st.builds(
            SetReplicas, type=st.just("setReplicas"), at=st.integers(1, 300).map(_seconds),
            workload=st.sampled_from(["front", "back"]), replicas=st.integers(0, 6),
        ),
        st.builds(
            ReadinessFlap, type=st.just("readinessFlap"), at=st.integers(1, 300).map(_seconds),
            duration=st.just("45s"), workload=st.sampled_from(["front", "back"]), count=st.integers(1, 2),
        ),
        st.builds(NodeLoss, type=st.just("nodeLoss"), at=st.integers(1, 300).map(_seconds), nodeGroup=st.just("pool")),
    ),
    max_size=5,
)  # fmt: skip


@settings(max_examples=8, deadline=None)
@given(LOADS, DEMANDS, EVENTS, st.sampled_from(["100m", "1", None]), st.sampled_from(["2", "16"]))
def test_cpu_time_is_that_of_the_requests_served_and_of_idle_pods(rates, demand, events, limit, node_cpu):
    points = [{"at": number * 60 * US_PER_S, "rate": rate} for number, rate in enumerate(rates)]
    pod = limited(limit) if limit else a_pod("200m", "256Mi")
    front = a_workload(
        "front", pod=pod, demand=demand, traffic=Traffic(profile=PointsLoad(type="points", points=points)),
        calls=(Call(workload="back"),),
    )  # fmt: skip
    plan = a_plan(
        workloads=(front, a_workload("back", pod=pod, demand=demand)),
        node_groups=(a_node_group(cpu=node_cpu, memory="64Gi", initial_size=2, max_size=3),),
        events=events,
        simulation=SimulationSettings(duration=MINUTES * US_PER_MIN, record_interval=20 * US_PER_S),
    )
    run = _Run(plan)
    most = demand.warm_up.slow_down
    for row in range(2):
        work = run.served[row] * demand.cpu_seconds_per_request
        spent = run.used_s[row] - run.idle_s[row]
        assert work * (1 - 1e-6) - 1e-6 <= spent <= work * most * (1 + 1e-6) + 1e-6
    if limit:
        assert run.highest_milli <= {"100m": 100, "1": 1000}[limit]


class _Run:
    """A run, its requests and CPU seconds by workload row, and the highest use of a pod."""

    def __init__(self, plan: Plan) -> None:
        self.served, self.used_s, self.idle_s, self.highest_milli = np.zeros(2), np.zeros(2), np.zeros(2), 0
        self.sim = Simulation(plan, 1)
        model, record = self.sim.load_model, self.sim.load_record
        add, look, refresh = record.add_steps, model.mean_use, model._used.refresh
        self._seen_us = self._idle_us = 0
        self._idle = np.zeros(2)

        def add_steps(rows, start_us, length_us, steps):
            self.served[rows] += steps.served
            add(rows, start_us, length_us, steps)

        def mean_use():
            found, now_us = look(), self.sim.events.now_us
            self.used_s += found.by_workload * (now_us - self._seen_us) / 1e9
            self._seen_us = now_us
            self.highest_milli = max(self.highest_milli, *model.usage_milli.tolist(), 0)
            return found

        def count_idle(of_kind, members, of_member):
            now_us = self.sim.events.now_us
            self.idle_s += self._idle * (now_us - self._idle_us) / 1e9
            self._idle_us = now_us
            refresh(of_kind, members, of_member)
            pods = model._pods
            besides = of_kind.besides[pods.kind]
            besides[members] = of_member.besides
            self._idle = np.bincount(pods.kinds.workload[pods.kind], besides, minlength=2).astype(float)

        for thing, name, wrapped in (
            (model, "_on_steps", add_steps),
            (model, "mean_use", mean_use),
            (model._used, "refresh", count_idle),
        ):
            setattr(thing, name, wrapped)
        self.sim.start()
        end_us = plan.simulation.duration
        EventLoop(self.sim.events, handlers(self.sim), self.sim.settle).run_until(end_us, lambda: False)
        self.idle_s += self._idle * (self._seen_us - self._idle_us) / 1e9
