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

    def unknown(self, list templates):
        """Those of the templates of which it does not know what their pods take."""
        return [template for template in dict.fromkeys(templates) if template not in self.shapes]

    def learn(self, template, needed, accepts):
        """What pods of a template take, and where they may go."""
        self.shapes[template] = Shape(needed, accepts)

    cdef list fill(self, Shape shape, Py_ssize_t start, Py_ssize_t count):
        """Twin of `FreeRoom.fill`."""
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


cdef class HintedPlacing:
    """Pods of node after node put on trial, each where it was last, if it may be there: twin of `PlaceTogether`."""

    cdef TrialPlacing room
    cdef const long long[::1] by_row
    cdef dict by_key, latest, older, placed
    cdef list keys

    def __init__(self, TrialPlacing room, by_row, dict by_key, list keys, dict latest, dict older, dict placed):
        """Positions by node row (-1: none) and by key of a placeholder, and the key of each; the keys of pods, of this
        loop and of the last one; pods by position. Keys of this loop and pods by position are added to."""
        self.room, self.by_row, self.by_key, self.keys = room, by_row, by_key, keys
        self.latest, self.older, self.placed = latest, older, placed

    def place(self, pods, list templates, const unsigned char[::1] destinations, const long long[::1] dropped,
              Py_ssize_t cursor):
        """Put pods of these templates in turn, each on its hint or else where the search finds room.

        Whether all were put, and the cursor. Where one finds no room, all give theirs back.
        `dropped`: positions that searches do not list, rising.
        """
        cdef TrialPlacing room = self.room
        cdef list positions = []
        cdef Py_ssize_t at = 0, position, listed = room.free.shape[0] - dropped.shape[0]
        cdef Shape shape
        for pod in pods:
            shape = room.shapes[templates[at]]
            position = self.hint(pod)
            if position < 0 or not destinations[position] or not room.takes(shape, position):
                position = room.search(shape, destinations, listed_at(dropped, cursor % (listed if listed > 0 else 1)))
                if position < 0:
                    for at in range(len(positions)):
                        room.count(room.shapes[templates[at]], positions[at], 1)
                    return False, cursor
                cursor = position - dropped_before(dropped, position) + 1
            room.count(shape, position, -1)
            positions.append(position)
            self.latest[pod] = self.keys[position]
            at += 1
        self.note(pods, positions)
        return True, cursor

    def fill(self, list pods, template, Py_ssize_t start):
        """Put pods of a template without hints, as long as there is room.

        Their positions; the first search begins at `start`.
        """
        cdef list positions = self.room.fill(self.room.shapes[template], start, len(pods))
        cdef Py_ssize_t at
        for at in range(len(positions)):
            self.latest[pods[at]] = self.keys[positions[at]]
        self.note(pods, positions)
        return positions

    def hinted(self, pods):
        """Which of the pods have a hint that names a position."""
        return [self.hint(pod) >= 0 for pod in pods]

    cdef note(self, pods, list positions):
        """Add pods to those of their positions; there may be more pods than positions."""
        cdef Py_ssize_t at = 0, count = len(positions)
        for pod in pods:
            if at == count:
                return
            there = self.placed.get(positions[at])
            if there is None:
                self.placed[positions[at]] = [pod]
            else:
                (<list> there).append(pod)
            at += 1

    cdef Py_ssize_t hint(self, pod):
        """Where a pod was put last; -1 if there is no such position."""
        cdef Py_ssize_t key
        known = self.latest.get(pod)
        if known is None:
            known = self.older.get(pod)
            if known is None:
                return -1
        key = known
        return self.by_row[key] if key >= 0 else self.by_key.get(known, -1)


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
