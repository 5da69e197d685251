"""The thread of a run: what arrives, when it waits, how it ends; and that none of it changes the run."""

import subprocess
import sys
import threading
import time

import pytest
from PySide6.QtCore import QTimer

from planner import api
from planner.errors import PlanProblem, PlanProblems, RunStopped
from planner.simulation import run as simulation_run
from tests.builders import a_node_group, a_plan, a_workload
from tests.ui.runs.conftest import FLASH_SALE
from ui.runs.failure import RunFailure
from ui.runs.run_data import RunState
from ui.runs.thread.controller import RunController, drain_after_ms


def test_series_and_decisions_arrive_while_the_thread_runs(controller, flash_sale, qtbot):
    counts = []
    controller.set_speed(200.0)  # 18 s at least: it cannot end while this looks on, however busy the computer
    controller.start(flash_sale)
    run = controller.run
    run.appended.connect(lambda: counts.append((len(run.time_s), len(run.decisions), run.done_us)))
    qtbot.waitUntil(lambda: len({count for count, _, _ in counts}) >= 4, timeout=10_000)
    assert controller.state is RunState.RUNNING and threading.active_count() > 1
    assert counts == sorted(counts) and 0 < counts[-1][2] < run.until_us
    assert len(run.series("cpu_used_cores")) == len(run.time_s)


def test_a_finished_run_equals_a_headless_one(controller, flash_sale, headless, ended, troubles):
    controller.start(flash_sale)
    run = ended()
    assert run.state is RunState.FINISHED and not troubles
    assert run.result.digest() == headless.digest()
    assert tuple(run.decisions) == headless.decisions
    assert run.names == tuple(headless.series)
    assert all((run.series(name) == headless.series[name])[~_nan(headless.series[name])].all() for name in run.names)
    assert run.done_us == run.until_us


def _nan(values):
    return values != values


def test_views_cannot_change_what_arrived(controller, flash_sale, ended):
    controller.start(flash_sale)
    run = ended()
    with pytest.raises(ValueError):
        run.time_s[0] = 7.0
    with pytest.raises(ValueError):
        run.series("cpu_used_cores")[0] = 7.0


def test_pausing_stepping_and_slowing_never_change_the_run(controller, flash_sale, headless, ended, qtbot):
    controller.set_speed(5_000.0)
    controller.start(flash_sale)
    qtbot.waitUntil(lambda: controller.run.done_us > 0, timeout=10_000)
    controller.pause()
    for _ in range(3):
        before_us = controller.run.done_us
        controller.step()
        qtbot.waitUntil(lambda before_us=before_us: controller.run.done_us > before_us, timeout=10_000)
    controller.set_speed(20_000.0)
    controller.resume()
    qtbot.wait(50)
    controller.set_speed(None)
    run = ended()
    assert run.result.digest() == headless.digest()
    assert tuple(run.decisions) == headless.decisions


def test_the_command_line_gives_the_same_digest(controller, flash_sale, ended):
    controller.start(flash_sale)
    done = subprocess.run(
        [sys.executable, "-m", "ui.launch", "digest", str(FLASH_SALE)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ended().result.digest()


def test_repeated_decisions_arrive_too(controller, ended, qtbot):
    pool = a_node_group(initial_size=1, min_size=1, max_size=1)
    plan = a_plan(node_groups=(pool,), workloads=(a_workload(replicas=40),))  # 24 are refused again and again
    controller.set_speed(200.0)
    controller.start(plan)
    run, seen = controller.run, []
    run.repeated.connect(lambda rows: seen.extend((row, run.decisions[row].repeats) for row in rows))
    qtbot.waitUntil(lambda: len(seen) > 50, timeout=10_000)
    controller.set_speed(None)
    ended()
    assert tuple(run.decisions) == run.result.decisions == api.run_plan(plan).decisions
    assert all(0 <= row < len(run.decisions) and repeats > 0 for row, repeats in seen)


def test_a_paused_run_holds_still_and_can_be_resumed(controller, flash_sale, ended, qtbot):
    controller.set_speed(1_000.0)
    controller.start(flash_sale)
    qtbot.waitUntil(lambda: controller.run.done_us > 0, timeout=10_000)
    controller.pause()
    assert controller.state is RunState.PAUSED
    seen_us = []

    def stands_still():
        seen_us.append(controller.run.done_us)
        return len(seen_us) > 30 and len(set(seen_us[-30:])) == 1

    qtbot.waitUntil(stands_still, timeout=10_000)
    assert seen_us[-1] < controller.run.until_us
    controller.set_speed(None)
    controller.resume()
    assert ended().state is RunState.FINISHED


def test_a_step_ends_with_a_control_loop_or_a_scheduling_decision(controller, flash_sale, qtbot):
    hpa_us, scan_us = flash_sale.hpa_controller.sync_period, flash_sale.cluster_autoscaler.scan_interval
    exact = flash_sale.hpa_controller.model_copy(update={"phase": hpa_us, "evaluation_time": 0})
    controller.start(flash_sale.model_copy(update={"hpa_controller": exact}), paused=True)
    run, times_us = controller.run, []
    for _ in range(6):
        with qtbot.waitSignal(controller.state_changed, timeout=10_000):  # the end of the step, not what came before
            controller.step()
        times_us.append(run.done_us)
        assert controller.state is RunState.PAUSED
    assert scan_us < times_us[0] < scan_us + 1_000_000  # the autoscaler's first loop
    assert hpa_us in times_us
    scheduled = {decision.time_us for decision in run.decisions if decision.actor == "scheduler"}
    for time_us in times_us:
        assert time_us % hpa_us == 0 or time_us % 1_000_000 == 500 or time_us in scheduled


def test_the_speed_limits_simulated_to_real_time(controller, flash_sale, qtbot):
    controller.set_speed(100.0)
    controller.start(flash_sale)
    qtbot.waitUntil(lambda: controller.run.done_us > 0, timeout=10_000)
    start_s, start_us = time.monotonic(), controller.run.done_us
    qtbot.wait(600)
    spent_s = time.monotonic() - start_s
    assert (controller.run.done_us - start_us) / 1e6 <= 100.0 * (spent_s + 0.5)
    assert controller.run.done_us > start_us


@pytest.mark.parametrize("speed", [None, 20.0], ids=["flat out", "waiting for the clock"])
def test_stop_ends_the_run_and_keeps_what_was_recorded(controller, flash_sale, ended, qtbot, speed, troubles):
    controller.set_speed(speed)
    plan = flash_sale if speed else _long(flash_sale)
    controller.start(plan)
    qtbot.waitUntil(lambda: len(controller.run.time_s) > 1, timeout=10_000)
    controller.stop()
    run = ended()
    assert run.state is RunState.STOPPED and not troubles
    assert 0 < run.done_us < run.until_us
    assert tuple(run.decisions) == run.result.decisions and len(run.time_s) == len(run.result.time_us)


def test_a_paused_run_can_be_stopped(controller, flash_sale, ended):
    controller.start(flash_sale, paused=True)
    controller.stop()
    assert ended().state is RunState.STOPPED


def test_the_placement_of_many_pods_can_be_stopped(controller, ended, qtbot):
    controller.start(a_plan(workloads=(a_workload(replicas=20_000),)))
    qtbot.wait(30)
    controller.stop()
    assert ended().state is RunState.STOPPED


def test_closing_during_a_run_joins_the_thread(session, flash_sale, qtbot):
    controller = RunController(session)
    controller.start(_long(flash_sale))
    qtbot.waitUntil(lambda: len(controller.run.time_s) > 0, timeout=10_000)
    controller.shutdown()
    assert controller.state is RunState.STOPPED
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("run-")]


def test_a_new_run_ends_the_previous_one(controller, session, flash_sale, ended):
    controller.start(_long(flash_sale))
    controller.start(flash_sale)
    ended()
    assert [run.state for run in session.runs] == [RunState.STOPPED, RunState.FINISHED]


def test_the_switch_interval_is_restored(controller, flash_sale, ended):
    before = sys.getswitchinterval()
    controller.start(flash_sale, paused=True)
    assert sys.getswitchinterval() < before
    controller.stop()
    ended()
    assert sys.getswitchinterval() == before


class _Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(("error", "where", "in_problem"), [
    pytest.param(PlanProblems([PlanProblem("workloads[0].cpu", "Too much.", "Less.")]), "workloads[0].cpu", "Too much",
                 id="a plan that cannot be run"),
    pytest.param(RunStopped("at 5 s", "Too many events.", "Shorten it."), "at 5 s", "Too many", id="a bound"),
    pytest.param(MemoryError(), "the run", "memory", id="no memory"),
    pytest.param(KeyError("oops"), "the run", "oops", id="a fault of the program"),
    pytest.param(_Speechless(), "the run", "_Speechless", id="a fault that cannot say what it is"),
])  # fmt: skip
def test_every_error_arrives_with_its_place_and_remedy(
    controller, ended, monkeypatch, error, where, in_problem, troubles
):
    def break_off(*_args, **_settings):
        raise error

    monkeypatch.setattr(api, "run_plan", break_off)
    controller.start(a_plan())
    assert ended().state is RunState.FAILED
    [failure] = troubles
    assert isinstance(failure, RunFailure)
    assert failure.where == where and in_problem in failure.problem and failure.remedy
    assert bool(failure.report) is isinstance(error, KeyError | _Speechless)


def test_a_plan_with_problems_is_refused_by_the_run_itself(controller, ended, troubles):
    controller.start(a_plan(workloads=(a_workload(), a_workload())))  # the same name twice
    assert ended().state is RunState.FAILED
    assert troubles[0].problems


def test_a_limit_ends_the_run_with_a_message_and_its_data(controller, flash_sale, ended, monkeypatch, troubles):
    honest = api.run_plan

    def bounded(plan, **settings):
        return simulation_run.run_plan(plan, **settings, options=_few_events())

    monkeypatch.setattr(api, "run_plan", bounded)
    controller.start(flash_sale)
    run = ended()
    assert honest is not bounded and run.state is RunState.STOPPED
    assert troubles[0].where.startswith("at ") and len(run.time_s) > 0


def _few_events():
    from planner.engine.loop import Bounds
    from planner.simulation.options import RunOptions

    return RunOptions(bounds=Bounds(per_run=500))


def _long(plan):
    from planner.plan.edits.edit import replace_at

    return replace_at(plan, ("simulation", "duration"), 30 * 86_400_000_000)


def test_nodes_and_pods_come_while_they_are_wanted_and_at_the_end(controller, flash_sale, ended, qtbot):
    controller.set_speed(600.0)
    controller.start(flash_sale)
    run, seen = controller.run, []
    run.history_changed.connect(lambda: seen.append(run.history))
    qtbot.waitUntil(lambda: len(run.time_s) > 3)
    assert not seen
    controller.copy_history(True)
    qtbot.waitUntil(lambda: len(seen) > 1)
    assert 0 < seen[0].until_us < seen[1].until_us < flash_sale.simulation.duration
    assert seen[0] is not seen[1] and len(seen[0].nodes) == 4
    controller.copy_history(False)
    controller.set_speed(None)
    assert ended().history is run.result.history


def test_the_end_of_a_run_is_shown_at_once_however_seldom_messages_are_read(controller, flash_sale, ended):
    controller.start(flash_sale)
    controller.findChild(QTimer).stop()
    assert ended().result is not None


@pytest.mark.parametrize(("spent_s", "expected"), [(0.001, 100), (0.003, 100), (0.012, 400), (0.3, 500)])
def test_a_window_that_has_much_to_do_leaves_nearly_all_to_the_run(spent_s, expected):
    assert drain_after_ms(spent_s) == expected
