"""Sums by group are the same with the kernel and without, to the last bit."""

import numpy as np
import pytest

from planner.kernels import switch
from planner.metrics.sample import amounts_by_group

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")


@needs_kernels
@pytest.mark.parametrize(("nodes", "groups", "resources"), [(0, 1, 2), (1, 1, 1), (700, 3, 5), (50, 90, 3)])
def test_nodes_of_groups_come_to_the_same(monkeypatch, nodes, groups, resources):
    draws = np.random.default_rng(nodes)
    amounts = draws.integers(0, 1 << 55, (nodes, resources))  # sums are rounded
    given = amounts, draws.integers(0, groups, nodes).astype(np.int32), draws.random(nodes) < 0.7, groups
    compiled = amounts_by_group(*given)
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    assert compiled.tobytes() == amounts_by_group(*given).tobytes()
    assert compiled.shape == (groups, resources)
