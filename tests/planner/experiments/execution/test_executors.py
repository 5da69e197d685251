"""Where a run takes place changes nothing."""

import os
import pickle
import signal
import weakref
from multiprocessing import forkserver

import pytest

from planner.errors import RunStopped
from planner.experiments.execution.executor import ExecutorLost
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.process_pool import ProcessPool
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.variants.runnable_plan import runnable_plan
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from tests.planner.experiments.small_plans import a_small_plan


@pytest.fixture(scope="module")
def pool():
    made = ProcessPool(2)
    yield made
    made.close()


def never():
    return False


def all_of(executor, work, jobs):
    found = dict(executor.results(work, jobs, never))
    return [found[position] for position in range(len(jobs))]


def sizes(job, _cancelled):
    return len(job)


def test_processes_find_what_this_one_finds(pool):
    parcel = runnable_plan(a_small_plan()).parcel
    jobs = [RunJob(parcel, seed) for seed in range(4)]
    here = all_of(InProcess(), run_job, jobs)
    assert all_of(pool, run_job, jobs) == here
    assert here[0].digest == run_plan(a_small_plan(), seed=0).digest()
    assert len({one.digest for one in here}) == 4


def test_a_run_stays_what_it_is_on_its_way_to_another_process():
    result = run_plan(a_small_plan())
    copy = pickle.loads(pickle.dumps(result))
    assert copy.digest() == result.digest()
    assert copy.figures == result.figures and list(copy.pods) == list(result.pods)
    stopped = pickle.loads(pickle.dumps(RunStopped("0 h", "Cancelled.", "", cancelled=True)))
    assert stopped.cancelled and str(stopped) == "0 h: Cancelled."


def die_once(path, _cancelled):
    """Ends its process the first time that it is called."""
    if not os.path.exists(path):
        with open(path, "w"):
            os.kill(os.getpid(), signal.SIGKILL)
    return path


def die(_job, _cancelled):
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_jobs_of_a_process_that_dies_are_run_by_another(pool, tmp_path):
    jobs = [str(tmp_path / "mark")] * 5
    assert all_of(pool, die_once, jobs) == jobs


def test_a_signal_that_ends_the_fork_server_as_well_is_a_loss_of_processes(monkeypatch):
    """A process that begins then reads the end of a pipe."""
    pids, begun = forkserver.read_signed, []

    def read(pipe):
        begun.append(pids(pipe))
        if len(begun) == 1:
            raise EOFError
        return begun[-1]

    monkeypatch.setattr(forkserver, "read_signed", read)
    pool = ProcessPool(1)
    try:
        assert all_of(pool, sizes, [(1, 2), (3,)]) == [2, 1]
    finally:
        pool.close()
    assert len(begun) > 1


def test_an_experiment_whose_processes_keep_dying_gives_up(pool):
    with pytest.raises(ExecutorLost, match="--jobs 1"):
        all_of(pool, die, [1, 2])


@pytest.mark.parametrize("kind", ["here", "processes"])
def test_a_cancelled_experiment_keeps_what_is_finished(pool, kind):
    executor = InProcess() if kind == "here" else pool
    parcel = runnable_plan(a_small_plan()).parcel
    found = []
    for _, outcome in executor.results(run_job, [RunJob(parcel, seed) for seed in range(50)], lambda: len(found) >= 3):
        found.append(outcome)
    assert 3 <= len(found) <= 10


def stopped_after_its_start(seed):
    moments = []
    return run_plan(a_small_plan(), seed, on_progress=lambda *now: moments.append(now), cancelled=lambda: bool(moments))


def test_runs_that_are_over_do_not_fill_the_memory(latest_simulations, monkeypatch):
    parcel = runnable_plan(a_small_plan()).parcel
    alive, make = weakref.WeakSet(), Simulation.__init__

    def make_and_count(simulation, *arguments, **named):
        make(simulation, *arguments, **named)
        alive.add(simulation)

    monkeypatch.setattr(Simulation, "__init__", make_and_count)
    all_of(InProcess(), run_job, [RunJob(parcel, seed) for seed in range(20)])
    assert len(alive) == len(latest_simulations) < 10
    stopped = [stopped_after_its_start(seed) for seed in range(20)]
    assert all(result.stopped is not None and result.until_us > 0 for result in stopped)
    assert len(alive) == len(latest_simulations) < 10
