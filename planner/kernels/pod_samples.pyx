"""Samples that kubelets take of pods, pod by pod.

Compiled twin of the columns of `hpa/metrics/kubelet_samples.py`, with the draws of `engine/draws.py` that it needs.
"""

import numpy as np

cimport cython
from libc.math cimport rint

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    BEFORE = 0
    LAST = 1
    TOTAL = 2
    DRAWN = 3
    DUE = 4
    TAKEN = 5
    TAKEN_TOTAL = 6
    NEW = 7
    NEW_TOTAL = 8
    OLD = 9
    OLD_TOTAL = 10

cdef long long UNSEEN = -(<long long>1 << 62)
cdef double UNIT = 1.0 / 9007199254740992.0  # 2 ** -53
cdef double WHOLE = 6755399441055744.0  # 1.5 * 2 ** 52: next to it doubles are whole numbers
cdef long long MOST_EXACT = <long long>1 << 52
cdef double MOST_WHOLE = 2251799813685248.0  # 2 ** 51


@cython.final
cdef class PodSamples:
    """The columns by pod row, and the beat of the kubelets."""

    cdef long long interval_us, resolution_us, young_us
    cdef unsigned long long salt
    cdef long long[:, ::1] columns

    def __init__(self, long long interval_us, long long resolution_us, long long young_us, unsigned long long salt):
        """Shortest distance of two samples, distance of two scrapes, and the age from which a single sample counts."""
        self.interval_us, self.resolution_us, self.young_us = interval_us, resolution_us, young_us
        self.salt = salt

    def read(self, columns):
        """The columns from now on."""
        self.columns = columns

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
        cdef const long long *before = &self.columns[BEFORE, 0]
        cdef long long *last = &self.columns[LAST, 0]
        cdef long long *total = &self.columns[TOTAL, 0]
        cdef const long long *due = &self.columns[DUE, 0]
        cdef long long[::1] ripe = np.empty(pods.shape[0], np.int64), used = np.empty(pods.shape[0], np.int64)
        cdef Py_ssize_t at, count = 0
        cdef long long row, length_us, usage_milli
        cdef double usage
        for at in range(pods.shape[0]):
            row = pods[at]
            if last[row] == UNSEEN:
                self.begin(row, started_us[at], keys[at])
            length_us = now_us - last[row]
            usage = whole(
                (spent[at] + <double>before[row] - <double>total[row]) / <double>(length_us if length_us > 1 else 1)
            )
            usage_milli = <long long>usage if usage > 0.0 else 0
            total[row] += usage_milli * (length_us if length_us > 0 else 0)
            last[row] = now_us
            ripe[count], used[count] = at, usage_milli
            count += due[row] <= now_us
        for at in range(count):
            self.take(pods[ripe[at]], now_us, used[at], keys[ripe[at]])

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
        cdef long long *last = &self.columns[LAST, 0]
        cdef long long *total = &self.columns[TOTAL, 0]
        cdef const long long *due = &self.columns[DUE, 0]
        cdef long long[::1] ripe = np.empty(pods.shape[0], np.int64)
        cdef Py_ssize_t at, count = 0
        cdef long long row
        for at in range(pods.shape[0]):
            row = pods[at]
            if last[row] == UNSEEN:
                self.begin(row, started_us[at], keys[at])
            total[row] += usage_milli[at] * (now_us - last[row] if now_us > last[row] else 0)
            last[row] = now_us
            ripe[count] = at
            count += due[row] <= now_us
        for at in range(count):
            self.take(pods[ripe[at]], now_us, usage_milli[ripe[at]], keys[ripe[at]])

    def scrape(self, const long long[::1] pods, const long long[::1] started_us):
        """Rows, use, time and window of the samples that metrics-server returns after a scrape now."""
        found = np.empty((4, pods.shape[0]), np.int64)
        if not pods.shape[0]:
            return found
        cdef long long[:, ::1] out = found
        cdef const long long *taken = &self.columns[TAKEN, 0]
        cdef const long long *taken_total = &self.columns[TAKEN_TOTAL, 0]
        cdef long long *new = &self.columns[NEW, 0]
        cdef long long *new_total = &self.columns[NEW_TOTAL, 0]
        cdef long long *old = &self.columns[OLD, 0]
        cdef long long *old_total = &self.columns[OLD_TOTAL, 0]
        cdef long long row, newest_us, older_us, window_us, used
        cdef Py_ssize_t at, count = 0
        cdef bint is_young
        for at in range(pods.shape[0]):
            row = pods[at]
            if taken[row] != new[row] and taken[row] != UNSEEN:
                old[row], old_total[row] = new[row], new_total[row]
                new[row], new_total[row] = taken[row], taken_total[row]
            newest_us, older_us = new[row], old[row]
            window_us = newest_us - started_us[at]
            is_young = older_us == UNSEEN and self.young_us <= window_us < self.resolution_us
            if newest_us == UNSEEN or (older_us == UNSEEN and not is_young):
                continue
            used = new_total[row]
            if not is_young:
                window_us = newest_us - older_us
                used -= old_total[row]
            out[0, count], out[1, count] = row, upwards(used, window_us)
            out[2, count], out[3, count] = newest_us, window_us
            count += 1
        return found[:, :count]

    cdef void begin(self, long long row, long long started_us, unsigned long long key) noexcept:
        self.columns[LAST, row] = self.columns[TAKEN, row] = started_us
        self.columns[TOTAL, row] = self.columns[TAKEN_TOTAL, row] = 0
        self.columns[DRAWN, row] = self.columns[BEFORE, row] = 0
        self.columns[DUE, row] = started_us + self.distance_us(row, key)

    cdef void take(self, long long row, long long now_us, long long usage_milli, unsigned long long key) noexcept:
        """Samples that are due are taken of a pod that is counted until now and used so much meanwhile."""
        cdef long long total = self.columns[TOTAL, row], moment_us
        while self.columns[DUE, row] <= now_us:
            moment_us = self.columns[DUE, row]
            self.columns[TAKEN, row] = moment_us
            self.columns[TAKEN_TOTAL, row] = total - usage_milli * (now_us - moment_us)
            self.columns[DUE, row] = moment_us + self.distance_us(row, key)

    cdef long long distance_us(self, long long row, unsigned long long key) noexcept:
        """From the latest sample to the next one: the next draw of the pod."""
        cdef unsigned long long number = <unsigned long long>self.columns[DRAWN, row]
        cdef double share
        self.columns[DRAWN, row] += 1
        share = <double>(mixed(mixed(key ^ self.salt) + number * <unsigned long long>0x9E3779B97F4A7C15) >> 11) * UNIT
        return self.interval_us + <long long>(share * <double>(self.interval_us + 1))


cdef inline double whole(double value) noexcept:
    """The nearest whole number, the even one of two: without a call, where that is exact."""
    if -MOST_WHOLE < value < MOST_WHOLE:
        return value + WHOLE - WHOLE
    return rint(value)


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    bits = (bits ^ (bits >> 30)) * <unsigned long long>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <unsigned long long>0x94D049BB133111EB
    return bits ^ (bits >> 31)


cdef inline long long upwards(long long used, long long window_us) noexcept:
    """The quotient, rounded up. Doubles divide faster; theirs is never below the whole number that is due."""
    cdef long long found
    if not window_us:
        return 0
    if not 0 <= used < MOST_EXACT or not 0 < window_us < MOST_EXACT:
        return used // window_us + (used % window_us > 0)
    found = <long long>(<double>used / <double>window_us)
    return found + (found * window_us < used)
