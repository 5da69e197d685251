"""One load step of workloads whose pods are under a CPU quota: figures of the workloads from those of a pod of each group.

Compiled twin of `step_workloads` (`workloads/load/step/load_step.py`) and of `ServingPods.keep`
(`workloads/load/serving_pods.py`), for any of the workloads. `quota_pod.pyx` steps the pods.
"""

import numpy as np

from libc.math cimport NAN

from planner.kernels.load.quota_pod cimport (
    CPU_SECONDS, FINISHES, FLOOR_VARIANCE, LOSES, MODE, ROWS, SLOWER, VARIES, QuotaPods,
)

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    FIGURES = 15  # of `WorkloadSteps`
    REPORTED = 4
    MOST_PARTS = 129
    BLOCK = 8  # of numbers that `numpy` sums at once

cdef double US_PER_S = 1e6
cdef double MILLI_US = 1e9


cdef class QuotaStep:
    """The groups of all workloads, by workload."""

    cdef QuotaPods pods
    cdef Py_ssize_t workloads, groups
    cdef const long long[::1] first, service, kind, count
    cdef double[::1] held, done, busy
    cdef double[::1] members  # pods that take requests, by workload
    cdef long long[::1] parts  # groups that do
    cdef const long long[::1] reported, every_level
    cdef double[:, ::1] own  # what was written of the pods of each group
    cdef const long long[::1] everyone  # positions of all workloads
    cdef long long[::1] lengths_us  # of a step that all take together
    cdef double[:, ::1] of_all  # figures of the latest step of all workloads

    def __init__(self, QuotaPods pods, Py_ssize_t workloads, const long long[::1] reported, Py_ssize_t levels):
        """`pods`: of all kinds; `reported`: the levels that are percentiles, of so many `levels`."""
        self.pods, self.workloads, self.reported = pods, workloads, reported
        self.every_level = np.arange(levels)
        self.members, self.parts = np.empty(workloads), np.empty(workloads, np.int64)
        self.own = np.empty((0, ROWS + levels))
        self.everyone, self.lengths_us = np.arange(workloads), np.zeros(workloads, np.int64)

    def write_all(self, figures):
        """Rows of `WorkloadSteps` that `step_all` writes to."""
        self.of_all = figures

    def regroup(self, first, service, kind, count, held, done, busy):
        """There are these groups now, those of a workload side by side from `first` on.

        `kind`: of `QuotaPods`, -1 for pods that it does not know; `count`: how many pods. What each of them holds, has done
        and is busy with is kept by `step`. Returns whether some may lose requests by chance.
        """
        cdef Py_ssize_t at, of
        cdef bint some_lose = False
        self.first, self.service, self.kind, self.count = first, service, kind, count
        self.held, self.done, self.busy = held, done, busy
        self.groups = self.kind.shape[0]
        if self.own.shape[0] < self.groups:
            self.own = np.empty((self.groups + self.groups // 2, self.own.shape[1]))
        self.members[:], self.parts[:] = 0.0, 0
        for at in range(self.groups):
            if self.kind[at] < 0:
                continue
            some_lose |= self.pods.numbers[self.kind[at], LOSES] != 0
            if self.pods.numbers[self.kind[at], MODE] != FINISHES:
                of = self.service[at]
                self.members[of] += <double>self.count[at]
                self.parts[of] += 1
        return some_lose

    def knows(self, const long long[::1] positions):
        """Whether all pods of the workloads at `positions` are of known kinds, in as many groups as can be summed up."""
        cdef Py_ssize_t place, at, of
        for place in range(positions.shape[0]):
            of = positions[place]
            if self.parts[of] > MOST_PARTS:
                return False
            for at in range(self.first[of], self.first[of + 1]):
                if self.kind[at] < 0:
                    return False
        return True

    def step(self, const long long[::1] positions, const double[::1] rate, const long long[::1] dt_us, losses):
        """A step of the workloads at `positions` (ascending, known), which get `rate` requests per second each.

        `losses`: what chance takes, a row for each of their groups as of `QuotaPods.one`, None for nothing. Returns rows of
        `WorkloadSteps`, and of mixtures of several groups, whose percentiles are missing: their places in `positions`, first
        rows, lengths, shares and rows of levels.
        """
        found = np.empty((FIGURES, positions.shape[0]))
        return found, self.take_step(positions, rate, dt_us, losses, found)

    def step_all(self, const double[::1] rate, long long dt_us, losses):
        """A step of this length of all workloads, as `step`; its figures are written where `write_all` said."""
        if self.workloads and self.lengths_us[0] != dt_us:
            self.lengths_us[:] = dt_us
        return self.take_step(self.everyone, rate, self.lengths_us, losses, self.of_all)

    cdef take_step(
        self, const long long[::1] positions, const double[::1] rate, const long long[::1] dt_us, losses, double[:, ::1] out
    ):
        """See `step`; returns the mixtures, None without any."""
        cdef Py_ssize_t place, at, of, groups = 0, mixed = 0, mixtures = 0, row = 0
        cdef bint is_one_each = True, floors_vary = False
        cdef const double[:, ::1] chance = losses
        for place in range(positions.shape[0]):
            of = positions[place]
            for at in range(self.first[of], self.first[of + 1]):
                floors_vary |= self.pods.numbers[self.kind[at], VARIES] != 0
            groups += self.first[of + 1] - self.first[of]
            is_one_each &= self.parts[of] == 1 == self.first[of + 1] - self.first[of]
            if self.parts[of] > 1:
                mixtures += 1
                mixed += self.parts[of]
        if losses is not None and chance.shape[0] != groups:
            raise ValueError("losses are not those of the groups")
        levels = np.empty((mixed, self.every_level.shape[0])) if mixed else None
        cdef double[:, ::1] levels_s = levels
        self.pods.lacks = True
        while self.pods.missing():
            groups = row = 0
            for place in range(positions.shape[0]):
                of = positions[place]
                self.step_pods(of, rate[place], <double>dt_us[place] / US_PER_S, is_one_each, chance, groups)
                groups += self.first[of + 1] - self.first[of]
                if is_one_each:
                    self.sum_up(self.first[of], place, rate[place] * (<double>dt_us[place] / US_PER_S), floors_vary, out)
                else:
                    row = self.sum_up_parts(
                        of, place, rate[place] * (<double>dt_us[place] / US_PER_S), floors_vary, out, levels_s, row
                    )
        for place in range(positions.shape[0]):
            of = positions[place]
            for at in range(self.first[of], self.first[of + 1]):
                self.keep(at, <double>dt_us[place])
        return self.mixtures(positions, mixtures, levels) if mixed else None

    cdef mixtures(self, const long long[::1] positions, Py_ssize_t count, levels):
        """Places, first rows, lengths, shares and levels of the workloads with several groups that take requests."""
        columns, parts = np.empty((3, count), np.int64), np.empty(len(levels))
        cdef long long[:, ::1] out = columns
        cdef double[::1] shares = parts
        cdef Py_ssize_t place, at, of, number = 0, row = 0
        for place in range(positions.shape[0]):
            of = positions[place]
            if self.parts[of] < 2:
                continue
            out[0, number], out[1, number], out[2, number] = place, row, self.parts[of]
            number += 1
            for at in range(self.first[of], self.first[of + 1]):
                if self.pods.numbers[self.kind[at], MODE] != FINISHES:
                    shares[row] = <double>self.count[at] / self.members[of]
                    row += 1
        return (*columns, parts, levels)

    cdef void step_pods(
        self, Py_ssize_t of, double rate, double dt_s, bint is_one_each, const double[:, ::1] chance, Py_ssize_t group
    ) noexcept:
        """A step of a pod of each group of a workload."""
        cdef Py_ssize_t at
        cdef double each, members = self.members[of] if self.members[of] > 1.0 else 1.0
        cdef const double* lost = NULL
        cdef bint is_mixed = self.parts[of] > 1
        for at in range(self.first[of], self.first[of + 1]):
            if is_one_each:
                each = rate / members
            elif self.pods.numbers[self.kind[at], MODE] == FINISHES:
                each = rate * 0.0
            else:
                each = rate * (1.0 / members)
            if chance is not None:
                lost = &chance[group, 0]
                group += 1
            self.pods.one(
                self.kind[at], each, self.held[at], dt_s, lost, self.every_level if is_mixed else self.reported,
                &self.own[at, 0],
            )

    cdef void keep(self, Py_ssize_t at, double dt_us) noexcept:
        """What a pod of a group holds after the step, and what it has done in it."""
        cdef const double* figures = &self.pods.figures[self.kind[at], 0]
        cdef double spent = self.own[at, 1] * figures[CPU_SECONDS] * figures[SLOWER]
        self.held[at] = self.own[at, 0]
        self.done[at] += spent
        self.busy[at] = spent * MILLI_US / dt_us

    cdef void sum_up(
        self, Py_ssize_t at, Py_ssize_t place, double offered, bint floors_vary, double[:, ::1] out
    ) noexcept:
        """The figures of a workload from those of the pods of its only group, which takes requests."""
        cdef const double* own = &self.own[at, 0]
        cdef double pods = <double>self.count[at]
        cdef double served = pods * own[1], lost = pods * own[2], late = pods * own[9]
        cdef double finished = served + lost
        cdef Py_ssize_t number
        out[0, place], out[1, place], out[2, place], out[3, place] = offered, served, lost - late, late
        out[4, place], out[5, place] = pods * own[0], own[4]
        for number in range(REPORTED):
            out[6 + number, place] = self.level(at, number, self.reported[number], floors_vary)
        out[10, place] = lost / (finished if finished > 0.0 else 1.0)
        out[11, place] = own[5] + (self.pods.figures[self.kind[at], FLOOR_VARIANCE] if floors_vary else 0.0)
        out[12, place], out[13, place], out[14, place] = own[3], 0.0, lost

    cdef Py_ssize_t sum_up_parts(
        self, Py_ssize_t of, Py_ssize_t place, double offered, bint floors_vary, double[:, ::1] out,
        double[:, ::1] levels_s, Py_ssize_t row,
    ) noexcept:
        """The same from several groups; their levels are rows from `row` on. Returns the row after them."""
        cdef double served = 0.0, lost = 0.0, late = 0.0, kept = 0.0, throttled = 0.0, finished, count, mean, second
        cdef double share = 1.0 / (self.members[of] if self.members[of] > 1.0 else 1.0)
        cdef double[MOST_PARTS] means
        cdef double[MOST_PARTS] seconds
        cdef Py_ssize_t at, number, parts = 0
        cdef const double* own
        for at in range(self.first[of], self.first[of + 1]):
            own, count = &self.own[at, 0], <double>self.count[at]
            served += count * own[1]
            lost += count * own[2]
            late += count * own[9]
            kept += count * own[0]
            if self.pods.numbers[self.kind[at], MODE] == FINISHES:
                throttled += count * 0.0 * own[3]
                continue
            throttled += count * share * own[3]
            mean = own[4]
            second = own[5] + (self.pods.figures[self.kind[at], FLOOR_VARIANCE] if floors_vary else 0.0)
            means[parts], seconds[parts] = count * mean, count * (second + mean * mean)
            parts += 1
            if self.parts[of] == 1:
                for number in range(REPORTED):
                    out[6 + number, place] = self.level(at, number, self.reported[number], floors_vary)
            else:
                for number in range(self.every_level.shape[0]):
                    levels_s[row, number] = self.level(at, number, number, floors_vary)
                row += 1
        if parts == 0:
            lost += offered
            out[5, place] = out[11, place] = NAN
            for number in range(REPORTED):
                out[6 + number, place] = NAN
        else:
            mean = total(means, parts) / self.members[of]
            second = total(seconds, parts) / self.members[of] - mean * mean
            out[5, place], out[11, place] = mean, (second if second > 0.0 else 0.0)
        finished = served + lost
        out[0, place], out[1, place], out[2, place], out[3, place] = offered, served, lost - late, late
        out[4, place], out[10, place] = kept, lost / (finished if finished > 0.0 else 1.0)
        out[12, place], out[13, place], out[14, place] = throttled, 0.0, lost
        return row

    cdef inline double level(self, Py_ssize_t at, Py_ssize_t number, Py_ssize_t level, bint floors_vary) noexcept:
        if not floors_vary:
            return self.own[at, ROWS + number]
        return self.pods.with_floor(self.kind[at], &self.own[at, 0], number, level)


cdef double total(const double* values, Py_ssize_t count) noexcept:
    """The sum of numbers in the order in which `numpy.add.reduceat` adds them: to the first that of the others."""
    cdef double[BLOCK] sums
    cdef double others = 0.0
    cdef Py_ssize_t at, number, whole = 1 + (count - 1) // BLOCK * BLOCK
    if count == 1:
        return values[0]
    if count <= BLOCK:
        for at in range(1, count):
            others += values[at]
        return values[0] + others
    for number in range(BLOCK):
        sums[number] = values[1 + number]
    for at in range(1 + BLOCK, whole, BLOCK):
        for number in range(BLOCK):
            sums[number] += values[at + number]
    others = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
    for at in range(whole, count):
        others += values[at]
    return values[0] + others
