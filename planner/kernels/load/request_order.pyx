"""The random order of levels: compiled twin of `_order` (`workloads/latency/cfs/request_stream.py`).

Draws are those of `PurposeDraws.uniform` (`engine/draws.py`) by number.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef unsigned long long STEP_ONE = 0xBF58476D1CE4E5B9ULL, STEP_TWO = 0x94D049BB133111EBULL
cdef enum:
    BUCKET_BITS = 14
    BUCKETS = 1 << BUCKET_BITS
    DRAW_BITS = 53


def levels_in_order(unsigned long long salt, first, whole):
    """Levels between 0 and 1 for so many requests in the order of their draws: for the first ones, and for the rest."""
    found = np.empty(whole)
    cdef double[::1] levels = found
    rank(salt, 0, levels[:first])
    rank(salt, first, levels[first:])
    return found


cdef void rank(unsigned long long salt, long long begin, double[::1] levels):
    """Levels of a part of the requests: draws are dealt into buckets by their first bits and sorted there."""
    cdef Py_ssize_t count = levels.shape[0], at, place, low
    cdef unsigned long long draw
    cdef unsigned long long[::1] draws = np.empty(count, np.uint64), dealt = np.empty(count, np.uint64)
    cdef int[::1] who = np.empty(count, np.intc)
    cdef Py_ssize_t[::1] ends = np.zeros(BUCKETS + 1, np.intp)
    for at in range(count):
        draw = mixed(mixed(<unsigned long long>(begin + at) ^ salt)) >> 11
        draws[at] = draw
        ends[(draw >> (DRAW_BITS - BUCKET_BITS)) + 1] += 1
    for at in range(BUCKETS):
        ends[at + 1] += ends[at]
    for at in range(count):
        draw = draws[at]
        place = ends[draw >> (DRAW_BITS - BUCKET_BITS)]
        ends[draw >> (DRAW_BITS - BUCKET_BITS)] += 1
        dealt[place], who[place] = draw, <int>at
    low = 0
    for at in range(BUCKETS):  # whose ends have moved to those of the buckets themselves
        sort(dealt, who, low, ends[at])
        low = ends[at]
    for place in range(count):
        levels[who[place]] = (<double>place + 0.5) / <double>count


cdef void sort(unsigned long long[::1] draws, int[::1] who, Py_ssize_t low, Py_ssize_t behind) noexcept:
    """Put a few draws in order, and whose they are."""
    cdef Py_ssize_t at, place
    cdef unsigned long long draw
    cdef int own
    for at in range(low + 1, behind):
        draw, own, place = draws[at], who[at], at
        while place > low and draws[place - 1] > draw:
            draws[place], who[place] = draws[place - 1], who[place - 1]
            place -= 1
        draws[place], who[place] = draw, own


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    """SplitMix64, as in `engine/draws.py`."""
    bits = (bits ^ (bits >> 30)) * STEP_ONE
    bits = (bits ^ (bits >> 27)) * STEP_TWO
    return bits ^ (bits >> 31)
