"""A pod under a CPU quota over one load step.

Compiled twin of `step_pods` (`workloads/load/step/pod_queue.py`), and of what it calls, for a pod that is under a quota.
What it loses by chance comes from `calm_losses.py`, whose laws need `exp`. `quota_step.pyx` makes steps of workloads of it.
"""

import numpy as np

from libc.math cimport INFINITY, fabs, sqrt

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    STEEP = 0
    MEAN = 1
    VARIANCE = 2
    THROTTLED = 3
    LEVELS = 4
    MOST_SUBSTEPS = 16

cdef double FULL = 1.0 - 1e-14
cdef double TOLERANCE = 1e-3
cdef double STILL = 1e-12


cdef class QuotaPods:
    """Kinds of like pods, and the tables of their responses by load."""

    def __init__(self, calm):
        """`calm`: the loads up to which a queue can be calm, and from which on it may be near saturation."""
        self.calm_most, self.near_full = calm
        self.kinds = 0

    def know(self, tables, make, numbers, figures):
        """Look at these columns from now on.

        `tables`: loads, requests held at all but the first of them, slopes, rows, and how many rows there are of each;
        `make`: called with a table and how many rows of it are needed. `numbers`: by kind its table; 0 where requests
        queue, 1 where pods refuse what they have no worker for, 2 where pods get no more; whether some are lost by
        chance, and whether the latency floor varies.
        `figures`: by kind those of `PodGroups` in the order of `quota_pod.pxd`; then levels that responses never exceed, and
        what the scatter of the latency floor adds to each level.
        """
        self.load, self.held_at, self.slope, self.rows, self.known = tables
        self.make, self.numbers, self.figures = make, numbers, figures
        self.needed = np.zeros(self.known.shape[0], np.int64)
        self.loads, self.levels, self.kinds = self.load.shape[0], self.rows.shape[2] - LEVELS, self.numbers.shape[0]
        self.near = np.zeros((self.kinds, 2), np.int64)  # cells that were looked up last: by requests, and by load
        self.lacks = True

    cdef bint missing(self):
        """Whether rows were looked up that had not been made, and now are: what followed from them is to be done again."""
        cdef Py_ssize_t table
        cdef bint lacked = self.lacks
        self.lacks = False
        if lacked:
            for table in range(self.known.shape[0]):
                if self.needed[table] > self.known[table]:
                    self.make(table, self.needed[table])
        return lacked

    cdef void one(
        self, Py_ssize_t kind, double rate, double held, double dt_s, const double* chance,
        const long long[::1] wanted, double* out,
    ) noexcept:
        """A step of a pod that gets `rate` requests per second and holds `held`; of the levels the `wanted` ones.

        `chance`: requests per second that it takes in, those that it loses, those of them that time out; how many it holds at
        most. NULL: chance takes nothing. Written are: requests held, served and lost, share of throttled time; mean and
        variance of the response, its fixed part, wait and decay of the calm queue, those lost that timed out; then levels.
        """
        cdef Pod pod
        cdef Py_ssize_t table = self.numbers[kind, TABLE]
        pod.own, pod.load, pod.held_at = &self.figures[kind, 0], &self.load[0], &self.held_at[table, 0]
        pod.rows, pod.slope, pod.near = &self.rows[table, 0, 0], &self.slope[table, 0], &self.near[kind, 0]
        pod.loads, pod.levels, pod.needed = self.loads, self.levels, 0
        pod.calm_most, pod.near_full = self.calm_most, self.near_full
        step(&pod, self.numbers[kind, MODE], rate, held, dt_s, chance, out)
        respond(&pod, out[0], rate if chance == NULL else chance[TAKEN], wanted, out)
        if pod.needed > self.known[table]:
            self.lacks = True
            if pod.needed > self.needed[table]:
                self.needed[table] = pod.needed

    cdef double with_floor(self, Py_ssize_t kind, const double* out, Py_ssize_t number, Py_ssize_t level) noexcept:
        """One of the levels that were written by `one`, with the scatter of the latency floor."""
        cdef double level_s = out[ROWS + number], mean_s = out[4], apart = level_s - mean_s
        apart = apart * fabs(apart) + self.figures[kind, OWN + self.levels + level]
        return most_of(mean_s + (sqrt(apart) if apart > 0.0 else -sqrt(-apart)), 0.0)


cdef struct Pod:
    const double* own  # figures of its kind
    const double* load
    const double* held_at  # of its table
    const double* slope
    const double* rows
    long long* near
    Py_ssize_t loads
    Py_ssize_t levels
    long long needed  # rows of its table that were looked at
    double calm_most
    double near_full


cdef struct Cell:
    long long low  # the lower of two loads
    double part  # of the way to the next one


cdef void step(
    Pod* pod, long long mode, double rate, double held, double dt_s, const double* chance, double* out
) noexcept:
    """What a pod holds, serves and loses, and how long it is throttled."""
    cdef const double* own = pod.own
    cdef double could = own[CAPACITY_RATE] * dt_s
    cdef double available, end, served, refused = 0.0, late = 0.0
    if chance != NULL:
        rate = chance[TAKEN]
    available = held + rate * dt_s
    if mode == FINISHES:
        served = least_of(held, could)
        end = held - served
    elif mode == REFUSES:
        end = least_of(available, own[SERVERS] * least_of(1.0, rate / own[CAPACITY_RATE]))
        served = least_of(available - end, could)
        refused = available - end - served
    else:
        end = advanced(pod, held, rate * dt_s, could)
        served = available - end
        if end > own[LIMIT]:
            refused, end = end - own[LIMIT], own[LIMIT]
            late = refused if own[TIMES_OUT] else 0.0
        if chance != NULL:
            lose_by_chance(own, chance, could, dt_s, &end, &served, &refused, &late)
    out[0], out[1], out[2], out[9] = end, served, refused, late
    out[3] = throttled(pod, least_of(served / dt_s / own[CAPACITY_RATE], 1.0))


cdef double advanced(Pod* pod, double held, double arrived, double could) noexcept:
    """Requests at a pod at the end of the step (`latency/saturation.py`)."""
    cdef double available = held + arrived
    cdef double coarse = implicit(pod, held, arrived, could)
    cdef double fine = implicit(pod, held, 0.5 * arrived, 0.5 * could)
    cdef double finer, end, lowest
    cdef int substeps = 2, number
    fine = implicit(pod, fine, 0.5 * arrived, 0.5 * could)
    while substeps < MOST_SUBSTEPS and fabs(fine - coarse) > TOLERANCE * (0.1 + fine):
        substeps *= 2
        finer = held
        for number in range(substeps):
            finer = implicit(pod, finer, arrived / substeps, could / substeps)
        coarse, fine = fine, finer
    lowest = most_of(0.0, available - could)
    end = 2.0 * fine - coarse
    if not (lowest <= end and end <= available):
        end = least_of(available, most_of(lowest, fine))
    if fabs(end - held) <= STILL * end:
        end = least_of(held, available)
    return end

cdef inline double implicit(Pod* pod, double held, double arrived, double could) noexcept:
    cdef double available = held + arrived
    return most_of(0.0, available - could * busy_share(pod, available, could))


cdef double busy_share(Pod* pod, double available, double could) noexcept:
    """`QuotaTables.share`."""
    cdef double capacity = could + pod.own[FLOOR_LOAD], low, free, steep, slope, missing, fall
    cdef long long cell = pod.near[0]
    available = most_of(available, 0.0)
    while cell < pod.loads - 1 and pod.held_at[cell] + capacity * pod.load[cell + 1] <= available:
        cell += 1
    while cell > 0 and not pod.held_at[cell - 1] + capacity * pod.load[cell] <= available:
        cell -= 1
    pod.near[0] = cell
    look_at(pod, cell)
    low, steep, slope = pod.load[cell], row(pod, cell)[STEEP], pod.slope[cell]
    free = 1.0 - low
    missing = (available - capacity * low) * free - low * steep
    fall = available + steep + low * slope + capacity * (free - low)
    low += 2.0 * missing / (fall + sqrt(most_of(fall * fall - 4.0 * (capacity - slope) * missing, 0.0)))
    return least_of(low, FULL)


cdef void respond(Pod* pod, double held, double rate, const long long[::1] wanted, double* out) noexcept:
    """Latency at a pod with so many requests (`_latency` in `pod_queue.py`)."""
    cdef const double* own = pod.own
    cdef double rho = least_of(rate / own[CAPACITY_RATE], pod.calm_most), servers = own[SERVERS]
    cdef Cell at = cell_of(pod, rho)
    cdef double decay = servers * (1.0 - rho), waiting = steepness(pod, at) - decay
    cdef double calm = servers * rho * (1.0 + waiting / decay) + own[FLOOR_LOAD] * rho
    cdef double longest = held, fixed_s, most
    if rho > pod.near_full:
        most = number_at(pod, pod.calm_most)
        if held > most:
            longest = most_of(number_at(pod, pod.near_full), most - own[SHRINKS] * (held - most))
            longest = least_of(held, longest)
    longest = least_of(longest, most_of(servers, own[LIMIT] - held))
    if longest < calm:
        rho = least_of(rho, busy_share(pod, longest, 0.0))
        at = cell_of(pod, rho)
        decay = servers * (1.0 - rho)
        waiting = steepness(pod, at) - decay
        calm = longest
    fixed_s = own[FLOOR_S] + (held - calm) / own[CAPACITY_RATE]
    out[6], out[7], out[8] = fixed_s, most_of(waiting, 0.0), decay
    look_up(pod, at, 1.0 - rho, fixed_s, wanted, out)


cdef void look_up(
    Pod* pod, Cell at, double free, double fixed_s, const long long[::1] wanted, double* out
) noexcept:
    """`QuotaTables.responses`, after a fixed time; of the levels the `wanted` ones."""
    cdef const double* low = row(pod, at.low)
    cdef const double* high = row(pod, at.low + 1)
    cdef const double* latest = pod.own + OWN
    cdef double part = at.part
    cdef Py_ssize_t number
    cdef long long level
    out[4] = fixed_s + (low[MEAN] + part * (high[MEAN] - low[MEAN])) / free
    out[5] = (low[VARIANCE] + part * (high[VARIANCE] - low[VARIANCE])) / free / free
    for number in range(wanted.shape[0]):
        level = wanted[number]
        out[ROWS + number] = least_of((
            low[LEVELS + level] + part * (high[LEVELS + level] - low[LEVELS + level])
        ) / free + fixed_s, latest[level])


cdef double number_at(Pod* pod, double rho) noexcept:
    """`Laws.number`."""
    cdef double servers = pod.own[SERVERS]
    cdef double decay = servers * (1.0 - rho), waiting = steepness(pod, cell_of(pod, rho)) - decay
    return servers * rho * (1.0 + waiting / decay) + pod.own[FLOOR_LOAD] * rho


cdef double throttled(Pod* pod, double rho) noexcept:
    """`QuotaTables.throttled`."""
    cdef Cell at = cell_of(pod, rho)
    cdef double low = row(pod, at.low)[THROTTLED], high = row(pod, at.low + 1)[THROTTLED]
    return low + least_of(at.part, 1.0) * (high - low)


cdef inline double steepness(Pod* pod, Cell at) noexcept:
    """`QuotaTables.steepness`."""
    cdef double low = row(pod, at.low)[STEEP], high = row(pod, at.low + 1)[STEEP]
    return low + at.part * (high - low)


cdef Cell cell_of(Pod* pod, double rho) noexcept:
    """The last one of the loads that is not above `rho`, but one, and the part of the way to the next."""
    cdef Cell found
    cdef long long cell = pod.near[1]
    while cell < pod.loads - 2 and pod.load[cell + 1] <= rho:
        cell += 1
    while cell > 0 and pod.load[cell] > rho:
        cell -= 1
    pod.near[1] = cell
    look_at(pod, cell)
    found.low = cell
    found.part = (least_of(rho, pod.load[pod.loads - 1]) - pod.load[cell]) / (pod.load[cell + 1] - pod.load[cell])
    return found


cdef inline const double* row(Pod* pod, long long cell) noexcept:
    return pod.rows + cell * (LEVELS + pod.levels)


cdef inline void look_at(Pod* pod, long long cell) noexcept:
    """The rows at both ends of a cell are needed; the last cell has one."""
    cdef long long rows = cell + 2 if cell + 2 < pod.loads else pod.loads
    if rows > pod.needed:
        pod.needed = rows


cdef inline void lose_by_chance(
    const double* own, const double* chance, double could, double dt_s, double* end, double* served, double* lost,
    double* late,
) noexcept:
    """`with_losses` (`calm_losses.py`)."""
    cdef double most = chance[MOST], excess = most_of(end[0] - most, 0.0), beyond = excess, more
    cdef bint bounded = most < INFINITY and not own[TIMES_OUT]
    if bounded:
        beyond = excess + lost[0]
        lost[0] = 0.0
    more = least_of(beyond, most_of(could - served[0], 0.0))
    lost[0] = lost[0] + beyond - more + chance[LOST] * dt_s
    end[0], served[0] = end[0] - excess, served[0] + more
    late[0] = late[0] + chance[LATE] * dt_s


cdef inline double least_of(double one, double other) noexcept:
    return one if one < other else other


cdef inline double most_of(double one, double other) noexcept:
    return one if one > other else other
