"""Pods under a CPU quota over one load step.

Compiled twin of `step_pods` (`workloads/load/step/pod_queue.py`), and of what it calls, for groups that are all under a
quota. It is the twin of `step_workloads` (`workloads/load/step/load_step.py`), too, where each workload has one group, or
a few. What groups lose by chance comes from `calm_losses.py`, whose laws need `exp`.
"""

import numpy as np

from libc.math cimport INFINITY, NAN, fabs, sqrt

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    ROWS = 10  # of what a step returns, before those of the levels
    FIGURES = 15  # of `WorkloadSteps`, before what a pod holds and has served
    TAKEN = 0  # rows of what chance loses
    LOST = 1
    LATE = 2
    MOST = 3
    REPORTED = 4
    QUEUES = 0
    REFUSES = 1
    FINISHES = 2
    STEEP = 0
    MEAN = 1
    VARIANCE = 2
    THROTTLED = 3
    LEVELS = 4
    MOST_SUBSTEPS = 16

cdef double FULL = 1.0 - 1e-14
cdef double TOLERANCE = 1e-3
cdef double STILL = 1e-12


cdef class QuotaStep:
    """Groups of like pods, and the tables of their responses by load."""

    cdef Py_ssize_t count, loads, levels
    cdef double calm_most, near_full
    cdef const double[::1] load
    cdef const double[:, ::1] held_at, slope
    cdef const double[:, :, ::1] rows
    cdef const long long[::1] table
    cdef const long long[::1] kind
    cdef const double[::1] capacity_rate, servers, floor_load, floor_s, shrinks, limit, times_out
    cdef const double[:, ::1] latest
    cdef long long[:, ::1] near
    cdef object make
    cdef const long long[::1] known
    cdef long long[::1] needed
    cdef bint lacks
    cdef const double[::1] pods, floor_variance
    cdef const long long[::1] every_level, reported, service, mixed
    cdef const double[::1] members, shares
    cdef const double[:, ::1] scatter
    cdef bint floors_vary
    cdef double[:, ::1] own
    cdef const double[:, ::1] chance
    cdef bint loses

    def __init__(self, tables, make, table, kind, columns, parts, latest, calm, reported, floors):
        """`tables`: loads, requests held at all but the first of them, slopes, rows, and how many rows there are of each;
        `make`: called with a table and how many rows of it are needed; `table`: which one a group has.

        `kind`: 0 where requests queue, 1 where pods refuse what they have no worker for, 2 where pods get no more;
        `columns`: of the groups; `parts`: their workloads, their rows among those that are mixed with others (-1: they
        are not), how many pods they have, and what each of these gets of the load of its workload. `latest`: a row for each group, levels that
        responses never exceed; `calm`: the loads up to which a queue can be calm, and from which on it may be near
        saturation. `reported`: the levels that are percentiles; `floors`: what the scatter of latency floors adds to all
        levels (a row for each group) and to the variance, None where no floor varies.
        """
        self.load, self.held_at, self.slope, self.rows, self.known = tables
        self.make, self.needed = make, np.zeros(self.known.shape[0], np.int64)
        self.table, self.kind, self.latest = table, kind, latest
        self.capacity_rate, self.servers, self.floor_load, self.floor_s, self.shrinks, self.pods = columns[:6]
        self.limit, self.times_out = columns[6:]
        self.service, self.mixed, self.members, self.shares = parts
        self.calm_most, self.near_full = calm
        self.count, self.loads = self.table.shape[0], self.load.shape[0]
        self.levels = self.rows.shape[2] - LEVELS
        self.every_level, self.reported = np.arange(self.levels), reported
        self.floors_vary = floors is not None
        if self.floors_vary:
            self.scatter, self.floor_variance = floors
        self.own = np.empty((self.count, ROWS + self.levels))
        self.near = np.zeros((self.count, 2), np.int64)  # cells that were looked up last: by requests, and by load
        self.loses = False

    def step(self, const double[::1] rate, const double[::1] held, const double[::1] dt_s, losses):
        """A step of pods that get `rate` requests per second each and hold `held`.

        `losses`: what chance takes, None for nothing. Rows, a column a group: requests per second that a pod takes in, those
        that it loses, those of them that time out; how many it holds at most.
        Rows: requests held, served and lost, share of throttled time; mean and variance of the response, its fixed
        part, wait and decay of the calm queue, those lost that timed out; then the levels of the response.
        """
        cdef Py_ssize_t at
        self.lose(losses)
        self.lacks = True
        while self.lacks:
            self.make_rows()
            for at in range(self.count):
                self.one(at, rate[at], held[at], dt_s[at], self.every_level)
        return np.array(self.own.T, order="C")

    def step_workloads(self, const double[::1] rate, const double[::1] held, const double[::1] dt_s, losses):
        """A step of workloads that get `rate` requests per second, each with one of the groups, which gets all of them.

        Rows of `WorkloadSteps`, then what a pod of each holds and has served.
        """
        found = np.empty((FIGURES + 2, self.count))
        cdef double[:, ::1] out = found
        cdef Py_ssize_t at
        self.lose(losses)
        self.lacks = True
        while self.lacks:
            self.make_rows()
            for at in range(self.count):
                self.one(at, rate[at] / self.pods[at], held[at], dt_s[at], self.reported)
                self.sum_up(at, rate[at] * dt_s[at], out)
        return found

    def step_parts(
        self, const double[::1] rate, const double[::1] held, const double[::1] dt_s, losses, Py_ssize_t mixed
    ):
        """A step of workloads that get `rate` requests per second each, with any number of the groups; `mixed` of
        these share a workload with others that get requests.

        Rows of `WorkloadSteps`, without the percentiles of mixtures; what a pod of each group holds and has served; and a row
        of levels for each of the mixed groups.
        """
        found, work, responses = np.empty((FIGURES, len(rate))), np.empty((2, self.count)), np.empty((mixed, self.levels))
        cdef double[:, ::1] out = found, kept = work, levels_s = responses
        cdef Py_ssize_t at, of, first
        self.lose(losses)
        self.lacks = True
        while self.lacks:
            self.make_rows()
            for at in range(self.count):
                of = self.service[at]
                self.one(
                    at, rate[of] * self.shares[at], held[at], dt_s[of],
                    self.reported if self.mixed[at] < 0 else self.every_level,
                )
                kept[0, at], kept[1, at] = self.own[at, 0], self.own[at, 1]
            at = 0
            for of in range(rate.shape[0]):
                first = at
                while at < self.count and self.service[at] == of:
                    at += 1
                self.sum_up_parts(first, at, of, rate[of] * dt_s[of], out, levels_s)
        return found, work, responses

    cdef void sum_up_parts(
        self, Py_ssize_t first, Py_ssize_t end, Py_ssize_t of, double offered, double[:, ::1] out, double[:, ::1] levels_s
    ) noexcept:
        """The figures of a workload from those of its groups, in the order in which `numpy` sums few numbers."""
        cdef double served = 0.0, lost = 0.0, late = 0.0, kept = 0.0, throttled = 0.0, pods = 0.0, finished
        cdef double variance, mean, second
        cdef double[3] at_first
        cdef double[3] others
        cdef Py_ssize_t at, number, parts = 0
        for at in range(first, end):
            served += self.members[at] * self.own[at, 1]
            lost += self.members[at] * self.own[at, 2]
            late += self.members[at] * self.own[at, 9]
            kept += self.members[at] * self.own[at, 0]
            throttled += self.members[at] * self.shares[at] * self.own[at, 3]
            if self.kind[at] == FINISHES:
                continue
            mean = self.own[at, 4]
            variance = self.own[at, 5] + (self.floor_variance[at] if self.floors_vary else 0.0)
            if parts == 0:
                at_first[0], at_first[1] = self.members[at], self.members[at] * mean
                at_first[2] = self.members[at] * (variance + mean * mean)
                others[0] = others[1] = others[2] = 0.0
            else:
                others[0] += self.members[at]
                others[1] += self.members[at] * mean
                others[2] += self.members[at] * (variance + mean * mean)
            parts += 1
            if self.mixed[at] < 0:
                for number in range(REPORTED):
                    out[6 + number, of] = self.with_floor(at, number, self.reported[number])
            else:
                for number in range(self.levels):
                    levels_s[self.mixed[at], number] = self.with_floor(at, number, number)
        if parts == 0:
            lost += offered
            out[5, of] = out[11, of] = NAN
            for number in range(REPORTED):
                out[6 + number, of] = NAN
        else:
            pods = at_first[0] + others[0]
            mean, second = (at_first[1] + others[1]) / pods, (at_first[2] + others[2]) / pods
            out[5, of], out[11, of] = mean, most_of(second - mean * mean, 0.0)
        finished = served + lost
        out[0, of], out[1, of], out[2, of], out[3, of], out[4, of] = offered, served, lost - late, late, kept
        out[10, of] = lost / (finished if finished > 0.0 else 1.0)
        out[12, of], out[13, of], out[14, of] = throttled, 0.0, lost

    cdef inline double with_floor(self, Py_ssize_t at, Py_ssize_t number, Py_ssize_t level) noexcept:
        """One of the levels of a group that were looked up, with the scatter of its latency floor."""
        cdef double level_s = self.own[at, ROWS + number], mean_s = self.own[at, 4], apart
        if not self.floors_vary:
            return level_s
        apart = level_s - mean_s
        apart = apart * fabs(apart) + self.scatter[at, level]
        return most_of(mean_s + (sqrt(apart) if apart > 0.0 else -sqrt(-apart)), 0.0)

    cdef lose(self, losses):
        self.loses = losses is not None
        if self.loses:
            self.chance = losses

    cdef make_rows(self):
        """Have the rows made that were looked up and are missing: what followed from them is done again."""
        cdef Py_ssize_t table
        self.lacks = False
        for table in range(self.known.shape[0]):
            if self.needed[table] > self.known[table]:
                self.make(table, self.needed[table])

    cdef inline void look_at(self, Py_ssize_t table, Py_ssize_t cell) noexcept:
        """The rows at both ends of a cell are needed; the last cell has one."""
        cdef Py_ssize_t rows = cell + 2 if cell + 2 < self.loads else self.loads
        if rows > self.known[table]:
            self.lacks = True
            if rows > self.needed[table]:
                self.needed[table] = rows

    cdef void sum_up(self, Py_ssize_t at, double offered, double[:, ::1] out) noexcept:
        """The figures of a workload from those of its pods."""
        cdef double pods = self.pods[at]
        cdef double served = pods * self.own[at, 1], lost = pods * self.own[at, 2], late = pods * self.own[at, 9]
        cdef double finished = served + lost
        cdef Py_ssize_t number
        out[0, at], out[1, at], out[2, at], out[3, at] = offered, served, lost - late, late
        out[4, at], out[5, at] = pods * self.own[at, 0], self.own[at, 4]
        for number in range(REPORTED):
            out[6 + number, at] = self.with_floor(at, number, self.reported[number])
        out[10, at] = lost / (finished if finished > 0.0 else 1.0)
        out[11, at] = self.own[at, 5] + (self.floor_variance[at] if self.floors_vary else 0.0)
        out[12, at], out[13, at], out[14, at] = self.own[at, 3], 0.0, lost
        out[FIGURES, at], out[FIGURES + 1, at] = self.own[at, 0], self.own[at, 1]

    cdef void one(
        self, Py_ssize_t at, double rate, double held, double dt_s, const long long[::1] wanted
    ) noexcept:
        """A step of a pod of one group, written to its row of `own`; of the levels the `wanted` ones."""
        cdef double* out = &self.own[at, 0]
        cdef double could = self.capacity_rate[at] * dt_s
        cdef double available, end, served, refused = 0.0, late = 0.0
        if self.loses:
            rate = self.chance[TAKEN, at]
        available = held + rate * dt_s
        if self.kind[at] == FINISHES:
            served = least_of(held, could)
            end = held - served
        elif self.kind[at] == REFUSES:
            end = least_of(available, self.servers[at] * least_of(1.0, rate / self.capacity_rate[at]))
            served = least_of(available - end, could)
            refused = available - end - served
        else:
            end = self.advanced(at, held, rate * dt_s, could)
            served = available - end
            if end > self.limit[at]:
                refused, end = end - self.limit[at], self.limit[at]
                late = refused if self.times_out[at] else 0.0
            if self.loses:
                self.lose_by_chance(at, could, dt_s, &end, &served, &refused, &late)
        out[0], out[1], out[2], out[9] = end, served, refused, late
        out[3] = self.throttled(at, least_of(served / dt_s / self.capacity_rate[at], 1.0))
        self.respond(at, end, rate, wanted, out)

    cdef inline void lose_by_chance(
        self, Py_ssize_t at, double could, double dt_s, double* end, double* served, double* lost, double* late
    ) noexcept:
        """`with_losses` (`calm_losses.py`)."""
        cdef double most = self.chance[MOST, at], excess = most_of(end[0] - most, 0.0), beyond = excess, more
        cdef bint bounded = most < INFINITY and not self.times_out[at]
        if bounded:
            beyond = excess + lost[0]
            lost[0] = 0.0
        more = least_of(beyond, most_of(could - served[0], 0.0))
        lost[0] = lost[0] + beyond - more + self.chance[LOST, at] * dt_s
        end[0], served[0] = end[0] - excess, served[0] + more
        late[0] = late[0] + self.chance[LATE, at] * dt_s

    cdef double advanced(self, Py_ssize_t at, double held, double arrived, double could) noexcept:
        """Requests at a pod at the end of the step (`latency/saturation.py`)."""
        cdef double available = held + arrived
        cdef double coarse = self.implicit(at, held, arrived, could)
        cdef double fine = self.implicit(at, held, 0.5 * arrived, 0.5 * could)
        cdef double finer, end, lowest
        cdef int substeps = 2, number
        fine = self.implicit(at, fine, 0.5 * arrived, 0.5 * could)
        while substeps < MOST_SUBSTEPS and fabs(fine - coarse) > TOLERANCE * (0.1 + fine):
            substeps *= 2
            finer = held
            for number in range(substeps):
                finer = self.implicit(at, finer, arrived / substeps, could / substeps)
            coarse, fine = fine, finer
        lowest = most_of(0.0, available - could)
        end = 2.0 * fine - coarse
        if not (lowest <= end and end <= available):
            end = least_of(available, most_of(lowest, fine))
        if fabs(end - held) <= STILL * end:
            end = least_of(held, available)
        return end

    cdef double implicit(self, Py_ssize_t at, double held, double arrived, double could) noexcept:
        cdef double available = held + arrived
        return most_of(0.0, available - could * self.busy_share(at, available, could))

    cdef double busy_share(self, Py_ssize_t at, double available, double could) noexcept:
        """`QuotaTables.share`."""
        cdef double capacity = could + self.floor_load[at], low, free, steep, slope, missing, fall
        cdef Py_ssize_t table = self.table[at], cell = self.near[at, 0]
        available = most_of(available, 0.0)
        while cell < self.loads - 1 and self.held_at[table, cell] + capacity * self.load[cell + 1] <= available:
            cell += 1
        while cell > 0 and not self.held_at[table, cell - 1] + capacity * self.load[cell] <= available:
            cell -= 1
        self.near[at, 0] = cell
        self.look_at(table, cell)
        low, steep, slope = self.load[cell], self.rows[table, cell, STEEP], self.slope[table, cell]
        free = 1.0 - low
        missing = (available - capacity * low) * free - low * steep
        fall = available + steep + low * slope + capacity * (free - low)
        low += 2.0 * missing / (fall + sqrt(most_of(fall * fall - 4.0 * (capacity - slope) * missing, 0.0)))
        return least_of(low, FULL)

    cdef void respond(
        self, Py_ssize_t at, double held, double rate, const long long[::1] wanted, double* out
    ) noexcept:
        """Latency at a pod with so many requests (`_latency` in `pod_queue.py`)."""
        cdef double rho = least_of(rate / self.capacity_rate[at], self.calm_most), servers = self.servers[at]
        cdef double decay = servers * (1.0 - rho), waiting = self.steepness(at, rho) - decay
        cdef double calm = servers * rho * (1.0 + waiting / decay) + self.floor_load[at] * rho
        cdef double longest = held, fixed_s, most
        if rho > self.near_full:
            most = self.number(at, self.calm_most)
            if held > most:
                longest = most_of(self.number(at, self.near_full), most - self.shrinks[at] * (held - most))
                longest = least_of(held, longest)
        longest = least_of(longest, most_of(servers, self.limit[at] - held))
        if longest < calm:
            rho = least_of(rho, self.busy_share(at, longest, 0.0))
            decay = servers * (1.0 - rho)
            waiting = self.steepness(at, rho) - decay
            calm = longest
        fixed_s = self.floor_s[at] + (held - calm) / self.capacity_rate[at]
        out[6], out[7], out[8] = fixed_s, most_of(waiting, 0.0), decay
        self.look_up(at, rho, fixed_s, wanted, out)

    cdef void look_up(
        self, Py_ssize_t at, double rho, double fixed_s, const long long[::1] wanted, double* out
    ) noexcept:
        """`QuotaTables.responses`, after a fixed time; of the levels the `wanted` ones."""
        cdef Py_ssize_t cell = self.cell(at, rho), number, level
        cdef double part = self.part(rho, cell), free = 1.0 - rho
        cdef const double* low = &self.rows[self.table[at], cell, 0]
        cdef const double* high = &self.rows[self.table[at], cell + 1, 0]
        cdef const double* latest = &self.latest[at, 0]
        out[4] = fixed_s + (low[MEAN] + part * (high[MEAN] - low[MEAN])) / free
        out[5] = (low[VARIANCE] + part * (high[VARIANCE] - low[VARIANCE])) / free / free
        for number in range(wanted.shape[0]):
            level = wanted[number]
            out[ROWS + number] = least_of((
                low[LEVELS + level] + part * (high[LEVELS + level] - low[LEVELS + level])
            ) / free + fixed_s, latest[level])

    cdef double number(self, Py_ssize_t at, double rho) noexcept:
        """`Laws.number`."""
        cdef double decay = self.servers[at] * (1.0 - rho), waiting = self.steepness(at, rho) - decay
        return self.servers[at] * rho * (1.0 + waiting / decay) + self.floor_load[at] * rho

    cdef double throttled(self, Py_ssize_t at, double rho) noexcept:
        cdef Py_ssize_t table = self.table[at], cell = self.cell(at, rho)
        cdef double low = self.rows[table, cell, THROTTLED], high = self.rows[table, cell + 1, THROTTLED]
        return low + least_of(self.part(rho, cell), 1.0) * (high - low)

    cdef double steepness(self, Py_ssize_t at, double rho) noexcept:
        cdef Py_ssize_t table = self.table[at], cell = self.cell(at, rho)
        cdef double low = self.rows[table, cell, STEEP], high = self.rows[table, cell + 1, STEEP]
        return low + self.part(rho, cell) * (high - low)

    cdef Py_ssize_t cell(self, Py_ssize_t at, double rho) noexcept:
        """The last one of the loads that is not above `rho`, but one."""
        cdef Py_ssize_t table = self.table[at], cell = self.near[at, 1]
        while cell < self.loads - 2 and self.load[cell + 1] <= rho:
            cell += 1
        while cell > 0 and self.load[cell] > rho:
            cell -= 1
        self.near[at, 1] = cell
        self.look_at(table, cell)
        return cell

    cdef double part(self, double rho, Py_ssize_t cell) noexcept:
        cdef double known = least_of(rho, self.load[self.loads - 1])
        return (known - self.load[cell]) / (self.load[cell + 1] - self.load[cell])


cdef inline double least_of(double one, double other) noexcept:
    return one if one < other else other


cdef inline double most_of(double one, double other) noexcept:
    return one if one > other else other
