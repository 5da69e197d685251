"""Which nodes a scheduling cycle finds, their points, and the one it takes.

Compiled twin of `find_feasible` (`scheduler/cycle/select.py`), of `PurposeDraws.first` (`engine/draws.py`) and of
`SchedulingCycle.best` (kube-scheduler 1.36, schedule_one.go).
"""

cimport cython

import numpy as np

from planner.kernels.placing.node_columns cimport Columns, DomainLimit, begin_pod, refuses
from planner.kernels.placing.spread_points cimport SpreadPoints

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    ALLOCATION = -1
    BALANCE = -2
    SPREAD = -3
    TAINTS = -4
    MOST_POINTS = 100


@cython.final
cdef class NodeChoice:
    """One search after the other; what it found can be read until the next one."""

    cdef long long[::1] rows, totals
    cdef long long most_taints
    cdef bint drawn
    cdef SpreadPoints spreads
    cdef unsigned long long salt
    cdef object twice_read, keys_read
    cdef const long long[::1] twice
    cdef const unsigned long long[::1] keys
    cdef readonly Py_ssize_t found, looked_at, place, tied

    def __init__(self, salt):
        """`salt`: of the draws among equals; None: the smallest key is taken."""
        self.drawn = salt is not None
        self.salt = 0 if salt is None else salt
        self.spreads = SpreadPoints()

    def reserve(self, Py_ssize_t nodes, logs):
        """Make room for so many nodes. `logs`: of 2, 3, ..., at least nodes + 2 of them."""
        self.rows, self.totals = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self.spreads.reserve(self.rows, self.totals, logs)

    def read(self, twice, keys):
        """The order of the search, twice in a row, and by what equal nodes are told apart."""
        if twice is not self.twice_read:
            self.twice_read = self.twice = twice
        if keys is not self.keys_read:
            self.keys_read = self.keys = keys

    def search(self, const unsigned char[::1] passes, const unsigned char[::1] fits, Py_ssize_t start,
               Py_ssize_t wanted):
        """Search from `start` round until one more node than wanted passes both masks; how many were found."""
        self.find(passes, fits, start, wanted)
        return self.found

    cdef void find(self, const unsigned char[::1] passes, const unsigned char[::1] fits, Py_ssize_t start,
                   Py_ssize_t wanted) noexcept:
        cdef Py_ssize_t at, found = 0, count = self.twice.shape[0] // 2
        cdef const long long* order = &self.twice[start]
        cdef const unsigned char* passing = &passes[0]
        cdef const unsigned char* fitting = &fits[0]
        cdef long long* rows = &self.rows[0]
        for at in range(count):
            rows[found] = order[at]  # stays if the node passes
            found += passing[order[at]] & fitting[order[at]]
            if found > wanted:
                self.found, self.looked_at = wanted, at
                return
        self.found, self.looked_at = found, count

    cdef find_within(self, Columns columns, Py_ssize_t start, Py_ssize_t wanted):
        """`find` among nodes within the limits."""
        cdef Py_ssize_t at, row, found = 0, count = self.twice.shape[0] // 2
        cdef DomainLimit limit
        cdef bint refused
        for limit in columns.limits:
            begin_pod(limit)
        if len(columns.limits) == 1:
            self.find_within_one(columns, columns.limits[0], start, wanted)
            return
        self.looked_at = count
        for at in range(count):
            row = self.twice[start + at]
            if not columns.passes[row] or not columns.fits[row]:
                continue
            refused = False
            for limit in columns.limits:
                if refuses(limit, row):
                    refused = True
                    break
            if refused:
                continue
            if found == wanted:
                self.looked_at = at
                break
            self.rows[found] = row
            found += 1
        self.found = found

    cdef void find_within_one(self, Columns columns, DomainLimit limit, Py_ssize_t start, Py_ssize_t wanted) noexcept:
        cdef Py_ssize_t at, found = 0, count = self.twice.shape[0] // 2
        cdef const long long* order = &self.twice[start]
        cdef const unsigned char* passing = &columns.passes[0]
        cdef const unsigned char* fitting = &columns.fits[0]
        cdef long long* rows = &self.rows[0]
        for at in range(count):
            if not passing[order[at]] or not fitting[order[at]] or refuses(limit, order[at]):
                continue
            if found == wanted:
                self.found, self.looked_at = found, at
                return
            rows[found] = order[at]
            found += 1
        self.found, self.looked_at = found, count

    cpdef decide(self, Columns columns, Py_ssize_t start, Py_ssize_t wanted, unsigned long long key, Py_ssize_t others):
        """Search, and choose among several nodes: the node, how many were found, its points by plugin (None if there is
        no choice), how many nodes had as many, and so many others with theirs. None if no node was found.

        `key`: of the pod's draws.
        """
        cdef long long node
        if columns.limits:
            self.find_within(columns, start, wanted)
        else:
            self.find(columns.passes, columns.fits, start, wanted)
        if self.found == 0:
            return None
        if self.found == 1:
            return self.rows[0], 1, None, 1, ()
        self.begin(columns.points)
        if columns.terms:
            self.spreads.add(columns.terms, columns.all_keys, columns.spread_weight, self.found)
        if columns.soft_taints is not None:
            self.prefer_without_taints(columns)
        node = self.choose(key)
        best = ()
        if others:
            best = tuple([(self.rows[place], self.figures(columns, place)) for place in self.runners_up(others)])
        return node, self.found, self.figures(columns, self.place), self.tied, best

    def decide_in_turn(self, Columns columns, Py_ssize_t start, Py_ssize_t wanted,
                       const unsigned long long[::1] keys, tuple others, scores, tuple counters):
        """`decide` for pods of a template, one after the other, each as if those before it were bound; up to the first
        one without a node. Their decisions, and where the next search starts.

        `others`: how many pods have the best other nodes recorded, and how many of these. `scores`: the `ResourceScores`
        of the columns, which have other rows then; `counters`: `CounterColumns` of all counts in which the pods are, which
        are put back.
        """
        cdef long long[::1] placed = np.zeros(columns.fits.shape[0], np.int64)
        cdef Py_ssize_t at, total = self.twice.shape[0] // 2, with_others = others[0], recorded = others[1]
        cdef long long node
        cdef list made = []
        for at in range(keys.shape[0]):
            decision = self.decide(columns, start, wanted, keys[at], recorded if at < with_others else 0)
            if decision is None:
                break
            start = (start + self.looked_at) % total
            node = decision[0]
            placed[node] += 1
            scores.redo_with(node, placed[node])
            for counter in counters:
                counter.add(node, 1)
            made.append(decision)
        for decision in made:
            for counter in counters:
                counter.add(decision[0], -1)
        return made, start

    cdef void prefer_without_taints(self, Columns columns) noexcept:
        """Add the points of nodes without soft taints that the pod does not tolerate, less the more there are."""
        cdef Py_ssize_t at
        self.most_taints = 0
        for at in range(self.found):
            self.most_taints = max(self.most_taints, columns.soft_taints[self.rows[at]])
        for at in range(self.found):
            self.totals[at] += self.taint_points(columns, self.rows[at])

    cdef inline long long taint_points(self, Columns columns, Py_ssize_t row) noexcept:
        cdef long long taints = columns.soft_taints[row]
        cdef long long lost = MOST_POINTS * taints // self.most_taints if taints else 0
        return (MOST_POINTS - lost) * columns.taint_weight

    cdef tuple figures(self, Columns columns, Py_ssize_t place):
        """Points of the node at a position, by plugin."""
        cdef Py_ssize_t row = self.rows[place]
        cdef long long what
        cdef list points = []
        for what in columns.layout:
            if what == ALLOCATION:
                what = columns.allocation[row] * columns.allocation_weight
            elif what == BALANCE:
                what = columns.balance[row] * columns.balance_weight
            elif what == SPREAD:
                what = self.spreads.raw[place]
            elif what == TAINTS:
                what = self.taint_points(columns, row)
            points.append(what)
        return tuple(points)

    def points(self, const long long[::1] by_row):
        """Begin the totals with points by node row."""
        self.begin(by_row)

    cdef void begin(self, const long long[::1] by_row) noexcept:
        cdef Py_ssize_t at
        cdef const long long* points = &by_row[0]
        cdef const long long* rows = &self.rows[0]
        cdef long long* totals = &self.totals[0]
        for at in range(self.found):
            totals[at] = points[rows[at]]

    def add(self, const long long[::1] found):
        """Add points of the found nodes to the totals."""
        cdef Py_ssize_t at
        for at in range(self.found):
            self.totals[at] += found[at]

    def spread(self, tuple terms, bint all_keys, long long weight):
        """Add the points of soft spread constraints. `all_keys`: nodes that lack a key get none."""
        self.spreads.add(terms, all_keys, weight, self.found)

    cpdef long long choose(self, unsigned long long key):
        """The node with the most points; of several the one that the pod with this key prefers.

        Sets `place`, its position among the nodes found, and `tied`, how many have as many points.
        """
        cdef Py_ssize_t at, place = 0, tied = 0
        cdef const long long* totals = &self.totals[0]
        cdef long long most = totals[0]
        cdef unsigned long long rank, least = 0, factor = 1
        if self.drawn:
            factor = mixed(key ^ self.salt) | 1
        for at in range(self.found):
            if totals[at] > most:
                most = totals[at]
                tied = 0
            if totals[at] == most:
                rank = self.keys[self.rows[at]] * factor
                if tied == 0 or rank < least:
                    place, least = at, rank
                tied += 1
        self.place, self.tied = place, tied
        return self.rows[place]

    def runners_up(self, Py_ssize_t wanted):
        """Positions of the best nodes besides the chosen one, best first; equal ones in order of search."""
        cdef Py_ssize_t at, best
        cdef list places = []
        cdef list points = [self.totals[self.place]]
        self.totals[self.place] = -1
        while len(places) < min(wanted, self.found - 1):
            best = 0
            for at in range(self.found):
                if self.totals[at] > self.totals[best]:
                    best = at
            places.append(best)
            points.append(self.totals[best])
            self.totals[best] = -1
        for at, best in enumerate([self.place, *places]):
            self.totals[best] = points[at]
        return places

    def row(self, Py_ssize_t place):
        """The node at a position."""
        return self.rows[place]

    def spread_points(self, Py_ssize_t place):
        """What `spread` gave the node at a position."""
        return self.spreads.raw[place]

    def found_rows(self):
        """The nodes found, in order of search."""
        return np.array(self.rows[: self.found])

    def found_totals(self):
        """Their points so far."""
        return np.array(self.totals[: self.found])


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    """Twin of `_mix` in `engine/draws.py` (SplitMix64)."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL
    return bits ^ (bits >> 31)
