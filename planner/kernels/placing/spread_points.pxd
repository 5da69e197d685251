"""What other kernels use of `spread_points.pyx`."""

cimport cython

from planner.kernels.placing.node_columns cimport SpreadTerm


@cython.final
cdef class SpreadPoints:
    cdef const double[::1] logs
    cdef const long long[::1] rows
    cdef long long[::1] totals, raw, stamps
    cdef unsigned char[::1] kept
    cdef long long stamp
    cdef Py_ssize_t found
    cdef bint all_kept

    cdef reserve(self, long long[::1] rows, long long[::1] totals, const double[::1] logs)
    cdef add(self, tuple terms, bint all_keys, long long weight, Py_ssize_t found)
    cdef void share_among_all(self, long long weight) noexcept
    cdef Py_ssize_t keep(self, tuple terms, bint all_keys)
    cdef sum_terms(self, tuple terms, Py_ssize_t kept)
    cdef void sum_two(self, SpreadTerm one, double weight, SpreadTerm other, double other_weight) noexcept
    cdef void sum_node_and_domain(self, SpreadTerm one, double weight, SpreadTerm other, double other_weight) noexcept
    cdef double weight_of(self, SpreadTerm term, Py_ssize_t kept) noexcept
