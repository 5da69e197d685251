"""Which known trials of a preemption become candidates, and the best of them: compiled twin of `_try_each` and `_best`
(`scheduler/preemption.py`; kube-scheduler 1.36, framework/preemption)."""

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
    """One walk through the potential nodes, which halts where a trial is not known."""

    cdef const long long[::1] potential
    cdef const unsigned char[::1] has_victims
    cdef const signed char[::1] states
    cdef const long long[:, ::1] ranks
    cdef Py_ssize_t wanted, clean, violating, at
    cdef readonly list candidates, failed

    def __init__(self, potential, has_victims, states, ranks, Py_ssize_t wanted):
        """`states` and `ranks`: of the trials by node row, as `scheduler/trials.py` keeps them."""
        self.potential, self.has_victims, self.states, self.ranks = potential, has_victims, states, ranks
        self.wanted = wanted
        self.clean = self.violating = self.at = 0
        self.candidates, self.failed = [], []

    @property
    def tried(self):
        """How many nodes were looked at."""
        return self.at

    def go_on(self):
        """Walk until enough candidates are found; a node whose trial is not known, or -1 at the end."""
        cdef Py_ssize_t node
        cdef signed char state
        while self.at < self.potential.shape[0]:
            node = self.potential[self.at]
            if self.has_victims[self.at]:
                state = self.states[node]
                if state == UNKNOWN:
                    return node
                self.take(node, state)
                if state != FAILED and self.clean and self.clean + self.violating >= self.wanted:
                    self.at += 1
                    return -1
            self.at += 1
        return -1

    cdef take(self, Py_ssize_t node, signed char state):
        if state == FAILED:
            self.failed.append(node)
        elif state == VIOLATING:
            if self.violating < self.wanted:
                self.violating += 1
                self.candidates.append(node)
        elif self.clean < self.wanted:
            self.clean += 1
            self.candidates.append(node)

    def leading(self, Py_ssize_t wanted):
        """So many of the best candidates, best first, equal ones in order; and all that are as good as the first."""
        cdef list best = [], equals = []
        cdef Py_ssize_t node, place
        cdef object each
        for each in self.candidates:
            node = each
            place = len(best)
            while place and self.is_less(node, <Py_ssize_t>best[place - 1]):
                place -= 1
            if place < wanted:
                best.insert(place, each)
                del best[wanted:]
        for each in self.candidates:
            if not self.is_less(<Py_ssize_t>best[0], <Py_ssize_t>each):
                equals.append(each)
        return best, equals

    cdef bint is_less(self, Py_ssize_t one, Py_ssize_t other) noexcept:
        cdef Py_ssize_t at
        for at in range(FIGURES):
            if self.ranks[one, at] != self.ranks[other, at]:
                return self.ranks[one, at] < self.ranks[other, at]
        return False
