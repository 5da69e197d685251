"""Samples of pods that are counted together as long as they use the same (`hpa/metrics/alike_pods.py`)."""

import numpy as np

from planner.kernels.metrics.pod_samples cimport (
    STEP_OF_DRAWS, UNSEEN, PodSamples, Samples, Served, begin, distance_us, mixed, serve, whole,
)

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


cdef struct Uses:
    # What pods have used, by row, and what they have in common with others of their group.
    const long long *own
    Py_ssize_t owners
    const long long *group
    const double *spent
    const double *part
    Py_ssize_t members


cdef struct Steps:
    # What pods of each number used in the steps since samples were taken; numbers by pod row.
    Py_ssize_t steps
    Py_ssize_t numbers
    const long long *number
    const long long *until_us
    const long long *usage_milli
    const long long *total


def group(
    PodSamples samples,
    const long long[::1] pods,
    const long long[::1] started_us,
    const unsigned long long[::1] keys,
    const long long[::1] kinds,
    alike,
    long long[::1] number_of,
):
    """Number the pods that have used the same so far and go on doing so, from 0 on, and write it to `number_of`, by row.

    `started_us`, `keys` and `kinds`: of the pods; `alike`: besides what a pod of its kind has used; what it has spent on
    requests, its group (-1: none) and its part of what that does; by pod row, nothing for rows that are missing. Positions
    of the first pod of each number.
    """
    cdef const long long[::1] own, groups
    cdef const double[::1] spent, part
    own, spent, groups, part = alike
    cdef Py_ssize_t size = 64, at, like, slot
    while size < 2 * pods.shape[0]:
        size *= 2
    cdef int[::1] table = np.full(size, -1, np.int32)
    found = np.empty(pods.shape[0], np.int64)
    cdef long long[::1] first = found
    cdef long long row, count = 0, number = 0
    cdef unsigned long long mark
    cdef Samples all = samples.samples()
    cdef Uses uses
    uses.own, uses.owners = (&own[0] if own.shape[0] else NULL), own.shape[0]
    uses.group, uses.members = (&groups[0] if groups.shape[0] else NULL), groups.shape[0]
    uses.spent, uses.part = (&spent[0] if groups.shape[0] else NULL), (&part[0] if groups.shape[0] else NULL)
    for at in range(pods.shape[0]):
        row = pods[at]
        if all.last[row] == UNSEEN:
            begin(&all, row, started_us[at], keys[at])
        if at and kinds[at] == kinds[at - 1] and same(&all, &uses, row, pods[at - 1]):  # as a rule
            number_of[row] = number
            continue
        mark = mixed(<unsigned long long>all.total[row] * 31 + <unsigned long long>kinds[at])
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
            if kinds[like] == kinds[at] and same(&all, &uses, row, pods[like]):
                number = table[slot]
                break
            slot = (slot + 1) & (size - 1)
        number_of[row] = number
    return found[:count]


def counted(PodSamples samples, const long long[::1] pods):
    """Until when these pods were counted, and what they had used by then, and before 0."""
    found = np.empty((3, pods.shape[0]), np.int64)
    cdef long long[:, ::1] out = found
    cdef Samples all = samples.samples()
    cdef Py_ssize_t at
    for at in range(pods.shape[0]):
        out[0, at], out[1, at], out[2, at] = all.last[pods[at]], all.total[pods[at]], all.before[pods[at]]
    return found


def first_due_us(PodSamples samples, const long long[::1] pods):
    """When the first sample of these pods, of which there are some, is due."""
    cdef Samples all = samples.samples()
    cdef long long found = all.due[pods[0]]
    cdef Py_ssize_t at
    for at in range(1, pods.shape[0]):
        found = min(found, all.due[pods[at]])
    return found


def count_numbers(
    long long now_us,
    const double[::1] spent,
    const long long[::1] before,
    long long[::1] last_us,
    long long[::1] total,
    long long[::1] usage_milli,
):
    """As `PodSamples.count`, by number: until when pods were counted, and what they had used before 0 and by then.

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


def take_due(PodSamples samples, const long long[::1] pods, const long long[::1] number, steps):
    """Take the samples of pods that fell into some steps.

    `number`: by pod row; `steps`: their ends; by step and number what a pod used in it, and had used until its end.
    """
    cdef Steps counted_steps
    cdef Py_ssize_t at
    cdef Samples all = samples.samples()
    read_steps(&counted_steps, number, steps)
    if not counted_steps.steps:
        return
    for at in range(pods.shape[0]):
        take_of(&all, &counted_steps, pods[at])


def show(PodSamples samples, const long long[::1] pods, taking, long long visible_us, columns):
    """Take the samples that fell into steps, if `taking` has them (as `take_due`), and show what metrics-server returns
    of these pods after a scrape now: as `PodSamples.scrape` and `shown_samples.show`.

    `columns`: time, window, visible since and use by pod row, and which pods had none or used something else.
    """
    cdef long long[::1] time_us, window_us, shown_us, usage_milli
    cdef unsigned char[::1] is_changed
    cdef const long long[::1] number
    time_us, window_us, shown_us, usage_milli, is_changed = columns
    cdef Steps counted_steps
    cdef Served served
    cdef Py_ssize_t at
    cdef long long row
    cdef Samples all = samples.samples()
    counted_steps.steps = 0
    if taking is not None:
        number, steps = taking
        read_steps(&counted_steps, number, steps)
    for at in range(pods.shape[0]):
        row = pods[at]
        if counted_steps.steps:
            take_of(&all, &counted_steps, row)
        if not serve(&all, row, &all.started[row], &served):
            continue
        is_changed[row] |= (usage_milli[row] != served.usage_milli) | (time_us[row] == UNSEEN)
        usage_milli[row] = served.usage_milli
        time_us[row], window_us[row], shown_us[row] = served.time_us, served.window_us, visible_us


def part_ways(
    PodSamples samples,
    const long long[::1] pods,
    const long long[::1] number,
    const long long[::1] last_us,
    const long long[::1] total,
):
    """Pods are counted one by one again: until when they were counted, and what they had used, is by number."""
    cdef Samples all = samples.samples()
    cdef Py_ssize_t at
    for at in range(pods.shape[0]):
        all.last[pods[at]], all.total[pods[at]] = last_us[number[pods[at]]], total[number[pods[at]]]


cdef read_steps(Steps *found, const long long[::1] number, steps):
    """Steps that are held elsewhere."""
    cdef const long long[::1] until_us
    cdef const long long[:, ::1] usage_milli, total
    until_us, usage_milli, total = steps
    found.steps = until_us.shape[0]
    if not found.steps:
        return
    found.numbers = total.shape[1]
    found.number, found.until_us = &number[0], &until_us[0]
    found.usage_milli, found.total = &usage_milli[0, 0], &total[0, 0]


cdef inline void take_of(const Samples *all, const Steps *counted_steps, long long row) noexcept:
    """Take the samples of one pod; all but the latest only move the beat on."""
    cdef long long latest_us = counted_steps.until_us[counted_steps.steps - 1]
    cdef long long next_us = all.due[row], moment_us = 0
    cdef unsigned long long state
    cdef Py_ssize_t step = 0, place, one
    if next_us > latest_us:
        return
    state = <unsigned long long>all.stream[row]
    while next_us <= latest_us:
        moment_us = next_us
        next_us = moment_us + distance_us(all, state)
        state += STEP_OF_DRAWS
    for one in range(counted_steps.steps - 1):  # without a guess at where it ends
        step += counted_steps.until_us[one] < moment_us
    place = step * counted_steps.numbers + counted_steps.number[row]
    all.due[row], all.stream[row], all.taken[row] = next_us, <long long>state, moment_us
    all.taken_total[row] = (
        counted_steps.total[place] - counted_steps.usage_milli[place] * (counted_steps.until_us[step] - moment_us)
    )


cdef inline bint same(const Samples *all, const Uses *uses, long long row, long long other) noexcept:
    """Whether two pods of a kind have used the same and go on doing so."""
    if all.total[row] != all.total[other] or all.before[row] != all.before[other]:
        return False
    if all.last[row] != all.last[other]:
        return False
    if (uses.own[row] if row < uses.owners else 0) != (uses.own[other] if other < uses.owners else 0):
        return False
    if row >= uses.members or other >= uses.members:
        return row >= uses.members and other >= uses.members
    if uses.group[row] != uses.group[other] or uses.spent[row] != uses.spent[other]:
        return False
    return uses.part[row] == uses.part[other]
