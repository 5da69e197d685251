"""Percentiles of requests that meet one of several groups of pods.

Compiled twin of `_mixed` (`workloads/load/step/responses.py`), which says what the figures mean.
"""

import numpy as np

from libc.math cimport INFINITY, isnan
from libc.stdlib cimport free, malloc

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double UNKNOWN = -1.0


def mixed(
    const double[:, ::1] levels_s, const double[::1] shares, const double[::1] levels, mixtures,
    const double[::1] wanted,
):
    """A row for each mixture, an entry for each of `wanted`.

    `levels_s`: a row for each group, an entry for each of `levels`; `shares`: of each group in its mixture; `mixtures`: first
    groups, numbers of groups, shares that wait for ever, and the rows to fill.
    """
    cdef const long long[::1] starts, lengths
    cdef const double[::1] stuck
    cdef double[:, ::1] found
    cdef const long long[::1] near = np.minimum(np.searchsorted(levels, wanted), levels.shape[0] - 1)
    starts, lengths, stuck, found = mixtures
    cdef Py_ssize_t count = levels.shape[0], most = 0, one, at
    cdef double aim
    cdef Mixture mixture
    for one in range(lengths.shape[0]):
        most = max(most, lengths[one])
    cdef double* knots = <double*> malloc(2 * most * count * sizeof(double))
    cdef int* places = <int*> malloc((most * count + 1) * most * sizeof(int))
    if knots == NULL or places == NULL:
        free(knots)
        free(places)
        raise MemoryError
    mixture.levels, mixture.count = &levels[0], count
    mixture.knots, mixture.below, mixture.places = knots, knots + most * count, places
    for one in range(lengths.shape[0]):
        mixture.columns, mixture.shares = &levels_s[starts[one], 0], &shares[starts[one]]
        mixture.parts, mixture.size = lengths[one], lengths[one] * count
        if mixture.parts != 2:
            merge(&mixture)
        for at in range(wanted.shape[0]):
            aim = wanted[at] / (1.0 - stuck[one])
            if aim >= 1.0:
                found[one, at] = INFINITY
            elif mixture.parts == 2:
                found[one, at] = slowest_of_two(&mixture, aim, near[at])
            else:
                found[one, at] = slowest_of(&mixture, aim)
    free(knots)
    free(places)


cdef struct Mixture:
    const double* columns  # a row for each group, an entry for each of the levels
    const double* shares
    const double* levels
    Py_ssize_t parts
    Py_ssize_t count
    Py_ssize_t size
    double* knots  # all entries of `columns`, ascending
    double* below  # by knot the share of the requests that is faster; UNKNOWN until it is asked for
    int* places  # by knot, from the second row on, and group: how many of its entries are up to there


cdef void merge(Mixture* of) noexcept:
    """All values of ascending columns in ascending order."""
    cdef Py_ssize_t at, part, least, parts = of.parts, count = of.count
    cdef int* heads = of.places
    for part in range(parts):
        heads[part] = 0
    for at in range(of.size):
        least = -1
        for part in range(parts):
            if heads[part] < count and (
                least < 0 or of.columns[part * count + heads[part]] < of.columns[least * count + heads[least]]
            ):
                least = part
        of.knots[at], of.below[at] = of.columns[least * count + heads[least]], UNKNOWN
        for part in range(parts):
            heads[parts + part] = heads[part]
        heads += parts
        heads[least] += 1


cdef double below(Mixture* of, Py_ssize_t at) noexcept:
    """Share of the requests that is faster than one of the knots: the sum of `numpy.interp` of all groups."""
    cdef Py_ssize_t part, left
    cdef const double* column
    cdef double found = 0.0, x = of.knots[at]
    if of.below[at] != UNKNOWN:
        return of.below[at]
    for part in range(of.parts):
        column, left = of.columns + part * of.count, of.places[(at + 1) * of.parts + part] - 1
        while left < of.count - 1 and column[left + 1] <= x:
            left += 1
        found += of.shares[part] * value(x, column, of.levels, of.count, left, 0.0, 1.0)
    of.below[at] = found
    return found


cdef double slowest_of(Mixture* of, double share) noexcept:
    """The time that so large a share of the requests stays within: `numpy.interp` between the knots."""
    cdef Py_ssize_t low = 0, high = of.size, middle
    while low < high:
        middle = (low + high) // 2
        if below(of, middle) <= share:
            low = middle + 1
        else:
            high = middle
    if low > 0:  # what `value` looks at
        below(of, low - 1)
    below(of, min(low, of.size - 1))
    below(of, of.size - 1)
    return value(share, of.below, of.knots, of.size, low - 1, of.knots[0], of.knots[of.size - 1])


cdef double slowest_of_two(Mixture* of, double share, Py_ssize_t level) noexcept:
    """The same for two columns, as most mixtures have; `level` is the place of a level near the share.

    The answer lies between the entries of both at that share, so that only knots around these are looked at.
    """
    cdef const double* one = of.columns
    cdef const double* other = of.columns + of.count
    cdef double x = least_of(one[level], other[level]), faster, next_x, next_faster
    cdef Py_ssize_t left = places_up_to(one, of.count, x, level), right = places_up_to(other, of.count, x, level)
    faster = below_of_two(of, x, left, right)
    while not faster <= share:
        while left > 0 and one[left - 1] >= x:
            left -= 1
        while right > 0 and other[right - 1] >= x:
            right -= 1
        if left == 0 and right == 0:
            return x
        if right == 0 or (left > 0 and one[left - 1] > other[right - 1]):
            x = one[left - 1]
        else:
            x = other[right - 1]
        faster = below_of_two(of, x, left, right)
    while left < of.count or right < of.count:
        if right == of.count or (left < of.count and one[left] < other[right]):
            next_x = one[left]
        else:
            next_x = other[right]
        left, right = places_up_to(one, of.count, next_x, left), places_up_to(other, of.count, next_x, right)
        next_faster = below_of_two(of, next_x, left, right)
        if not next_faster <= share:
            return between(share, faster, next_faster, x, next_x)
        x, faster = next_x, next_faster
    return x


cdef inline double least_of(double one, double other) noexcept:
    return one if one < other else other


cdef inline Py_ssize_t places_up_to(const double* column, Py_ssize_t count, double x, Py_ssize_t near) noexcept:
    """How many entries of an ascending column are not above; the search begins nearby."""
    while near < count and column[near] <= x:
        near += 1
    while near > 0 and column[near - 1] > x:
        near -= 1
    return near


cdef inline double below_of_two(Mixture* of, double x, Py_ssize_t left, Py_ssize_t right) noexcept:
    """`below` for a time up to which the columns have so many entries."""
    cdef double found = of.shares[0] * value(x, of.columns, of.levels, of.count, left - 1, 0.0, 1.0)
    return found + of.shares[1] * value(x, of.columns + of.count, of.levels, of.count, right - 1, 0.0, 1.0)


cdef inline double value(
    double x, const double* known, const double* values, Py_ssize_t count, Py_ssize_t left, double before, double after,
) noexcept:
    """`numpy.interp` where `left` is the last place that is not above."""
    if left < 0:
        return before
    if x > known[count - 1]:
        return after
    if left == count - 1:
        return values[left]
    return between(x, known[left], known[left + 1], values[left], values[left + 1])


cdef inline double between(double x, double known, double next_known, double value, double next_value) noexcept:
    cdef double slope, found
    if known == x:
        return value
    slope = (next_value - value) / (next_known - known)
    found = slope * (x - known) + value
    if isnan(found):
        found = slope * (x - next_known) + next_value
        if isnan(found) and value == next_value:
            found = value
    return found
