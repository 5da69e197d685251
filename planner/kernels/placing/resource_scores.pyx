"""Room and resource scores of one request on every node: compiled twin of `one_node_rules.py` and of the rules of
`resource_rules.py` that it stands for (kube-scheduler 1.36, plugins/noderesources)."""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    MOST_COLUMNS = 32
    PODS = 3  # checked by the caller
    UNCHANGED = 75


cdef class ResourceScores:
    """Writes the columns of one `ResourceShape`, row by row, from the columns of the nodes."""

    cdef Py_ssize_t asked, scored
    cdef Py_ssize_t asked_column[MOST_COLUMNS]
    cdef long long asked_amount[MOST_COLUMNS]
    cdef Py_ssize_t scored_column[MOST_COLUMNS]
    cdef long long scored_amount[MOST_COLUMNS]
    cdef long long scored_weight[MOST_COLUMNS]
    cdef bint has_balance
    cdef Py_ssize_t balance_column[2]
    cdef long long balance_amount[2]
    cdef long long allocation_weight, balance_weight
    cdef const long long[::1] request, scored_request
    cdef const long long[:, ::1] requested, allocatable, nonzero
    cdef unsigned char[::1] fits
    cdef long long[::1] allocation, balance, points

    def __init__(self, asked, scored, balanced, weights, requests):
        """`asked`: columns with what has to be free; `scored`: column, amount, weight; `balanced`: two columns with
        amounts, or none; `weights`: of allocation and balance; `requests`: what a pod takes of all resources, and of CPU
        and memory with the scoring defaults."""
        self.asked, self.scored = len(asked), len(scored)
        for at, (column, amount) in enumerate(asked):
            self.asked_column[at], self.asked_amount[at] = column, amount
        for at, (column, amount, weight) in enumerate(scored):
            self.scored_column[at], self.scored_amount[at], self.scored_weight[at] = column, amount, weight
        self.has_balance = bool(balanced)
        for at, (column, amount) in enumerate(balanced):
            self.balance_column[at], self.balance_amount[at] = column, amount
        self.allocation_weight, self.balance_weight = weights
        self.request, self.scored_request = requests

    def read(self, requested, allocatable, nonzero):
        """The columns of the nodes, shape (nodes, resources), and of CPU and memory with the scoring defaults."""
        self.requested, self.allocatable, self.nonzero = requested, allocatable, nonzero

    def write(self, fits, allocation, balance, points):
        """Where the answers go, shape (nodes,)."""
        self.fits, self.allocation, self.balance, self.points = fits, allocation, balance, points

    def redo_all(self):
        """All rows."""
        cdef Py_ssize_t row
        for row in range(self.fits.shape[0]):
            self.redo_row(row, 0)

    def redo(self, list rows):
        """These rows."""
        cdef Py_ssize_t row
        for row in rows:
            self.redo_row(row, 0)

    def redo_with(self, Py_ssize_t row, long long pods):
        """A row as it is with so many more pods of this request on the node."""
        self.redo_row(row, pods)

    cdef void redo_row(self, Py_ssize_t row, long long pods) noexcept:
        cdef long long allocation = self.least_allocated(row, pods)
        cdef long long balance = 0
        self.fits[row] = self.has_room(row, pods)
        self.allocation[row] = allocation
        if self.has_balance:
            balance = self.balance_change(row, pods)
            self.balance[row] = balance
        self.points[row] = allocation * self.allocation_weight + balance * self.balance_weight

    cdef inline long long taken(self, Py_ssize_t row, Py_ssize_t column, long long pods) noexcept:
        """What is requested on a node with so many more pods of this request."""
        cdef long long more = pods * self.request[column] + (pods if column == PODS else 0)
        return self.requested[row, column] + more

    cdef bint has_room(self, Py_ssize_t row, long long pods) noexcept:
        cdef Py_ssize_t at, column
        if self.taken(row, PODS, pods) + 1 > self.allocatable[row, PODS]:
            return False
        for at in range(self.asked):
            column = self.asked_column[at]
            if self.asked_amount[at] > self.allocatable[row, column] - self.taken(row, column, pods):
                return False
        return True

    cdef long long least_allocated(self, Py_ssize_t row, long long pods) noexcept:
        cdef long long total = 0, weight = 0, capacity, room
        cdef Py_ssize_t at, column
        for at in range(self.scored):
            column = self.scored_column[at]
            capacity = self.allocatable[row, column]
            if capacity <= 0:
                continue
            weight += self.scored_weight[at]
            if column < 2:
                room = capacity - self.nonzero[row, column] - pods * self.scored_request[column]
            else:
                room = capacity - self.taken(row, column, pods)
            room -= self.scored_amount[at]
            if room >= 0:
                total += room * 100 // capacity * self.scored_weight[at]
        return total // weight if weight else 0

    cdef long long balance_change(self, Py_ssize_t row, long long pods) noexcept:
        cdef long long capacity, other_capacity, have, other_have
        cdef double with_it, other_with_it, now, other_now
        cdef long long after, before
        capacity = self.allocatable[row, self.balance_column[0]]
        other_capacity = self.allocatable[row, self.balance_column[1]]
        if capacity <= 0 or other_capacity <= 0:
            return UNCHANGED
        have = self.taken(row, self.balance_column[0], pods)
        other_have = self.taken(row, self.balance_column[1], pods)
        with_it = <double>(have + self.balance_amount[0]) / <double>capacity
        other_with_it = <double>(other_have + self.balance_amount[1]) / <double>other_capacity
        now, other_now = <double>have / <double>capacity, <double>other_have / <double>other_capacity
        after, before = even(with_it, other_with_it), even(now, other_now)
        return (150 + after - before) // 2  # 50 and half of 50 + after - before, rounded down


cdef long long even(double one, double other) noexcept:
    """100 where both fractions are the same, less the further they are apart."""
    one, other = min(1.0, one), min(1.0, other)
    cdef double apart = (one - other) / 2
    return <long long>((1 - (apart if apart >= 0 else -apart)) * 100.0)
