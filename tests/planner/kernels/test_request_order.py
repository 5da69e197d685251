"""The random order of requests under a quota is the same with the kernel and without, to the last bit."""

import pytest

from planner.kernels import switch
from planner.workloads.latency.cfs import request_stream


@pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
@pytest.mark.parametrize("purpose", ["work", "gap"])
def test_requests_come_in_the_same_order(purpose, monkeypatch):
    compiled = request_stream._order(purpose)
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    assert compiled.tobytes() == request_stream._order(purpose).tobytes()
