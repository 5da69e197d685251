"""What is short on one node, and who would have to leave it where only the room for requests decides: compiled twin of
`Prepared.refuse_with_nominated` (`scheduler/cycle/feasibility.py`), and of `RoomTrial` (`scheduler/room_trial.py`) with
the order and rank of its victims (`scheduler/preemption.py`), where there are no budgets.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    PODS = 3
    MOST_COLUMNS = 32
    NEVER = 32  # bits for what an empty node lacks follow those for what is short
    US_PER_S = 1_000_000

cdef long long PRIORITY_OFFSET = 1LL << 31


cdef class Asked:
    """What has to be free for a pod of one template."""

    cdef Py_ssize_t columns
    cdef Py_ssize_t column[MOST_COLUMNS]
    cdef long long amount[MOST_COLUMNS]

    def __init__(self, asked):
        """`asked`: column and amount, of at most 32 columns."""
        self.columns = len(asked)
        for at, (column, amount) in enumerate(asked):
            self.column[at], self.amount[at] = column, amount


cdef class RoomOnNode:
    """The columns of one cluster. They are read again when a table has grown, and templates when there are more."""

    cdef object pod_table, node_table, read_pod_capacity, read_node_capacity
    cdef list specs
    cdef Py_ssize_t known
    cdef int[::1] spec, priority
    cdef long long[::1] bound_us
    cdef long long[:, ::1] requested, allocatable, request
    cdef long long spare[MOST_COLUMNS]

    def __init__(self, pods, nodes, list specs):
        self.pod_table, self.node_table, self.specs = pods, nodes, specs
        self.known = 0

    cdef read(self):
        if self.pod_table.capacity is not self.read_pod_capacity:
            w = self.pod_table.w
            self.spec, self.priority, self.bound_us = w.spec, w.priority, w.bound_us
            self.read_pod_capacity = self.pod_table.capacity
        if self.node_table.capacity is not self.read_node_capacity:
            self.requested, self.allocatable = self.node_table.w.requested, self.node_table.w.allocatable
            self.read_node_capacity = self.node_table.capacity
        if len(self.specs) != self.known:
            self.request = np.array([spec.request for spec in self.specs], np.int64)
            self.known = len(self.specs)

    cdef void take(self, Asked asked, Py_ssize_t template, long long times) noexcept:
        cdef Py_ssize_t at
        for at in range(asked.columns):
            self.spare[at] -= times * self.needed(template, asked.column[at])

    cdef inline long long needed(self, Py_ssize_t template, Py_ssize_t column) noexcept:
        return self.request[template, column] + (column == PODS)

    cdef begin(self, Asked asked, Py_ssize_t node, nominated, Py_ssize_t left_out, long long priority):
        """What is free beside the pod, and beside those of at least its priority that are nominated to the node."""
        cdef Py_ssize_t at, pod
        for at in range(asked.columns):
            self.spare[at] = (
                self.allocatable[node, asked.column[at]] - self.requested[node, asked.column[at]] - asked.amount[at]
            )
        if nominated is not None:
            for pod in nominated:
                if pod != left_out and self.priority[pod] >= priority:
                    self.take(asked, self.spec[pod], 1)

    def short(self, Asked asked, Py_ssize_t node, nominated, Py_ssize_t left_out, long long priority):
        """Which of the columns are short as bits, followed by those of which even an empty node has too little; 0: none.

        `nominated`: pods, or None; all but one count.
        """
        cdef Py_ssize_t at
        cdef unsigned long long found = 0
        self.read()
        self.begin(asked, node, nominated, left_out, priority)
        for at in range(asked.columns):
            if self.spare[at] < 0:
                found |= 1ULL << at
                if asked.column[at] != PODS and asked.amount[at] > self.allocatable[node, asked.column[at]]:
                    found |= 1ULL << (NEVER + at)
        return found

    def victims(self, Asked asked, Py_ssize_t node, pods, nominated, Py_ssize_t left_out, long long priority):
        """Pods of lower priority that have to leave, the most important first, with their rank; None if that is not
        enough."""
        cdef Py_ssize_t at, pod
        cdef list lower = [], leaving = []
        self.read()
        self.begin(asked, node, nominated, left_out, priority)
        for pod in pods:
            if self.priority[pod] < priority:
                lower.append(pod)
                self.take(asked, self.spec[pod], -1)
        for at in range(asked.columns):
            if self.spare[at] < 0:
                return None
        for pod in self.by_importance(lower):
            if self.gives_back(asked, self.spec[pod]):
                self.take(asked, self.spec[pod], 1)
            else:
                leaving.append(pod)
        return tuple(leaving), self.rank(leaving)

    cdef bint gives_back(self, Asked asked, Py_ssize_t template) noexcept:
        cdef Py_ssize_t at
        for at in range(asked.columns):
            if self.needed(template, asked.column[at]) > self.spare[at]:
                return False
        return True

    cdef list by_importance(self, list pods):
        """Higher priority, then earlier start in whole seconds, then earlier creation; mostly they lie so already."""
        cdef Py_ssize_t at, place, pod
        cdef list found = []
        for pod in pods:
            place = len(found)
            while place and self.is_before(pod, <Py_ssize_t>found[place - 1]):
                place -= 1
            found.insert(place, pod)
        return found

    cdef bint is_before(self, Py_ssize_t one, Py_ssize_t other) noexcept:
        cdef long long start, other_start
        if self.priority[one] != self.priority[other]:
            return self.priority[one] > self.priority[other]
        start, other_start = self.start_s(one), self.start_s(other)
        return start < other_start if start != other_start else one < other

    cdef long long start_s(self, Py_ssize_t pod) noexcept:
        """Rounded down: pods that are older than the run started below 0."""
        cdef long long start_us = self.bound_us[pod], seconds = start_us / US_PER_S
        return seconds - (seconds * US_PER_S > start_us)

    cdef tuple rank(self, list victims):
        cdef Py_ssize_t pod
        cdef long long total = PRIORITY_OFFSET * len(victims)
        if not victims:
            return 0, -PRIORITY_OFFSET, 0, 0, 0
        for pod in victims:
            total += self.priority[pod]
        pod = victims[0]
        return 0, self.priority[pod], total, len(victims), -self.start_s(pod)
