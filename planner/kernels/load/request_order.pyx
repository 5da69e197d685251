"""The random order of levels: compiled twin of `_order` (`workloads/latency/cfs/request_stream.py`).

Draws are those of `PurposeDraws.uniform` (`engine/draws.py`) by number.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef unsigned long long STEP_ONE = 0xBF58476D1CE4E5B9ULL, STEP_TWO = 0x94D049BB133111EBULL
cdef enum:
    BUCKET_BITS = 16
    BUCKETS = 1 << BUCKET_BITS
    DRAW_BITS = 53
    WHO_BITS = 20
    MOST = 1 << WHO_BITS  # requests, so that the rest of a draw and whose it is are one number


def levels_in_order(unsigned long long salt, first, whole):
    """Levels between 0 and 1 for so many requests in the order of their draws: for the first ones, and for the rest."""
    found = np.empty(whole)
    cdef double[::1] levels = found
    rank(salt, 0, levels[:first])
    rank(salt, first, levels[first:])
    return found


cdef rank(unsigned long long salt, long long begin, double[::1] levels):
    """Levels of a part of the requests: draws are dealt into buckets by their first bits and sorted there."""
    cdef Py_ssize_t count = levels.shape[0], at, place, low
    cdef unsigned long long draw
    cdef unsigned long long[::1] draws = np.empty(count, np.uint64), dealt = np.empty(count, np.uint64)
    cdef int[::1] ends = np.zeros(BUCKETS + 1, np.intc)
    if count > MOST:
        raise ValueError("more requests than can be told apart")
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
        dealt[place] = draw << (64 - DRAW_BITS + BUCKET_BITS) >> (64 - DRAW_BITS + BUCKET_BITS - WHO_BITS) | at
    low = 0
    for at in range(BUCKETS):  # whose ends have moved to those of the buckets themselves
        sort(&dealt[0], low, ends[at])
        low = ends[at]
    for place in range(count):
        levels[dealt[place] & (MOST - 1)] = (<double>place + 0.5) / <double>count


cdef inline void sort(unsigned long long* dealt, Py_ssize_t low, Py_ssize_t behind) noexcept:
    """Put a few draws in order, with whose they are."""
    cdef Py_ssize_t at, place
    cdef unsigned long long own
    for at in range(low + 1, behind):
        own, place = dealt[at], at
        while place > low and dealt[place - 1] > own:
            dealt[place] = dealt[place - 1]
            place -= 1
        dealt[place] = own


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    """SplitMix64, as in `engine/draws.py`."""
    bits = (bits ^ (bits >> 30)) * STEP_ONE
    bits = (bits ^ (bits >> 27)) * STEP_TWO
    return bits ^ (bits >> 31)
