"""Response times of requests that arrive at some moment of a CFS period, at a pod under a quota.

Compiled twin of `ResponseSums` (`workloads/latency/cfs/until_done.py`), which says what the figures mean.
"""

from libc.math cimport ceil
from libc.string cimport memcpy

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    CELL_BITS = 43

cdef double LEAST = 1e-300
cdef double LEAST_S = 1e-9
cdef double ROUNDING = 1e-12


cdef class QuotaResponses:
    """Kinds of requests at a pod, and the sums over those that arrived."""

    cdef double quota, period, cores, left_of_one, load, between, served
    cdef bint queueing
    cdef const double[::1] work, free, met, joined, working, coming, weights
    cdef double[::1] sums, times
    cdef long long first

    def __init__(self, pod, kinds, sums):
        """`pod`: quota, period, cores, what is left of a request, load, time to halfway to the next moment; queueing.

        `kinds`: columns of `RequestKinds`; `sums`: of weights and of weighted times by cell, and the bits of the first cell.
        """
        self.quota, self.period, self.cores, self.left_of_one, self.load, self.between, self.queueing = pod
        self.work, self.free, self.met, self.joined, self.working, self.coming, self.weights = kinds
        self.sums, self.times, self.first = sums
        self.served = (self.cores - 1.0) * self.left_of_one

    def add(self, work, moment):
        """Requests that arrive at a moment, after some amounts of work (`Work`)."""
        cdef const double[::1] left_over, before, chance
        cdef double elapsed, late, beside, joining, weight, is_done, goes_on
        left_over, before, chance, (is_done, goes_on) = work
        elapsed, late, beside, joining, weight = moment
        cdef double rest = self.period - elapsed, most = least_of(self.cores * elapsed, self.quota)
        cdef double again, done, unfinished, going, busy, until_stop, turn
        cdef Py_ssize_t row, kind
        for row in range(left_over.shape[0]):
            again = left_over[row] * (1.0 - is_done)
            done = least_of(before[row] - again, most)
            unfinished = before[row] - done
            going = left_over[row] * goes_on + (unfinished - again) / self.left_of_one
            busy = least_of(1.0 + beside + going, self.cores)
            until_stop = 0.0
            if done < self.quota:
                until_stop = least_of((self.quota - done) / busy + late, rest)
            turn = self.in_order(unfinished) / self.cores
            for kind in range(self.work.shape[0]):
                self.one(
                    kind, unfinished, (busy - beside) * until_stop, until_stop, turn, rest, late, joining,
                    weight * chance[row],
                )

    cdef void one(
        self, Py_ssize_t kind, double unfinished, double worked, double until_stop, double turn, double rest,
        double late, double joining, double weight,
    ) noexcept:
        """`until_done` for one kind and one amount of work before it."""
        cdef double run = self.free[kind], work = self.work[kind], part, left, used, each, full, last, time, shift = 0.0
        if not self.queueing:
            run = most_of(run, (unfinished * self.met[kind] / (1.0 - self.working[kind]) + work) / self.cores)
        part = least_of(most_of(until_stop - turn, 0.0) / run, 1.0)
        if part >= 1.0:
            time = turn + run
        else:
            left = work * (1.0 - part)
            unfinished = most_of(unfinished - most_of(worked - work * part, 0.0), 0.0)
            used = most_of(self.used(kind, unfinished, left, joining), LEAST)
            each = least_of(self.quota, self.period * most_of(used / most_of(left, LEAST), 1.0))
            full = most_of(ceil((used - late) / each - ROUNDING) - 1.0, 0.0)
            last = used - full * each
            time = rest + full * self.period + most_of(last / self.cores, left * last / used)
            if until_stop < rest:
                shift = self.between
        weight = 0.5 * (weight * self.weights[kind])
        self.put(time - shift, weight)
        self.put(time + shift, weight)

    cdef double used(self, Py_ssize_t kind, double unfinished, double left, double joining) noexcept:
        cdef double in_order = self.in_order(unfinished), first
        first = (unfinished - in_order) * self.met[kind] + left + joining * least_of(left, self.joined[kind])
        first = first + most_of(first - self.quota, 0.0) * self.coming[kind]
        if not self.queueing:
            return first
        return in_order + least_of(self.cores * left, first + self.load * in_order)

    cdef double in_order(self, double unfinished) noexcept:
        return most_of(unfinished - self.served, 0.0) if self.queueing else 0.0

    cdef void put(self, double time, double weight) noexcept:
        cdef long long bits
        cdef Py_ssize_t cell
        time = most_of(time, LEAST_S)
        memcpy(&bits, &time, sizeof(double))
        cell = min((bits >> CELL_BITS) - self.first, self.sums.shape[0] - 1)
        self.sums[cell] += weight
        self.times[cell] += weight * time


cdef inline double least_of(double one, double other) noexcept:
    return one if one < other else other


cdef inline double most_of(double one, double other) noexcept:
    return one if one > other else other
