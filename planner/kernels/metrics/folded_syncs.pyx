"""Evaluations of autoscalers that repeat the last ones: compiled twin of `EvaluatedTogether.evaluate`
(`hpa/controller/together.py`)."""

import numpy as np

from libc.math cimport ceil

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    UNKNOWN = 0
    FOLDED = 1
    DIFFERS = 2
    KEPT = 3

cdef enum:
    FREE = 0
    TOO_FEW = 1
    TOO_MANY = 2
    TOO_FAST = 3
    HELD = 4
    WITHIN_TOLERANCE = 8


def evaluate(asked, now, long long cut_us, slices, known, tolerated, read, measured, shown):
    """An answer for each of the autoscalers that are `asked` for; those that are folded are noted in the columns.

    `now`: time, use by pod row, and sizes and versions of the workloads. `slices`: pod rows, and begin and length of the
    slice of each autoscaler. `known`: version, size, kind, request, target, minimum, maximum, highest recommendation and
    its time, and use of all pods. `tolerated`: lowest and highest ratio. `read`: lowest and highest ratio so far; `measured`: latest, lowest
    and highest recommendation. `shown`: observed value, place of the first value, values.
    """
    cdef const unsigned char[::1] is_asked = asked.view(np.uint8)
    cdef const long long[::1] usage_milli, sizes, versions, rows, start, count
    cdef const long long[::1] version, size, request, target, least, most, first
    cdef long long[::1] kind, top, top_us, used_milli, wants, lowest, highest, observed
    cdef const double[::1] from_ratio, to_ratio
    cdef double[::1] lowest_ratio, highest_ratio, values
    cdef long long now_us
    now_us, usage_milli, sizes, versions = now
    rows, start, count = slices
    version, size, kind, request, target, least, most, top, top_us, used_milli = known
    from_ratio, to_ratio = tolerated
    lowest_ratio, highest_ratio = read
    wants, lowest, highest = measured
    observed, first, values = shown
    found = np.zeros(is_asked.shape[0], np.int8)
    cdef signed char[::1] answers = found
    cdef Py_ssize_t at, pod
    cdef long long used, utilization, want, best, allowed, fastest, reason = FREE
    cdef double ratio
    cdef bint within
    for at in range(is_asked.shape[0]):
        if not is_asked[at] or version[at] != versions[at] or size[at] != sizes[at]:
            continue
        if kind[at] != WITHIN_TOLERANCE and top_us[at] < cut_us:
            continue
        used = 0
        for pod in range(start[at], start[at] + count[at]):
            used += usage_milli[rows[pod]]
        used_milli[at] = used
        utilization = used * 100 // request[at]
        ratio = <double>utilization / <double>target[at]
        within = from_ratio[at] <= ratio <= to_ratio[at]
        want = size[at] if within else <long long>ceil(ratio * <double>count[at])
        if kind[at] == WITHIN_TOLERANCE:
            if not within:
                answers[at] = DIFFERS
                continue
        else:
            best = max(want, top[at])
            fastest = max(2 * size[at], 4)
            reason = FREE
            allowed = best
            if best < least[at]:
                reason, allowed = TOO_FEW, least[at]
            elif best > min(most[at], fastest):
                if most[at] <= fastest:
                    reason, allowed = TOO_MANY, most[at]
                else:
                    reason, allowed = TOO_FAST, fastest
            if best != want:
                reason += HELD
            if allowed != size[at]:
                answers[at] = DIFFERS
                continue
        if want >= top[at]:
            top[at], top_us[at] = want, now_us
        wants[at], observed[at], values[first[at]] = want, utilization, <double>utilization
        if kind[at] != WITHIN_TOLERANCE and reason != kind[at]:
            answers[at], kind[at] = KEPT, reason
            continue
        answers[at] = FOLDED
        lowest_ratio[at], highest_ratio[at] = min(lowest_ratio[at], ratio), max(highest_ratio[at], ratio)
        lowest[at], highest[at] = min(lowest[at], want), max(highest[at], want)
    return found
