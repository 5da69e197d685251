"""Samples of pods are the same with the kernel and without."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws, key_within
from planner.hpa.metrics.kubelet_samples import KubeletSamples
from planner.kernels import switch
from planner.units import US_PER_S

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
INTERVALS = st.sampled_from([(10, 15), (10, 60), (20, 15), (1, 30)])
COUNT, ADVANCE, SCRAPE, RESTART = range(4)
CALLS = st.lists(
    st.tuples(
        st.sampled_from([COUNT, COUNT, ADVANCE, SCRAPE, SCRAPE, RESTART]),
        st.integers(0, 25 * US_PER_S),
        st.sets(st.integers(0, 9), min_size=1),
        st.lists(st.integers(0, 3000), min_size=10, max_size=10),
    ),
    max_size=30,
)


def samples(state, interval_s, resolution_s):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(switch.VARIABLE, state)
        return KubeletSamples(
            interval_s * US_PER_S, resolution_s * US_PER_S, Draws(1), lambda pods: key_within(1, pods.astype(np.uint64))
        )


@needs_kernels
@settings(max_examples=200)
@given(INTERVALS, CALLS, st.booleans())
def test_samples_of_pods_are_the_same_whatever_is_called_when(intervals, calls, has_past):
    both = samples("on", *intervals), samples(switch.OFF, *intervals)
    now_us, spent, started_us = 0, np.zeros(10), np.full(10, -1)
    if has_past:
        for one in both:
            one.remember(np.arange(4), np.arange(4) * 70, np.full(4, -40 * US_PER_S), np.full(4, -90 * US_PER_S))
    for call, elapsed_us, chosen, milli in calls:
        now_us += elapsed_us
        pods, usage = np.array(sorted(chosen)), np.array(milli)
        started_us = np.where((started_us < 0) & np.isin(np.arange(10), pods), now_us - elapsed_us // 2, started_us)
        spent = spent + usage * (elapsed_us * 1.0003)
        answers = []
        for one in both:
            if call == COUNT:
                one.count(now_us, pods, spent[pods], started_us[pods])
            elif call == ADVANCE:
                one.advance(now_us, pods, usage[pods], started_us[pods])
            elif call == SCRAPE:
                answers.append([column.tolist() for column in (*one.newest(pods), *one.scrape(pods, started_us[pods]))])
            else:
                one.forget_scrapes()
        assert answers[:1] == answers[1:]
