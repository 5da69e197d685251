"""Pods put on trial one after the other, where only room decides: compiled twin of `place_one` and of `FreeRoom`
(`autoscaler/snapshot`; Cluster Autoscaler 1.36.1, simulator/cluster.go)."""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    MOST_COLUMNS = 32


cdef class Shape:
    """What pods of one template take, and which positions take them."""

    cdef Py_ssize_t columns
    cdef Py_ssize_t column[MOST_COLUMNS]
    cdef long long amount[MOST_COLUMNS]
    cdef const unsigned char[::1] accepts

    def __init__(self, needed, accepts):
        """`needed`: column and amount; `accepts`: by position."""
        self.columns, self.accepts = len(needed), accepts
        for at, (column, amount) in enumerate(needed):
            self.column[at], self.amount[at] = column, amount


cdef class TrialPlacing:
    """What is free at each position, which this changes."""

    cdef long long[:, ::1] free
    cdef dict shapes

    def __init__(self, free):
        """`free`: shape (positions, resources)."""
        self.free, self.shapes = free, {}

    def knows(self, template):
        """Whether it knows what pods of a template take."""
        return template in self.shapes

    def learn(self, template, needed, accepts):
        """What pods of a template take, and where they may go."""
        self.shapes[template] = Shape(needed, accepts)

    def place(self, list templates, list hinted, const unsigned char[::1] destinations, const long long[::1] dropped,
              Py_ssize_t cursor):
        """Put pods of these templates in turn, each on its hint (-1: it has none) or else where the search finds room.

        Where they were put, and the cursor. Where one finds no room, all give theirs back, and the list ends before it.
        `dropped`: positions that searches do not list, rising.
        """
        cdef list positions = []
        cdef Py_ssize_t at, position, listed = self.free.shape[0] - dropped.shape[0]
        cdef Shape shape
        for at in range(len(templates)):
            shape = self.shapes[templates[at]]
            position = hinted[at]
            if position < 0 or not destinations[position] or not self.takes(shape, position):
                position = self.search(shape, destinations, listed_at(dropped, cursor % (listed if listed > 0 else 1)))
                if position < 0:
                    for at in range(len(positions)):
                        self.count(self.shapes[templates[at]], positions[at], 1)
                    return positions, cursor
                cursor = position - dropped_before(dropped, position) + 1
            self.count(shape, position, -1)
            positions.append(position)
        return positions, cursor

    def fill(self, template, Py_ssize_t start, Py_ssize_t count):
        """Put up to `count` pods of a template, each where the search after the last one finds room first: twin of
        `fill_rounds` and `visiting_order` (`autoscaler/snapshot/round_robin.py`).

        Their positions in that order; the first search begins at `start`.
        """
        cdef Shape shape = self.shapes[template]
        cdef list positions = []
        cdef Py_ssize_t position, at, begun = 0, ended, listed = self.free.shape[0]
        for at in range(listed if count > 0 else 0):
            position = start + at if start + at < listed else start + at - listed
            if self.takes(shape, position):
                self.count(shape, position, -1)
                positions.append(position)
                if len(positions) == count:
                    return positions
        # Only positions that took a pod in one round take one in the next.
        while begun < len(positions):
            ended = len(positions)
            for at in range(begun, ended):
                position = positions[at]
                if self.takes(shape, position):
                    self.count(shape, position, -1)
                    positions.append(position)
                    if len(positions) == count:
                        return positions
            begun = ended
        return positions

    cdef Py_ssize_t search(self, Shape shape, const unsigned char[::1] destinations, Py_ssize_t start) noexcept:
        """The first position that takes a pod, walking round; -1 if none does."""
        cdef Py_ssize_t position, count = self.free.shape[0]
        for position in range(start, count):
            if destinations[position] and self.takes(shape, position):
                return position
        for position in range(min(start, count)):
            if destinations[position] and self.takes(shape, position):
                return position
        return -1

    cdef bint takes(self, Shape shape, Py_ssize_t position) noexcept:
        cdef Py_ssize_t at
        if not shape.accepts[position]:
            return False
        for at in range(shape.columns):
            if self.free[position, shape.column[at]] < shape.amount[at]:
                return False
        return True

    cdef count(self, Shape shape, Py_ssize_t position, long long change):
        """Give back, or take, the room of one pod."""
        cdef Py_ssize_t at
        for at in range(shape.columns):
            self.free[position, shape.column[at]] += change * shape.amount[at]


cdef Py_ssize_t listed_at(const long long[::1] dropped, Py_ssize_t place) noexcept:
    """The position at a place of the list: twin of `DroppedPositions.position_at`."""
    cdef Py_ssize_t low = 0, high = dropped.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if place < dropped[middle] - middle:
            high = middle
        else:
            low = middle + 1
    return place + low


cdef Py_ssize_t dropped_before(const long long[::1] dropped, Py_ssize_t position) noexcept:
    cdef Py_ssize_t low = 0, high = dropped.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if dropped[middle] < position:
            low = middle + 1
        else:
            high = middle
    return low
