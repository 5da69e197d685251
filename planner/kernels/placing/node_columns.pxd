"""What other kernels use of `node_columns.pyx`."""

cimport cython

cdef enum:
    NO_DOMAIN = 2_147_483_647


@cython.final
cdef class SpreadTerm:
    cdef bint by_node, has_all
    cdef const long long[::1] values, pods
    cdef const unsigned char[::1] has
    cdef double base
    cdef Py_ssize_t most_domains


@cython.final
cdef class DomainLimit:
    cdef bint has_all, spreads
    cdef const long long[::1] values, pods
    cdef const unsigned char[::1] has, exists
    cdef long long most, now_most
    cdef Py_ssize_t least_domains


@cython.final
cdef class Columns:
    cdef const unsigned char[::1] passes, fits
    cdef const long long[::1] points, allocation, balance
    cdef const long long[::1] soft_taints
    cdef long long allocation_weight, balance_weight, spread_weight, taint_weight
    cdef tuple terms, layout, limits
    cdef bint all_keys


cdef inline void begin_pod(DomainLimit limit) noexcept:
    """Look up what holds for the next pod."""
    cdef Py_ssize_t value, domains = 0
    cdef long long least = NO_DOMAIN
    limit.now_most = limit.most
    if not limit.spreads:
        return
    for value in range(limit.exists.shape[0]):
        if limit.exists[value]:
            domains += 1
            if limit.pods[value] < least:
                least = limit.pods[value]
    limit.now_most += 0 if 0 < domains < limit.least_domains else least


cdef inline bint refuses(DomainLimit limit, Py_ssize_t row) noexcept:
    if not limit.has_all and not limit.has[row]:
        return limit.spreads
    return limit.pods[limit.values[row]] > limit.now_most
