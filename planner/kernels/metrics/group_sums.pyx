"""What the nodes of each group come to together: compiled twin of `amounts_by_group` (`metrics/sample.py`)."""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


def group_sums(const long long[:, ::1] amounts, const int[::1] group, chosen, Py_ssize_t groups):
    """Sums by group of the amounts of the chosen nodes, a row a resource; they are added in the order of the nodes."""
    found = np.zeros((amounts.shape[1], groups))
    cdef double[:, ::1] out = found
    cdef const unsigned char[::1] is_chosen = chosen.view(np.uint8)
    cdef Py_ssize_t at, resource
    for at in range(amounts.shape[0]):
        if is_chosen[at]:
            for resource in range(amounts.shape[1]):
                out[resource, group[at]] += <double>amounts[at, resource]
    return found
