"""Pods that are alike are counted once, and each is sampled as if it had been counted alone."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.draws import Draws, key_within
from planner.hpa.metrics.alike_pods import UseKey
from planner.hpa.metrics.kubelet_samples import KubeletSamples
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.kernels import switch
from planner.units import US_PER_S

PODS = 12
WORKLOADS = np.array([0] * 6 + [1] * 4 + [2] * 2, np.int32)
BEGINS_US = np.array([-50, -50, -50, -50, -50, -50, 3, 3, 7, 7, 7, 40]) * US_PER_S
steps = st.lists(
    st.tuples(
        st.sampled_from([5, 5, 5, 2, 11]),  # seconds
        st.sampled_from(["count", "count", "count", "scrape", "copy"]),
        st.sampled_from([None, None, None, (0,), (1,), (0, 1), (0, 1, 2)]),  # workloads whose pods move between groups
        st.floats(0.0, 0.9),  # cores that a pod of a group spends
    ),
    min_size=3,
    max_size=25,
)


class Pods:
    """Pods by row: what each has spent for itself, its group and its part of that."""

    def __init__(self):
        self.spent, self.part = np.zeros(PODS), np.ones(PODS)
        self.group = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, -1], np.int64)
        self.done, self.own = np.zeros(4), np.zeros(PODS - 2, np.int64)
        self.rows = np.zeros(0, np.int64)
        self.version, self.marks = 0, np.zeros(3, np.int64)

    def change(self, workloads):
        self.version += 1
        self.marks[list(workloads)] = self.version

    def begin(self, now_us):
        """Pods that run since a while ago."""
        there = np.flatnonzero(now_us > BEGINS_US)
        if len(there) > len(self.rows):
            self.change(set(WORKLOADS[there[len(self.rows) :]].tolist()))
            self.rows = there

    def move(self, workloads):
        """The groups of some workloads are formed anew."""
        mine = np.isin(WORKLOADS, workloads)
        within = mine & (self.group >= 0)
        self.spent[within] += self.done[self.group[within]] * self.part[within]
        self.group[within] = (self.group[within] + np.arange(PODS)[within] // 3) % 4
        self.part[np.flatnonzero(mine)[::3]] *= 0.5
        self.change(workloads)

    def total_milli_us(self, rows):
        within = np.where(self.group[rows] >= 0, self.done[self.group[rows]] * self.part[rows], 0.0)
        return (self.spent[rows] + within) * 1e9

    def key(self):
        return UseKey(
            1,
            (self.version,),
            self.marks.copy,
            WORKLOADS,
            lambda workload: self.rows[WORKLOADS[self.rows] == workload],
            lambda rows: WORKLOADS[rows].astype(np.int64),
            (self.own, self.spent, self.group, self.part),
        )


def _shown(kubelets, samples, rows, now_us, at_once):
    """What autoscalers see of the pods after a scrape."""
    columns = samples.visible_columns(rows) if at_once else None
    if columns is None:
        served = kubelets.scrape(rows, BEGINS_US[rows])
        samples.record(now_us, served.window_us, served.pods, served.usage_milli, None, served.time_us)
    else:
        kubelets.show(now_us, rows, columns)
    samples.reserve(PODS)
    columns = samples.time_us, samples.window_us, samples.usage_milli, samples._shown_us
    return [samples.take_changed().tolist(), *(column[:PODS].tolist() for column in columns)]


def _played(steps, alike):
    kubelets = KubeletSamples(
        10 * US_PER_S, 15 * US_PER_S, Draws(3), lambda rows: key_within(1, rows.astype(np.uint64))
    )
    samples, pods, now_us, found = UsageSamples(), Pods(), 0, []
    for seconds, action, moving, cores in steps:
        now_us += seconds * US_PER_S
        pods.begin(now_us)
        if moving is not None:
            pods.move(moving)
        pods.done += np.array([1.0, 0.7, 0.31, 0.0]) * cores * seconds
        rows = pods.rows
        if action == "copy":
            kubelets = copy.deepcopy(kubelets)
        few = kubelets.follow(rows, BEGINS_US.__getitem__, pods.key() if alike else None)
        if alike and switch.in_use():
            found.append(few is not None)
        at = rows if few is None else few
        if action == "count":
            if few is None:
                kubelets.count(now_us, at, pods.total_milli_us(at), BEGINS_US[at])
            else:
                kubelets.count_alike(now_us, pods.total_milli_us(at))
            continue
        milli = 130 + 10 * WORKLOADS[at].astype(np.int64)
        if few is None:
            kubelets.advance(now_us, at, milli, BEGINS_US[at])
        else:
            kubelets.advance_alike(now_us, milli)
        found.append(_shown(kubelets, samples, rows, now_us, at_once=alike))
        found.append([column.tolist() for column in kubelets.newest(rows)])
    return [one for one in found if not isinstance(one, bool)], [one for one in found if isinstance(one, bool)]


@pytest.mark.skipif(not switch.in_use(), reason="pods are counted by number in a kernel only")
@settings(max_examples=200, deadline=None)
@given(steps)
def test_pods_that_are_alike_are_sampled_as_if_each_was_counted(steps):
    steps = [*steps, (5, "scrape", None, 0.5)]
    assert _played(steps, alike=True)[0] == _played(steps, alike=False)[0]


@pytest.mark.skipif(not switch.in_use(), reason="pods are counted by number in a kernel only")
def test_pods_are_counted_by_number_while_they_are_alike():
    assert all(_played([(5, "count", None, 0.5)] * 6, alike=True)[1])
