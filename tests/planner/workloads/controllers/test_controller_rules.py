"""Single passes of the controllers of Jobs and Deployments at the edges of their rules."""

import pytest

from planner.workloads.controllers.jobs.job_rule import JobEnd, JobMemory, JobPhase, JobPod, JobRules, job_pass
from planner.workloads.controllers.rolling_update import RolloutRoom, SetSize, proportion, roll_step


@pytest.mark.parametrize(
    ("index", "failed", "end"),
    [
        pytest.param(1, 1, JobEnd.BACKOFF_LIMIT, id="a pod of the Job that failed counts"),
        pytest.param(2, 0, None, id="one whose index is beyond the completions does not"),
        pytest.param(None, 0, None, id="nor does one without index"),
    ],
)
def test_an_indexed_job_counts_only_failures_of_its_indexes(index: int | None, failed: int, end: JobEnd | None) -> None:
    """Source: Kubernetes 1.36, pkg/controller/job/job_controller.go: getValidPodsWithFilter."""
    rules = JobRules(completions=2, backoff_limit=0, indexed=True)
    found = job_pass(rules, JobMemory(), [JobPod("lost", JobPhase.FAILED, index=index)])
    assert (found.failed, found.end) == (failed, end)


@pytest.mark.parametrize(("to_add", "added", "share"), [(4, 0, 4), (4, 4, 0), (0, 0, 0), (0, 2, 0), (0, -2, 0)])
def test_a_set_has_no_share_in_a_change_of_nothing(to_add: int, added: int, share: int) -> None:
    """Source: Kubernetes 1.36.2, pkg/controller/deployment/util/deployment_util.go: GetReplicaSetProportion."""
    assert proportion(RolloutRoom(20, 0, 1), SetSize(10, 0, 0, 10), 10, to_add, added) == share


@pytest.mark.parametrize(
    ("index", "failures"),
    [
        pytest.param(1, 0, id="a success ends a row of failures"),
        pytest.param(2, 3, id="not one beyond the completions"),
        pytest.param(None, 3, id="nor one without index"),
    ],
)
def test_an_indexed_job_forgets_failures_after_a_success_of_its_indexes(index: int | None, failures: int) -> None:
    """Source: Kubernetes 1.36, pkg/controller/job/job_controller.go: getNewFinishedPods feeds the back-off."""
    rules, memory = JobRules(completions=2, indexed=True), JobMemory(failures_since_success=3, last_failure_us=0)
    found = job_pass(rules, memory, [JobPod("won", JobPhase.SUCCEEDED, index=index)])
    assert found.memory.failures_since_success == failures


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        pytest.param([(4, 6), (3, 1)], (4, 3), id="a set with a surplus ends the pass"),
        pytest.param([(3, 1), (4, 6)], (1, 4), id="sets before it have shrunk by then"),
        pytest.param([(0, 2), (7, 7)], (0, 1), id="the last pods of a set that is to have none count as available"),
    ],
)
def test_an_old_set_that_has_more_available_pods_than_it_should_waits(
    old: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    """Source: Kubernetes 1.36, pkg/controller/deployment/rolling.go: cleanupUnhealthyReplicas fails, and with it what
    follows in reconcileOldReplicaSets.
    """
    sets = [SetSize(replicas, available, at) for at, (replicas, available) in enumerate(old)]
    assert roll_step(RolloutRoom(10, 0, 4), SetSize(3, 3, 9), sets).old == expected
