"""Responses of pods under quotas are the same with the kernel and without, to the last bit."""

import pytest

from planner.kernels import switch
from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.cfs.quota_response import responses
from planner.workloads.latency.sizes.request_sizes import RequestSizes

ALIKE, UNEQUAL = RequestSizes(((1.0, 1.0, 0.0),)), RequestSizes(((0.99, 0.9, 0.5), (0.01, 10.9, 2.0)))


@pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
@pytest.mark.parametrize("load", [0.05, 0.6, 0.97])
@pytest.mark.parametrize(
    "pod",
    [
        QuotaPod(1, 0.1, 0.01, UNEQUAL, 1.0, True), QuotaPod(8, 0.5, 0.02, UNEQUAL, 1.0, False),
        QuotaPod(8, 4.0, 0.02, UNEQUAL, 0.2, True), QuotaPod(2, 0.1, 0.01, ALIKE, 1.0, False, tick_s=0.0),
    ],
)  # fmt: skip
def test_responses_are_the_same_to_the_last_bit(pod, load, monkeypatch):
    compiled = responses(pod, load)
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    plain = responses(pod, load)
    assert [column.tobytes() for column in compiled[:2]] == [column.tobytes() for column in plain[:2]]
    assert compiled.throttled == plain.throttled
