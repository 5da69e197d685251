"""Taints of nodes that start."""

import pytest

from planner.karpenter.taints import lasting_taints
from planner.matching.taints import NodeTaint, TaintEffect

NO, RUN = TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE
OUTSIDE = "node.cloudprovider.kubernetes.io/uninitialized"


@pytest.mark.parametrize(("taint", "startup", "stays"), [
    (NodeTaint("team", "a", NO), (), True),
    (NodeTaint("team", "a", NO), (NodeTaint("team", "a", NO),), False),
    (NodeTaint("team", "a", NO), (NodeTaint("team", "b", NO),), False),
    (NodeTaint("team", "a", NO), (NodeTaint("team", "a", RUN),), True),
    (NodeTaint("node.kubernetes.io/not-ready", "", RUN), (), False),
    (NodeTaint("node.kubernetes.io/unreachable", "", RUN), (), True),
    (NodeTaint(OUTSIDE, "true", NO), (), False),
    (NodeTaint(OUTSIDE, "", NO), (), False),
    (NodeTaint(OUTSIDE, "true", RUN), (), True),
    (NodeTaint("readiness.k8s.io/disk", "x", RUN), (), False),
])  # fmt: skip
def test_a_taint_that_will_pass_is_known_by_key_and_effect(taint, startup, stays):
    assert lasting_taints((taint,), startup) == ((taint,) if stays else ())
