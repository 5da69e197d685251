"""Which nodes a scheduling cycle finds, their points, and the one it takes.

Compiled twin of `find_feasible` (`scheduler/cycle/select.py`), of the soft constraints of
`scheduler/plugins/pod_topology_spread.py` and of `SchedulingCycle.best` (kube-scheduler 1.36, schedule_one.go and
plugins/podtopologyspread/scoring.go). Logarithms are given, so that they are those of the twin.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


cdef class SpreadTerm:
    """One soft constraint: how many pods count on each node."""

    cdef bint by_node
    cdef const long long[::1] values, pods
    cdef const unsigned char[::1] has
    cdef double base

    def __init__(self, bint by_node, values, pods, has, double base):
        """`values`: number of the domain by node row; `pods`: by node row if `by_node`, else by number of the domain;
        `has`: whether the node has the label, None where all have; `base`: maxSkew - 1."""
        self.by_node, self.values, self.pods, self.has, self.base = by_node, values, pods, has, base


cdef class NodeChoice:
    """One search after the other; what it found can be read until the next one."""

    cdef Py_ssize_t capacity
    cdef const double[::1] logs
    cdef long long[::1] rows, totals, raw, stamps
    cdef unsigned char[::1] kept
    cdef long long stamp
    cdef readonly Py_ssize_t found, looked_at, place, tied

    def __init__(self):
        self.capacity = 0
        self.stamp = 0

    def reserve(self, Py_ssize_t nodes, logs):
        """Make room for so many nodes. `logs`: of 2, 3, ..., at least nodes + 2 of them."""
        self.capacity, self.logs = nodes, logs
        self.rows, self.totals = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self.raw, self.stamps = np.zeros(nodes, np.int64), np.zeros(nodes + 2, np.int64)
        self.kept = np.zeros(nodes, np.uint8)

    def search(
        self,
        const long long[::1] twice,
        const unsigned char[::1] passes,
        const unsigned char[::1] fits,
        Py_ssize_t start,
        Py_ssize_t wanted,
    ):
        """Search from `start` round until one more node than wanted passes both masks; how many were found."""
        cdef Py_ssize_t at, row, found = 0, count = twice.shape[0] // 2
        for at in range(count):
            row = twice[start + at]
            if passes[row] and fits[row]:
                if found == wanted:
                    self.found, self.looked_at = found, at
                    return found
                self.rows[found] = row
                found += 1
        self.found, self.looked_at = found, count
        return found

    def points(self, const long long[::1] by_row):
        """Begin the totals with points by node row."""
        cdef Py_ssize_t at
        for at in range(self.found):
            self.totals[at] = by_row[self.rows[at]]

    def add(self, const long long[::1] found):
        """Add points of the found nodes to the totals."""
        cdef Py_ssize_t at
        for at in range(self.found):
            self.totals[at] += found[at]

    def spread(self, tuple terms, bint all_keys, long long weight):
        """Add the points of soft spread constraints. `all_keys`: nodes that lack a key get none."""
        cdef Py_ssize_t at, kept
        cdef long long most = -1, least = 0, raw
        kept = self.keep(terms, all_keys)
        if not kept:
            self.raw[: self.found] = 0
            return
        self.sum_terms(terms, kept)
        for at in range(self.found):
            if self.kept[at]:
                raw = self.raw[at]
                if most < 0 or raw < least:
                    least = raw
                if raw > most:
                    most = raw
        for at in range(self.found):
            if not self.kept[at]:
                self.raw[at] = 0
            else:
                self.raw[at] = weight * (100 if most == 0 else 100 * (most + least - self.raw[at]) // most)
                self.totals[at] += self.raw[at]

    cdef Py_ssize_t keep(self, tuple terms, bint all_keys):
        cdef Py_ssize_t at, kept = self.found
        cdef SpreadTerm term
        for at in range(self.found):
            self.kept[at] = 1
        if all_keys:
            for term in terms:
                if term.has is not None:
                    for at in range(self.found):
                        if self.kept[at] and not term.has[self.rows[at]]:
                            self.kept[at] = 0
                            kept -= 1
        return kept

    cdef sum_terms(self, tuple terms, Py_ssize_t kept):
        """Sums of pods times weight plus base, term by term, rounded in the end."""
        cdef SpreadTerm one
        cdef SpreadTerm other
        if len(terms) == 2:
            one, other = terms
            self.sum_two(one, self.weight_of(one, kept), other, self.weight_of(other, kept))
            return
        sums = np.zeros(self.found)
        cdef double[::1] total = sums
        cdef Py_ssize_t at
        cdef double weight
        for one in terms:
            weight = self.weight_of(one, kept)
            for at in range(self.found):
                total[at] += self.points_of(one, self.rows[at], weight)
        for at in range(self.found):
            self.raw[at] = <long long>(total[at] + 0.5)

    cdef void sum_two(self, SpreadTerm one, double weight, SpreadTerm other, double other_weight) noexcept:
        cdef Py_ssize_t at, row
        for at in range(self.found):
            row = self.rows[at]
            self.raw[at] = <long long>(
                self.points_of(one, row, weight) + self.points_of(other, row, other_weight) + 0.5
            )

    cdef inline double points_of(self, SpreadTerm term, Py_ssize_t row, double weight) noexcept:
        if term.has is not None and not term.has[row]:
            return 0.0
        return <double>term.pods[row if term.by_node else term.values[row]] * weight + term.base

    cdef double weight_of(self, SpreadTerm term, Py_ssize_t kept):
        """The logarithm of the number of domains plus 2."""
        if term.by_node:
            return self.logs[kept]
        cdef Py_ssize_t at, domains = 0
        cdef long long value
        self.stamp += 1
        for at in range(self.found):
            if self.kept[at]:
                value = term.values[self.rows[at]]
                if self.stamps[value] != self.stamp:
                    self.stamps[value] = self.stamp
                    domains += 1
        return self.logs[domains]

    def choose(self, const unsigned long long[::1] keys, unsigned long long factor):
        """The node with the most points; of several the one whose key times the factor is least.

        Sets `place`, its position among the nodes found, and `tied`, how many have as many points.
        """
        cdef Py_ssize_t at, place = 0, tied = 0
        cdef long long most = self.totals[0]
        cdef unsigned long long rank, least = 0
        for at in range(self.found):
            if self.totals[at] > most:
                most = self.totals[at]
                tied = 0
            if self.totals[at] == most:
                rank = keys[self.rows[at]] * factor
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
        return self.raw[place]

    def found_rows(self):
        """The nodes found, in order of search."""
        return np.array(self.rows[: self.found])

    def found_totals(self):
        """Their points so far."""
        return np.array(self.totals[: self.found])
