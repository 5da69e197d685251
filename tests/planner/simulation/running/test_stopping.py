"""A run may be stopped anywhere, also while its plan is checked and compiled, and within one instant."""

import gc

import pytest

from planner import api
from planner.engine.loop import CHECK_EVERY, EventLoop
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.errors import RunStopped
from planner.plan.checks.validate import checks
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.folder import write_all
from planner.reports.summary import summary_text
from planner.simulation import run as simulation_run
from planner.simulation.simulation import Simulation
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload

WORKLOADS = 60


class Stop:
    """Says stop from the given question on, and counts the questions."""

    def __init__(self, at=10**9):
        self.at, self.asked = at, 0

    def __call__(self):
        self.asked += 1
        return self.asked > self.at


def many_workloads():
    return a_plan(
        node_groups=(a_node_group(initial_size=4, max_size=4),),
        workloads=tuple(a_workload(name=f"w-{at}", replicas=2) for at in range(WORKLOADS)),
    )


def questions(step, plan):
    stop = Stop()
    step(plan, stop)
    return stop.asked


def checked(plan, stop):
    api.check_before_run(plan, cancelled=stop)


def compiled(plan, stop):
    Simulation(plan, 1, cancelled=stop)


def started(plan, stop):
    Simulation(plan, 1, cancelled=stop).start()


@pytest.mark.parametrize("step", [checked, compiled, started])
def test_the_question_comes_at_least_once_a_workload(step):
    assert questions(step, many_workloads()) >= WORKLOADS


def test_a_plan_is_checked_in_small_steps_that_find_the_same_problems():
    plan = many_workloads().model_copy(update={"workloads": (a_workload(name="twice"), a_workload(name="twice"))})
    assert len(list(checks(many_workloads()))) > WORKLOADS
    with pytest.raises(Exception, match="twice"):
        api.check_before_run(plan, cancelled=lambda: False)


def test_wherever_a_run_is_stopped_it_ends_with_what_it_has():
    plan, whole = many_workloads(), Stop()
    api.run_plan(plan, until_us=US_PER_MIN, cancelled=whole)
    checks_only, before_start = questions(checked, plan), questions(checked, plan) + questions(compiled, plan)
    for at in (0, checks_only // 2, checks_only + 3, before_start - 1, before_start + 20, whole.asked - 2):
        result = api.run_plan(plan, until_us=US_PER_MIN, cancelled=Stop(at))
        assert result.stopped is not None and result.stopped.cancelled, at
        assert len(result.time_us) == result.series.rows
        assert bool(result.pods) == (at > before_start), at


def test_a_run_stopped_before_its_start_has_a_result_that_can_be_written(tmp_path):
    result = api.run_plan(many_workloads(), cancelled=Stop(0))
    assert result.until_us == 0 and len(result.digest()) == 64
    assert "Stopped early: " in summary_text(result, LatencyBounds({}, result.until_us))
    assert len(write_all(result, tmp_path)) == len(list(tmp_path.iterdir()))


def test_garbage_is_collected_again_after_a_stop_while_compiling():
    simulation_run.run_plan(many_workloads(), cancelled=Stop(5))
    assert gc.isenabled()


def test_a_search_for_headroom_can_be_stopped_while_its_plan_is_checked():
    found = api.load_headroom(many_workloads(), cancelled=Stop(3))
    assert found.stopped is not None and found.runs == 0


def test_many_events_of_one_instant_are_not_handled_in_one_go():
    queue, handled = EventQueue(), []
    for number in range(5 * CHECK_EVERY):
        queue.push(0, Phase.POD_READY, number)
    loop = EventLoop(queue, {int: handled.append}, lambda: None)
    with pytest.raises(RunStopped):
        loop.run_until(0, cancelled=Stop(2))
    assert len(handled) == loop.event_count == 3 * CHECK_EVERY


def test_autoscalers_of_one_sync_are_not_evaluated_in_one_go():
    metrics = (HpaMetric(average_utilization=50),)
    hpas = tuple(
        HorizontalPodAutoscaler(name=item.name, scale_target=item.name, max_replicas=9, metrics=metrics)
        for item in many_workloads().workloads
    )
    plan = many_workloads().model_copy(update={"horizontal_pod_autoscalers": hpas})
    stop = Stop()
    sim = Simulation(plan, 1, cancelled=stop)
    before = stop.asked
    sim.hpa.sync(sim.events.now_us)
    assert stop.asked - before >= 2
