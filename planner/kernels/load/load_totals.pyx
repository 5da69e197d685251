"""Sums over load steps: compiled twin of `LoadTotals.add` (`metrics/totals.py`), and of the question whether waits in a
backlog have to be followed (`BacklogWaits`, `workloads/load/backlog_waits.py`)."""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    OFFERED = 0
    SERVED = 1
    LOST = 2
    REJECTED = 3
    TIMED_OUT = 4
    RETRIED = 5
    THROTTLED = 6

cdef double US_PER_S = 1e6
cdef long long SHORTEST_US = 1_000_000


cdef class LoadSums:
    """The columns of one `LoadTotals`, by position of the workload."""

    cdef double[:, ::1] flows
    cdef double[::1] met_offered, worst_p95_s, worst_p99_s, slo_missed, ever_served
    cdef long long[::1] looked_us, met_us, worst_p95_us, worst_p99_us
    cdef const unsigned char[::1] given
    cdef const long long[::1] percentile, target_us
    cdef const double[::1] most_errors
    cdef object steps  # the latest ones, and their columns
    cdef const double[:] offered, served, rejected, timed_out, in_flight, p50_s, p90_s, p95_s, p99_s
    cdef const double[:] errors, throttled, retried, gave_up

    def __init__(self, flows, objectives, met, worst, ever_served):
        """`flows`: a row for each of `Flows.FIELDS`; `objectives`: which workloads have one, position of its
        percentile, target and error ratio; `met`: time looked at and met, requests met, and what was missed at last;
        `worst`: 95th and 99th percentile, each with its moment; `ever_served`: since the start of the run."""
        self.flows, self.ever_served = flows, ever_served
        self.given, self.percentile, self.target_us, self.most_errors = objectives
        self.looked_us, self.met_us, self.met_offered, self.slo_missed = met
        self.worst_p95_s, self.worst_p95_us, self.worst_p99_s, self.worst_p99_us = worst

    def add(self, const long long[::1] positions, const long long[::1] start_us, const long long[::1] step_us, steps):
        """Count one load step of the workloads at these positions; whether a backlog of one is longer than a step."""
        cdef Py_ssize_t at, to
        cdef bint is_behind = False
        if steps is not self.steps:
            self.read(steps)
        for at in range(positions.shape[0]):
            to = positions[at]
            self.flows[OFFERED, to] += self.offered[at]
            self.flows[SERVED, to] += self.served[at]
            self.flows[LOST, to] += self.gave_up[at]
            self.flows[REJECTED, to] += self.rejected[at]
            self.flows[TIMED_OUT, to] += self.timed_out[at]
            self.flows[RETRIED, to] += self.retried[at]
            self.flows[THROTTLED, to] += self.throttled[at] * <double>step_us[at]
            self.ever_served[to] += self.served[at]
            is_behind |= self.in_flight[at] * <double>step_us[at] > self.served[at] * <double>max(step_us[at], SHORTEST_US)
            if self.p95_s[at] > self.worst_p95_s[to]:
                self.worst_p95_s[to], self.worst_p95_us[to] = self.p95_s[at], start_us[at]
            if self.p99_s[at] > self.worst_p99_s[to]:
                self.worst_p99_s[to], self.worst_p99_us[to] = self.p99_s[at], start_us[at]
            if not self.given[to]:
                continue
            self.looked_us[to] += step_us[at]
            self.slo_missed[to] = 1.0
            if (
                self.in_time(to, self.p50_s[at], self.p90_s[at], self.p95_s[at], self.p99_s[at])
                and self.errors[at] <= self.most_errors[to]
            ) or (self.offered[at] == 0.0 and self.in_flight[at] == 0.0):
                self.slo_missed[to] = 0.0
                self.met_us[to] += step_us[at]
                self.met_offered[to] += self.offered[at]
        return is_behind

    cdef read(self, steps):
        """Steps of all workloads are mostly in the same columns."""
        (self.offered, self.served, self.rejected, self.timed_out, self.in_flight, _, self.p50_s, self.p90_s, self.p95_s,
         self.p99_s, self.errors, _, self.throttled, self.retried, self.gave_up) = steps
        self.steps = steps

    cdef bint in_time(self, Py_ssize_t to, double p50_s, double p90_s, double p95_s, double p99_s) noexcept:
        """Whether the percentile that the objective is about is within its target."""
        cdef long long which = self.percentile[to]
        cdef double seconds = p50_s if which == 0 else p90_s if which == 1 else p95_s if which == 2 else p99_s
        return seconds * US_PER_S <= <double>self.target_us[to]
