"""Percentiles of requests that meet one of several groups of pods.

Compiled twin of `_mixed` (`workloads/load/step/responses.py`), which says what the figures mean.
"""

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
        if mixture.parts == 2:
            merge_two(&mixture)
        else:
            merge(&mixture)
        for at in range(wanted.shape[0]):
            aim = wanted[at] / (1.0 - stuck[one])
            found[one, at] = slowest_of(&mixture, aim) if aim < 1.0 else INFINITY
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


cdef void merge_two(Mixture* of) noexcept:
    """The same for two columns, as most mixtures have: without a branch that depends on their values."""
    cdef const double* one = of.columns
    cdef const double* other = of.columns + of.count
    cdef Py_ssize_t left = 0, right = 0, at, second
    cdef int* places = of.places + 2
    for at in range(of.size):
        if left < of.count and right < of.count:
            second = other[right] < one[left]
        else:
            second = left == of.count
        of.knots[at], of.below[at] = (other + right if second else one + left)[0], UNKNOWN
        left, right = left + 1 - second, right + second
        places[2 * at], places[2 * at + 1] = <int> left, <int> right


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


cdef inline double value(
    double x, const double* known, const double* values, Py_ssize_t count, Py_ssize_t left, double before, double after,
) noexcept:
    """`numpy.interp` where `left` is the last place that is not above."""
    cdef double slope, found
    if left < 0:
        return before
    if x > known[count - 1]:
        return after
    if left == count - 1 or known[left] == x:
        return values[left]
    slope = (values[left + 1] - values[left]) / (known[left + 1] - known[left])
    found = slope * (x - known[left]) + values[left]
    if isnan(found):
        found = slope * (x - known[left + 1]) + values[left + 1]
        if isnan(found) and values[left] == values[left + 1]:
            found = values[left]
    return found
