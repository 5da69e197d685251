"""Percentiles of requests that meet one of several groups of pods.

Compiled twin of `_mixed` (`workloads/load/step/responses.py`), which says what the figures mean.
"""

from libc.math cimport INFINITY, isnan
from libc.stdlib cimport free, malloc

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


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
    cdef Py_ssize_t count = levels.shape[0], most = 0, one, at, part, size
    cdef double aim
    for one in range(lengths.shape[0]):
        most = max(most, lengths[one])
    cdef double* knots = <double*> malloc(2 * most * count * sizeof(double))
    cdef Py_ssize_t* heads = <Py_ssize_t*> malloc(most * sizeof(Py_ssize_t))
    if knots == NULL or heads == NULL:
        free(knots)
        free(heads)
        raise MemoryError
    cdef double* below = knots + most * count
    for one in range(lengths.shape[0]):
        size = lengths[one] * count
        merge(&levels_s[starts[one], 0], lengths[one], count, heads, knots)
        for at in range(size):
            below[at] = 0.0
        for part in range(lengths[one]):
            add(&levels_s[starts[one] + part, 0], &levels[0], count, shares[starts[one] + part], knots, size, below)
        for at in range(wanted.shape[0]):
            aim = wanted[at] / (1.0 - stuck[one])
            found[one, at] = between(aim, below, knots, size, knots[0], knots[size - 1]) if aim < 1.0 else INFINITY
    free(knots)
    free(heads)


cdef void merge(
    const double* columns, Py_ssize_t parts, Py_ssize_t count, Py_ssize_t* heads, double* knots,
) noexcept:
    """All values of ascending columns in ascending order."""
    cdef Py_ssize_t at, part, least
    for part in range(parts):
        heads[part] = 0
    for at in range(parts * count):
        least = -1
        for part in range(parts):
            if heads[part] < count and (
                least < 0 or columns[part * count + heads[part]] < columns[least * count + heads[least]]
            ):
                least = part
        knots[at] = columns[least * count + heads[least]]
        heads[least] += 1


cdef void add(
    const double* column, const double* levels, Py_ssize_t count, double share,
    const double* knots, Py_ssize_t size, double* below,
) noexcept:
    """Shares of one group that are done at each of the knots: `numpy.interp`, with each slope found once."""
    cdef Py_ssize_t at, left = -1, sloped = -1
    cdef double slope = 0.0, found
    for at in range(size):
        while left < count - 1 and column[left + 1] <= knots[at]:
            left += 1
        if left < 0 or left == count - 1 or column[left] == knots[at]:
            below[at] += share * value(knots[at], column, levels, count, left, 0.0, 1.0)
            continue
        if sloped != left:
            sloped, slope = left, (levels[left + 1] - levels[left]) / (column[left + 1] - column[left])
        found = slope * (knots[at] - column[left]) + levels[left]
        if isnan(found):
            found = value(knots[at], column, levels, count, left, 0.0, 1.0)
        below[at] += share * found


cdef double between(
    double x, const double* known, const double* values, Py_ssize_t count, double before, double after,
) noexcept:
    """`numpy.interp` for one value."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if known[middle] <= x:
            low = middle + 1
        else:
            high = middle
    return value(x, known, values, count, low - 1, before, after)


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
