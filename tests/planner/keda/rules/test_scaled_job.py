"""How many jobs a ScaledJob adds, between its minimum and its maximum."""

import pytest

from planner.keda.rules.scaled_job import JobStrategy, JobTrigger, ScaledJobSpec, jobs_to_create, queue_state


@pytest.mark.parametrize(
    ("least", "most", "running", "created"),
    [
        pytest.param(0, None, 0, 100, id="a hundred without a maximum"),
        pytest.param(3, None, 3, 100, id="and without one the minimum comes on top"),
        pytest.param(120, None, 0, 120, id="which then has no bound"),
        pytest.param(3, 100, 3, 97, id="a given maximum holds for all jobs"),
        pytest.param(9, 4, 4, 4, id="a minimum above it becomes the maximum, which then comes on top"),
    ],
)
@pytest.mark.parametrize("strategy", [JobStrategy.DEFAULT, JobStrategy.ACCURATE, JobStrategy.EAGER])
def test_a_long_queue_fills_up_to_the_maximum(
    strategy: JobStrategy, least: int, most: int | None, running: int, created: int
) -> None:
    """Source: KEDA 2.18, apis/keda/v1alpha1/scaledjob_types.go: MaxReplicaCount and MinReplicaCount."""
    spec = ScaledJobSpec(least, most, strategy)
    queue = queue_state(spec, [JobTrigger(5_000.0, 1.0)])
    assert jobs_to_create(spec, queue, running, pending=0) == created
