"""Which known trials of a preemption become candidates, and the best of them: compiled twin of `_try_each` and `_best`
(`scheduler/preemption.py`; kube-scheduler 1.36, framework/preemption)."""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    UNKNOWN = 0
    FAILED = 1
    CLEAN = 2
    VIOLATING = 3
    FIGURES = 5


cdef class CandidateWalk:
    """One walk round the potential nodes, which halts where a trial is not known."""

    cdef const long long[::1] potential
    cdef const unsigned char[::1] has_lower
    cdef const signed char[::1] states
    cdef const long long[:, ::1] ranks
    cdef Py_ssize_t first, wanted, clean, violating, at, found
    cdef object column
    cdef long long[::1] rows
    cdef readonly list failed

    def __init__(self, potential, Py_ssize_t first, has_lower, states, ranks, Py_ssize_t wanted):
        """`first`: the place where it begins. By node row: whether a node holds lower pods, and `states` and `ranks` of
        the trials, as `scheduler/trials.py` keeps them."""
        self.potential, self.has_lower, self.states, self.ranks = potential, has_lower, states, ranks
        self.first, self.wanted = first, wanted
        self.clean = self.violating = self.at = self.found = 0
        self.rows = self.column = np.empty(2 * wanted, np.int64)
        self.failed = []

    @property
    def tried(self):
        """How many nodes were looked at."""
        return self.at

    def candidates(self):
        """The nodes found, in the order of the walk."""
        return self.column[: self.found].tolist()

    def go_on(self):
        """Walk until enough candidates are found; a node whose trial is not known, or -1 at the end."""
        cdef Py_ssize_t node, place, count = self.potential.shape[0]
        cdef signed char state
        while self.at < count:
            place = self.first + self.at
            node = self.potential[place if place < count else place - count]
            if self.has_lower[node]:
                state = self.states[node]
                if state == UNKNOWN:
                    return node
                if state == FAILED:
                    self.failed.append(node)
                else:
                    self.take(node, state)
                    if self.clean and self.clean + self.violating >= self.wanted:
                        self.at += 1
                        return -1
            self.at += 1
        return -1

    cdef void take(self, Py_ssize_t node, signed char state) noexcept:
        """Of either kind at most so many as are wanted."""
        if state == VIOLATING:
            if self.violating >= self.wanted:
                return
            self.violating += 1
        else:
            if self.clean >= self.wanted:
                return
            self.clean += 1
        self.rows[self.found] = node
        self.found += 1

    def leading(self, Py_ssize_t wanted):
        """So many of the best candidates, best first, equal ones in order; and all that are as good as the first."""
        cdef Py_ssize_t at, place, held = 0, equal = 0
        cdef long long[::1] best = np.empty(wanted + 1, np.int64)
        cdef object column = np.empty(self.found, np.int64)
        cdef long long[::1] equals = column
        for at in range(self.found):
            place = held
            while place and self.is_less(self.rows[at], best[place - 1]):
                best[place] = best[place - 1]
                place -= 1
            if place < wanted:
                best[place] = self.rows[at]
                held = min(held + 1, wanted)
        for at in range(self.found):
            if not self.is_less(best[0], self.rows[at]):
                equals[equal] = self.rows[at]
                equal += 1
        return [best[at] for at in range(held)], column[:equal]

    cdef bint is_less(self, Py_ssize_t one, Py_ssize_t other) noexcept:
        cdef Py_ssize_t at
        for at in range(FIGURES):
            if self.ranks[one, at] != self.ranks[other, at]:
                return self.ranks[one, at] < self.ranks[other, at]
        return False
