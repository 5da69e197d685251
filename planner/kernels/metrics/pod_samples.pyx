"""Samples that kubelets take of pods, pod by pod.

Compiled twin of the columns of `hpa/metrics/kubelet_samples.py`, with the draws of `engine/draws.py` that it needs.
`alike_samples.pyx` counts pods that use the same together.
"""

import numpy as np

cimport cython

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


@cython.final
cdef class PodSamples:
    """The columns by pod row, and the beat of the kubelets."""

    def __init__(self, long long interval_us, long long resolution_us, long long young_us, unsigned long long salt):
        """Shortest distance of two samples, distance of two scrapes, and the age from which a single sample counts."""
        self.interval_us, self.resolution_us, self.young_us = interval_us, resolution_us, young_us
        self.salt = salt

    def read(self, columns):
        """The columns from now on."""
        self.columns = columns

    @property
    def room(self):
        """There is room for so many pod rows."""
        return self.columns.shape[1]

    def count(
        self,
        long long now_us,
        const long long[::1] pods,
        const double[::1] spent,
        const long long[::1] started_us,
        const unsigned long long[::1] keys,
    ):
        """These pods have spent so much in this run, evenly since the last call."""
        if not pods.shape[0]:
            return
        cdef Samples all = self.samples()
        cdef long long[::1] ripe = np.empty(pods.shape[0], np.int64), used = np.empty(pods.shape[0], np.int64)
        cdef Py_ssize_t at, count = 0
        cdef long long row, length_us, usage_milli
        cdef double usage
        for at in range(pods.shape[0]):
            row = pods[at]
            if all.last[row] == UNSEEN:
                begin(&all, row, started_us[at], keys[at])
            length_us = now_us - all.last[row]
            usage = whole(
                (spent[at] + <double>all.before[row] - <double>all.total[row])
                / <double>(length_us if length_us > 1 else 1)
            )
            usage_milli = <long long>usage if usage > 0.0 else 0
            all.total[row] += usage_milli * (length_us if length_us > 0 else 0)
            all.last[row] = now_us
            ripe[count], used[count] = row, usage_milli
            count += all.due[row] <= now_us
        for at in range(count):
            take(&all, ripe[at], now_us, used[at])

    def advance(
        self,
        long long now_us,
        const long long[::1] pods,
        const long long[::1] usage_milli,
        const long long[::1] started_us,
        const unsigned long long[::1] keys,
    ):
        """These pods have used so much since the last call, or since their start."""
        if not pods.shape[0]:
            return
        cdef Samples all = self.samples()
        cdef long long[::1] ripe = np.empty(pods.shape[0], np.int64)
        cdef Py_ssize_t at, count = 0
        cdef long long row
        for at in range(pods.shape[0]):
            row = pods[at]
            if all.last[row] == UNSEEN:
                begin(&all, row, started_us[at], keys[at])
            all.total[row] += usage_milli[at] * (now_us - all.last[row] if now_us > all.last[row] else 0)
            all.last[row] = now_us
            ripe[count] = at
            count += all.due[row] <= now_us
        for at in range(count):
            take(&all, pods[ripe[at]], now_us, usage_milli[ripe[at]])

    def scrape(self, const long long[::1] pods, const long long[::1] started_us):
        """Rows, use, time and window of the samples that metrics-server returns after a scrape now."""
        found = np.empty((4, pods.shape[0]), np.int64)
        if not pods.shape[0]:
            return found
        cdef long long[:, ::1] out = found
        cdef Samples all = self.samples()
        cdef Served served
        cdef Py_ssize_t at, count = 0
        for at in range(pods.shape[0]):
            if serve(&all, pods[at], &started_us[at], &served):
                out[0, count], out[1, count] = pods[at], served.usage_milli
                out[2, count], out[3, count] = served.time_us, served.window_us
                count += 1
        return found[:, :count]

    cdef Samples samples(self) noexcept:
        cdef Samples found
        found.before, found.last, found.total = &self.columns[BEFORE, 0], &self.columns[LAST, 0], &self.columns[TOTAL, 0]
        found.stream, found.due = &self.columns[STREAM, 0], &self.columns[DUE, 0]
        found.taken, found.taken_total = &self.columns[TAKEN, 0], &self.columns[TAKEN_TOTAL, 0]
        found.new, found.new_total = &self.columns[NEW, 0], &self.columns[NEW_TOTAL, 0]
        found.old, found.old_total = &self.columns[OLD, 0], &self.columns[OLD_TOTAL, 0]
        found.started = &self.columns[STARTED, 0]
        found.interval_us, found.resolution_us, found.young_us = self.interval_us, self.resolution_us, self.young_us
        found.salt = self.salt
        return found


cdef void take(const Samples *all, long long row, long long now_us, long long usage_milli) noexcept:
    """Samples that are due are taken of a pod that is counted until now and used so much meanwhile."""
    cdef long long moment_us
    while all.due[row] <= now_us:
        moment_us = all.due[row]
        all.taken[row] = moment_us
        all.taken_total[row] = all.total[row] - usage_milli * (now_us - moment_us)
        all.due[row] = moment_us + next_distance_us(all, row)
