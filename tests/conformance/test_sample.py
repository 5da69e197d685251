"""A few cases written by hand, so that a clone without the recorded ones still tests the adapters."""

from pathlib import Path

import pytest

from tests.conformance.runner import run_families
from tests.conformance.vectors import find_families

SAMPLE = Path(__file__).parents[1] / "data" / "conformance"


@pytest.mark.parametrize("family", find_families(SAMPLE), ids=str)
def test_the_sample_agrees(family):
    [score] = run_families([family])
    assert score.total > 0
    assert [(failure.case["id"], failure.got) for failure in score.failures] == []
