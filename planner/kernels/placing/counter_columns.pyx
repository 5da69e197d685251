"""Counts of the pods that match a selector, moved by one pod: compiled twin of `PodCounts._add_plainly`
(`scheduler/topology/pod_counts.py`)."""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


cdef class DomainSums:
    """Sums by the values of one topology label."""

    cdef const long long[::1] values
    cdef const unsigned char[::1] has
    cdef long long[::1] sums
    cdef bint all_nodes

    def __init__(self, values, has, sums):
        """`values`: number of the value by node row; `has`: nodes that count, None: all; `sums`: by number."""
        self.values, self.sums, self.all_nodes = values, sums, has is None
        if has is not None:
            self.has = has


cdef class CounterColumns:
    """The columns of one counter, as long as none of them is replaced."""

    cdef long long[::1] by_node
    cdef readonly Py_ssize_t nodes
    cdef tuple sums

    def __init__(self, by_node, Py_ssize_t nodes, tuple sums):
        """`nodes`: rows that all columns know."""
        self.by_node, self.nodes, self.sums = by_node, nodes, sums

    cpdef bint add(self, Py_ssize_t node, long long change):
        """Count so many pods more on a node; False, and nothing is done, if the columns do not know it."""
        cdef DomainSums each
        if node >= self.nodes:
            return False
        self.by_node[node] += change
        for each in self.sums:
            if each.all_nodes or each.has[node]:
                each.sums[each.values[node]] += change
        return True

    def add_all(self, nodes, long long change):
        """The same for several nodes, all of which the columns know."""
        for node in nodes:
            self.add(node, change)
