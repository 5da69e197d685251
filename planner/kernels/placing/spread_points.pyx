"""Points of soft spread constraints among the nodes that a scheduling cycle has found.

Compiled twin of the soft constraints of `scheduler/plugins/pod_topology_spread.py` (kube-scheduler 1.36,
plugins/podtopologyspread/scoring.go). Logarithms are given, so that they are those of the twin.
"""

cimport cython

import numpy as np

from planner.kernels.placing.node_columns cimport SpreadTerm

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    SMALL = 20_000_000
    RECENT = 64  # a power of 2


@cython.final
cdef class SpreadPoints:
    """Points of one search after the other; `raw` holds them by position until the next one."""

    cdef reserve(self, long long[::1] rows, long long[::1] totals, const double[::1] logs):
        """Share the nodes found and their totals, by position. `logs`: of 2, 3, ..., at least nodes + 2 of them."""
        self.rows, self.totals, self.logs = rows, totals, logs
        self.raw, self.stamps = np.zeros(len(rows), np.int64), np.zeros(len(rows) + 2, np.int64)
        self.kept = np.zeros(len(rows), np.uint8)
        self.stamp = 0

    cdef add(self, tuple terms, bint all_keys, long long weight, Py_ssize_t found):
        """Add the points of constraints to the totals of so many nodes. `all_keys`: nodes that lack a key get none."""
        cdef Py_ssize_t at, kept
        cdef long long most = -1, least = 0, raw
        self.found = found
        kept = self.keep(terms, all_keys)
        if not kept:
            self.raw[: self.found] = 0
            return
        self.sum_terms(terms, kept)
        if kept == self.found:
            self.share_among_all(weight)
            return
        for at in range(self.found):
            if self.kept[at]:
                raw = self.raw[at]
                if most < 0 or raw < least:
                    least = raw
                if raw > most:
                    most = raw
        for at in range(self.found):
            self.raw[at] = weight * share(self.raw[at], most, least) if self.kept[at] else 0
            self.totals[at] += self.raw[at]

    cdef void share_among_all(self, long long weight) noexcept:
        """Points where no node lacks a key; nodes alike follow one another at short distances."""
        cdef Py_ssize_t at, place
        cdef long long* raws = &self.raw[0]
        cdef long long* totals = &self.totals[0]
        cdef long long most = raws[0], least = raws[0], raw
        cdef long long known[RECENT]
        cdef long long points[RECENT]
        for at in range(1, self.found):
            raw = raws[at]
            least = raw if raw < least else least
            most = raw if raw > most else most
        for at in range(RECENT):
            known[at] = -1
        for at in range(self.found):
            raw = raws[at]
            place = raw & (RECENT - 1)
            if known[place] != raw:
                known[place], points[place] = raw, weight * share(raw, most, least)
            raws[at] = points[place]
            totals[at] += points[place]

    cdef Py_ssize_t keep(self, tuple terms, bint all_keys):
        cdef Py_ssize_t at, kept = self.found
        cdef SpreadTerm term
        self.all_kept = True
        if all_keys:
            for term in terms:
                if not term.has_all:
                    self.all_kept = False
        if not self.all_kept:
            for at in range(self.found):
                self.kept[at] = 1
            for term in terms:
                if not term.has_all:
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
        cdef double[::1] total = np.zeros(self.found)
        cdef Py_ssize_t at
        cdef double weight
        for one in terms:
            weight = self.weight_of(one, kept)
            for at in range(self.found):
                total[at] += points_of(one, self.rows[at], weight)
        for at in range(self.found):
            self.raw[at] = <long long>(total[at] + 0.5)

    cdef void sum_two(self, SpreadTerm one, double weight, SpreadTerm other, double other_weight) noexcept:
        cdef Py_ssize_t at, row
        cdef double total
        if one.by_node and not other.by_node and one.has_all and other.has_all:
            self.sum_node_and_domain(one, weight, other, other_weight)
            return
        for at in range(self.found):
            row = self.rows[at]
            total = points_of(one, row, weight) + points_of(other, row, other_weight)
            self.raw[at] = <long long>(total + 0.5)

    cdef void sum_node_and_domain(self, SpreadTerm one, double weight, SpreadTerm other, double other_weight) noexcept:
        """What the built-in constraints come to: one counts on the nodes, the other in domains that every node has."""
        cdef Py_ssize_t at, row
        cdef double total
        cdef const long long* pods = &one.pods[0]
        cdef const long long* domain_pods = &other.pods[0]
        cdef const long long* domains = &other.values[0]
        cdef const long long* rows = &self.rows[0]
        cdef long long* raws = &self.raw[0]
        cdef double base = one.base, other_base = other.base
        for at in range(self.found):
            row = rows[at]
            total = <double>pods[row] * weight + base
            total = total + (<double>domain_pods[domains[row]] * other_weight + other_base)
            raws[at] = <long long>(total + 0.5)

    cdef double weight_of(self, SpreadTerm term, Py_ssize_t kept) noexcept:
        """The logarithm of the number of domains plus 2."""
        cdef Py_ssize_t at, domains = 0
        cdef long long value
        if term.by_node:
            return self.logs[kept]
        self.stamp += 1
        for at in range(self.found):
            if self.all_kept or self.kept[at]:
                value = term.values[self.rows[at]]
                if self.stamps[value] != self.stamp:
                    self.stamps[value] = self.stamp
                    domains += 1
                    if domains == term.most_domains:
                        break
        return self.logs[domains]


cdef inline long long share(long long raw, long long most, long long least) noexcept:
    """100 for the fewest pods, less the more there are."""
    cdef long long left = most + least - raw
    if most == 0:
        return 100
    if most < SMALL:  # short integers are divided faster
        return <unsigned int>(100 * left) // <unsigned int>most
    return 100 * left // most


cdef inline double points_of(SpreadTerm term, Py_ssize_t row, double weight) noexcept:
    if not term.has_all and not term.has[row]:
        return 0.0
    return <double>term.pods[row if term.by_node else term.values[row]] * weight + term.base
