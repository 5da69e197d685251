"""Samples that kubelets take of pods, pod by pod.

Compiled twin of the columns of `hpa/metrics/kubelet_samples.py`, with the draws of `engine/draws.py` that it needs.
"""

import numpy as np

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
        cdef Py_ssize_t at
        cdef long long row, length_us
        cdef double usage
        for at in range(pods.shape[0]):
            row = pods[at]
            if self.columns[LAST, row] == UNSEEN:
                self.begin(row, started_us[at], keys[at])
            length_us = now_us - self.columns[LAST, row]
            usage = rint(
                (spent[at] + <double>self.columns[BEFORE, row] - <double>self.columns[TOTAL, row])
                / <double>(length_us if length_us > 1 else 1)
            )
            self.go_on(row, now_us, <long long>usage if usage > 0.0 else 0, keys[at])

    def advance(
        self,
        long long now_us,
        const long long[::1] pods,
        const long long[::1] usage_milli,
        const long long[::1] started_us,
        const unsigned long long[::1] keys,
    ):
        """These pods have used so much since the last call, or since their start."""
        cdef Py_ssize_t at
        for at in range(pods.shape[0]):
            if self.columns[LAST, pods[at]] == UNSEEN:
                self.begin(pods[at], started_us[at], keys[at])
            self.go_on(pods[at], now_us, usage_milli[at], keys[at])

    def scrape(self, const long long[::1] pods, const long long[::1] started_us):
        """Rows, use, time and window of the samples that metrics-server returns after a scrape now."""
        found = np.empty((4, pods.shape[0]), np.int64)
        cdef long long[:, ::1] out = found
        cdef long long row, newest_us, older_us, window_us, used
        cdef Py_ssize_t at, count = 0
        cdef bint is_young
        for at in range(pods.shape[0]):
            row = pods[at]
            self.keep_newest(row)
            newest_us, older_us = self.columns[NEW, row], self.columns[OLD, row]
            window_us = newest_us - started_us[at]
            is_young = older_us == UNSEEN and self.young_us <= window_us < self.resolution_us
            if newest_us == UNSEEN or (older_us == UNSEEN and not is_young):
                continue
            used = self.columns[NEW_TOTAL, row]
            if not is_young:
                window_us = newest_us - older_us
                used -= self.columns[OLD_TOTAL, row]
            out[0, count], out[1, count] = row, upwards(used, window_us)
            out[2, count], out[3, count] = newest_us, window_us
            count += 1
        return found[:, :count]

    cdef void keep_newest(self, long long row) noexcept:
        cdef long long taken_us = self.columns[TAKEN, row]
        if taken_us != self.columns[NEW, row] and taken_us != UNSEEN:
            self.columns[OLD, row], self.columns[OLD_TOTAL, row] = self.columns[NEW, row], self.columns[NEW_TOTAL, row]
            self.columns[NEW, row], self.columns[NEW_TOTAL, row] = taken_us, self.columns[TAKEN_TOTAL, row]

    cdef void begin(self, long long row, long long started_us, unsigned long long key) noexcept:
        self.columns[LAST, row] = self.columns[TAKEN, row] = started_us
        self.columns[TOTAL, row] = self.columns[TAKEN_TOTAL, row] = 0
        self.columns[DRAWN, row] = self.columns[BEFORE, row] = 0
        self.columns[DUE, row] = started_us + self.distance_us(row, key)

    cdef void go_on(self, long long row, long long now_us, long long usage_milli, unsigned long long key) noexcept:
        """A pod has used so much until now; samples are taken on the way."""
        cdef long long last_us = self.columns[LAST, row], total = self.columns[TOTAL, row], moment_us
        while self.columns[DUE, row] <= now_us:
            moment_us = self.columns[DUE, row]
            self.columns[TAKEN, row] = moment_us
            self.columns[TAKEN_TOTAL, row] = total + usage_milli * (moment_us - last_us)
            self.columns[DUE, row] = moment_us + self.distance_us(row, key)
        if now_us > last_us:
            self.columns[TOTAL, row] = total + usage_milli * (now_us - last_us)
        self.columns[LAST, row] = now_us

    cdef long long distance_us(self, long long row, unsigned long long key) noexcept:
        """From the latest sample to the next one: the next draw of the pod."""
        cdef unsigned long long number = <unsigned long long>self.columns[DRAWN, row]
        cdef double share
        self.columns[DRAWN, row] += 1
        share = <double>(mixed(mixed(key ^ self.salt) + number * <unsigned long long>0x9E3779B97F4A7C15) >> 11) * UNIT
        return self.interval_us + <long long>(share * <double>(self.interval_us + 1))


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    bits = (bits ^ (bits >> 30)) * <unsigned long long>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <unsigned long long>0x94D049BB133111EB
    return bits ^ (bits >> 31)


cdef inline long long upwards(long long used, long long window_us) noexcept:
    """The quotient, rounded up."""
    return used // window_us + (used % window_us > 0) if window_us else 0
