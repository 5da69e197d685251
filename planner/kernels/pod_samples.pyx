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


cdef struct Uses:
    # What pods have used, by row, and what they have in common with others of their group.
    const long long *before
    long long *last
    long long *total
    const long long *own
    Py_ssize_t owners
    const long long *group
    const double *spent
    const double *part
    Py_ssize_t members


cdef struct Samples:
    # By row: when the next sample is due and after how many draws, the latest one, and those that were scraped last.
    long long *due
    long long *drawn
    long long *taken
    long long *taken_total
    long long *new
    long long *new_total
    long long *old
    long long *old_total


cdef struct Steps:
    # What pods of each number used in the steps since samples were taken.
    Py_ssize_t steps
    Py_ssize_t numbers
    const unsigned long long *keys
    const long long *of
    const long long *until_us
    const long long *usage_milli
    const long long *total


cdef struct Served:
    long long usage_milli
    long long time_us
    long long window_us


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
        cdef Samples all = self.samples()
        cdef Served served
        cdef Py_ssize_t at, count = 0
        for at in range(pods.shape[0]):
            if self.serve(&all, pods[at], started_us[at], &served):
                out[0, count], out[1, count] = pods[at], served.usage_milli
                out[2, count], out[3, count] = served.time_us, served.window_us
                count += 1
        return found[:, :count]

    def group(
        self,
        const long long[::1] pods,
        const long long[::1] started_us,
        const unsigned long long[::1] keys,
        const long long[::1] kinds,
        alike,
        long long[::1] of,
    ):
        """Number the pods that have used the same so far and go on doing so, and write the number of each to `of`.

        `kinds`: of the pods; `alike`: besides what a pod of its kind has used; what it has spent on requests, its group
        (-1: none) and its part of what that does; by pod row, nothing for rows that are missing. Positions of the first
        pod of each number.
        """
        cdef const long long[::1] own, group
        cdef const double[::1] spent, part
        own, spent, group, part = alike
        cdef Py_ssize_t size = 64, at, like, slot
        while size < 2 * pods.shape[0]:
            size *= 2
        cdef int[::1] table = np.full(size, -1, np.int32)
        found = np.empty(pods.shape[0], np.int64)
        cdef long long[::1] first = found
        cdef long long row, count = 0, number = 0
        cdef unsigned long long mark
        cdef Uses uses
        uses.before, uses.last, uses.total = &self.columns[BEFORE, 0], &self.columns[LAST, 0], &self.columns[TOTAL, 0]
        uses.own, uses.owners = (&own[0] if own.shape[0] else NULL), own.shape[0]
        uses.group, uses.members = (&group[0] if group.shape[0] else NULL), group.shape[0]
        uses.spent, uses.part = (&spent[0] if group.shape[0] else NULL), (&part[0] if group.shape[0] else NULL)
        for at in range(pods.shape[0]):
            row = pods[at]
            if uses.last[row] == UNSEEN:
                self.begin(row, started_us[at], keys[at])
            if at and kinds[at] == kinds[at - 1] and same(&uses, row, pods[at - 1]):  # as a rule
                of[at] = number
                continue
            mark = mixed(<unsigned long long>uses.total[row] * 31 + <unsigned long long>kinds[at])
            if row < uses.members:
                mark = mixed(mark ^ <unsigned long long>uses.group[row])
            slot = <Py_ssize_t>(mark & <unsigned long long>(size - 1))
            while True:
                if table[slot] < 0:
                    table[slot] = <int>count
                    first[count] = at
                    number = count
                    count += 1
                    break
                like = <Py_ssize_t>first[table[slot]]
                if kinds[like] == kinds[at] and same(&uses, row, pods[like]):
                    number = table[slot]
                    break
                slot = (slot + 1) & (size - 1)
            of[at] = number
        return found[:count]

    def count_numbers(
        self,
        long long now_us,
        const double[::1] spent,
        const long long[::1] before,
        long long[::1] last_us,
        long long[::1] total,
        long long[::1] usage_milli,
    ):
        """As `count`, by number: until when pods were counted, and what they had used before 0 and by then.

        What they have used in between is written to `usage_milli`.
        """
        cdef Py_ssize_t at
        cdef long long length_us
        cdef double usage
        for at in range(spent.shape[0]):
            length_us = now_us - last_us[at]
            usage = whole(
                (spent[at] + <double>before[at] - <double>total[at]) / <double>(length_us if length_us > 1 else 1)
            )
            usage_milli[at] = <long long>usage if usage > 0.0 else 0
            total[at] += usage_milli[at] * (length_us if length_us > 0 else 0)
            last_us[at] = now_us

    def take_due(self, const long long[::1] pods, steps):
        """Take the samples that fell into some steps of pods of these numbers.

        `steps`: keys and numbers of the pods, ends of the steps; by step and number what a pod used in it, and had used
        until its end.
        """
        cdef Steps counted
        cdef Py_ssize_t at
        cdef Samples all = self.samples()
        self.read_steps(&counted, steps)
        if not counted.steps:
            return
        for at in range(pods.shape[0]):
            self.take_of(&all, &counted, at, pods[at])

    def show(self, const long long[::1] pods, const long long[::1] started_us, steps, long long visible_us, columns):
        """Take the samples that fell into `steps` (as in `take_due`, or nothing), and show what metrics-server returns
        of these pods after a scrape now: as `scrape` and `shown_samples.show`.

        `columns`: time, window, visible since and use by pod row, and which pods had none or used something else.
        """
        cdef long long[::1] time_us, window_us, shown_us, usage_milli
        cdef unsigned char[::1] is_changed
        time_us, window_us, shown_us, usage_milli, is_changed = columns
        cdef Steps counted
        cdef Served served
        cdef Py_ssize_t at
        cdef long long row
        cdef Samples all = self.samples()
        self.read_steps(&counted, steps)
        for at in range(pods.shape[0]):
            row = pods[at]
            if counted.steps:
                self.take_of(&all, &counted, at, row)
            if not self.serve(&all, row, started_us[at], &served):
                continue
            is_changed[row] |= (usage_milli[row] != served.usage_milli) | (time_us[row] == UNSEEN)
            usage_milli[row] = served.usage_milli
            time_us[row], window_us[row], shown_us[row] = served.time_us, served.window_us, visible_us

    cdef Samples samples(self) noexcept:
        cdef Samples found
        found.due, found.drawn = &self.columns[DUE, 0], &self.columns[DRAWN, 0]
        found.taken, found.taken_total = &self.columns[TAKEN, 0], &self.columns[TAKEN_TOTAL, 0]
        found.new, found.new_total = &self.columns[NEW, 0], &self.columns[NEW_TOTAL, 0]
        found.old, found.old_total = &self.columns[OLD, 0], &self.columns[OLD_TOTAL, 0]
        return found

    cdef read_steps(self, Steps *counted, steps):
        """Steps that are held elsewhere; none where there are no numbers."""
        cdef const unsigned long long[::1] keys
        cdef const long long[::1] of, until_us
        cdef const long long[:, ::1] usage_milli, total
        counted.steps = 0
        if not steps:
            return
        keys, of, until_us, usage_milli, total = steps
        if not until_us.shape[0] or not of.shape[0]:
            return
        counted.steps, counted.numbers = until_us.shape[0], total.shape[1]
        counted.keys, counted.of, counted.until_us = &keys[0], &of[0], &until_us[0]
        counted.usage_milli, counted.total = &usage_milli[0, 0], &total[0, 0]

    cdef inline void take_of(self, const Samples *all, const Steps *counted, Py_ssize_t at, long long row) noexcept:
        """Take the samples of one pod; all but the latest only move the beat on."""
        cdef long long latest_us = counted.until_us[counted.steps - 1]
        cdef long long next_us = all.due[row], moment_us = 0, drawn = all.drawn[row]
        cdef Py_ssize_t step = 0, place, one
        if next_us > latest_us:
            return
        while next_us <= latest_us:
            moment_us = next_us
            next_us = moment_us + self.distance_us(drawn, counted.keys[at])
            drawn += 1
        for one in range(counted.steps - 1):  # without a guess at where it ends
            step += counted.until_us[one] < moment_us
        place = step * counted.numbers + counted.of[at]
        all.due[row], all.drawn[row], all.taken[row] = next_us, drawn, moment_us
        all.taken_total[row] = counted.total[place] - counted.usage_milli[place] * (counted.until_us[step] - moment_us)

    cdef inline bint serve(self, const Samples *all, long long row, long long started_us, Served *served) noexcept:
        """What metrics-server serves of a pod after a scrape now; whether it serves anything."""
        cdef long long window_us, used
        cdef bint is_young
        if all.taken[row] != all.new[row] and all.taken[row] != UNSEEN:
            all.old[row], all.old_total[row] = all.new[row], all.new_total[row]
            all.new[row], all.new_total[row] = all.taken[row], all.taken_total[row]
        window_us = all.new[row] - started_us
        is_young = all.old[row] == UNSEEN and self.young_us <= window_us < self.resolution_us
        if all.new[row] == UNSEEN or (all.old[row] == UNSEEN and not is_young):
            return False
        used = all.new_total[row]
        if not is_young:
            window_us = all.new[row] - all.old[row]
            used -= all.old_total[row]
        served.usage_milli, served.time_us, served.window_us = upwards(used, window_us), all.new[row], window_us
        return True

    def part_ways(
        self, const long long[::1] pods, const long long[::1] of, const long long[::1] last_us, const long long[::1] total
    ):
        """Pods are counted one by one again: until when they were counted, and what they had used, is by number."""
        cdef long long *last = &self.columns[LAST, 0]
        cdef long long *used = &self.columns[TOTAL, 0]
        cdef Py_ssize_t at
        for at in range(pods.shape[0]):
            last[pods[at]], used[pods[at]] = last_us[of[at]], total[of[at]]

    cdef void begin(self, long long row, long long started_us, unsigned long long key) noexcept:
        self.columns[LAST, row] = self.columns[TAKEN, row] = started_us
        self.columns[TOTAL, row] = self.columns[TAKEN_TOTAL, row] = 0
        self.columns[DRAWN, row], self.columns[BEFORE, row] = 1, 0
        self.columns[DUE, row] = started_us + self.distance_us(0, key)

    cdef void take(self, long long row, long long now_us, long long usage_milli, unsigned long long key) noexcept:
        """Samples that are due are taken of a pod that is counted until now and used so much meanwhile."""
        cdef long long total = self.columns[TOTAL, row], moment_us
        while self.columns[DUE, row] <= now_us:
            moment_us = self.columns[DUE, row]
            self.columns[TAKEN, row] = moment_us
            self.columns[TAKEN_TOTAL, row] = total - usage_milli * (now_us - moment_us)
            self.columns[DUE, row] = moment_us + self.distance_us(self.columns[DRAWN, row], key)
            self.columns[DRAWN, row] += 1

    cdef inline long long distance_us(self, long long drawn, unsigned long long key) noexcept:
        """From a sample to the next one, after so many draws for the pod."""
        cdef unsigned long long number = <unsigned long long>drawn
        cdef double share
        share = <double>(mixed(mixed(key ^ self.salt) + number * <unsigned long long>0x9E3779B97F4A7C15) >> 11) * UNIT
        return self.interval_us + <long long>(share * <double>(self.interval_us + 1))


cdef inline bint same(const Uses *uses, long long row, long long other) noexcept:
    """Whether two pods of a kind have used the same and go on doing so."""
    if uses.total[row] != uses.total[other] or uses.before[row] != uses.before[other]:
        return False
    if uses.last[row] != uses.last[other]:
        return False
    if (uses.own[row] if row < uses.owners else 0) != (uses.own[other] if other < uses.owners else 0):
        return False
    if row >= uses.members or other >= uses.members:
        return row >= uses.members and other >= uses.members
    if uses.group[row] != uses.group[other] or uses.spent[row] != uses.spent[other]:
        return False
    return uses.part[row] == uses.part[other]


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
