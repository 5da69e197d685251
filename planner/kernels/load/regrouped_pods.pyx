"""Groups of the pods of workloads whose pods have changed.

Compiled twin of `ServingPods.replace` (`workloads/load/serving_pods.py`) and of what it calls in `grouped_pods.py` and
`step/formed_groups.py`, for workloads whose pods do not take from one queue.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    NO_GROUP = -1
    NOT_SEEN = -2

cdef double ALIKE_S = 0.1
cdef double ALIKE = 0.01
cdef double ROUNDING = 1e-9


cdef class RegroupedPods:
    """Columns of pods and of groups, while some workloads are given their pods."""

    cdef const double[::1] cpu_seconds
    cdef const unsigned char[::1] is_random
    cdef const long long[::1] rows, service, capacity, cores  # of pods, as of `PodsThatServe`
    cdef const unsigned char[::1] takes
    cdef const double[::1] slower
    cdef const long long[::1] old_service, old_capacity, old_cores, old_count, old_kind  # of groups, as of `Groups`
    cdef const unsigned char[::1] old_takes
    cdef const double[::1] old_slower, old_held, old_done, old_busy
    cdef long long[::1] group_of  # by row
    cdef double[::1] spent, part
    cdef long long[::1] at, order, spare, number  # pods that have a group in the end: their places, and in order
    cdef double[::1] held, busy
    cdef Py_ssize_t pods

    def __init__(self, const double[::1] cpu_seconds, const unsigned char[::1] is_random):
        """`is_random`: workloads where the law of a pod does not depend on how many share the load with it."""
        self.cpu_seconds, self.is_random = cpu_seconds, is_random

    def look_at(self, pods, groups, of_pods):
        """Columns of `PodsThatServe`, of `Groups`, and group, spent CPU and part by pod row."""
        self.rows, self.service, self.capacity, self.cores, takes, self.slower = pods
        self.takes = takes.view(np.uint8)
        (self.old_service, self.old_capacity, self.old_cores, takes, self.old_slower, self.old_count, self.old_held,
         self.old_done, self.old_busy, self.old_kind) = groups
        self.old_takes = takes.view(np.uint8)
        self.group_of, self.spent, self.part = of_pods

    def changed(self, const long long[::1] positions, changed):
        """Which of the workloads at `positions` have other pods than before, or pods that can do more or less.

        `changed`: by position; others that are set stay so.
        """
        cdef unsigned char[::1] out = changed.view(np.uint8)
        cdef long long[::1] counts = np.zeros(out.shape[0], np.int64)
        cdef Py_ssize_t at, place
        cdef long long of
        for at in range(self.rows.shape[0]):
            of = self.group_of[self.rows[at]]
            if of == NO_GROUP:
                out[self.service[at]] |= self.takes[at]
                continue
            counts[self.service[at]] += 1
            out[self.service[at]] |= not self.is_of(at, of)
        for at in range(self.old_service.shape[0]):
            counts[self.old_service[at]] -= self.old_count[at]
        for place in range(positions.shape[0]):
            out[positions[place]] |= counts[positions[place]] != 0

    def form(self, chosen, rows_of):
        """Form the groups of the pods of these workloads, which have changed: all columns of `Groups`, the pods of each
        chosen workload, and requests that were lost with pods, by position.

        `rows_of`: by position the pods that had a group.
        """
        cdef const unsigned char[::1] is_chosen = chosen.view(np.uint8)
        cdef Py_ssize_t at, count, of
        lost = np.zeros(is_chosen.shape[0])
        after = np.zeros(is_chosen.shape[0])
        cdef double[::1] before = lost, kept = after
        for at in range(self.old_service.shape[0]):
            if is_chosen[self.old_service[at]]:
                before[self.old_service[at]] += <double>self.old_count[at] * self.old_held[at]
        services = np.flatnonzero(chosen).tolist()
        self.gather(is_chosen)
        for of in services:
            self.leave(rows_of[of])
        self.keep_those_that_stay()
        for at in range(self.pods):
            kept[self.service[self.at[at]]] += self.held[at]
        self.sort()
        count = self.number_groups()
        groups = self.joined(is_chosen, count)
        for of in services:
            before[of] = before[of] - kept[of] if before[of] - kept[of] > ROUNDING * before[of] else 0.0
        return groups, self.pods_of(services), lost

    cdef bint is_of(self, Py_ssize_t at, Py_ssize_t group) noexcept:
        """Whether a pod can do what those of a group can."""
        return (
            self.old_capacity[group] == self.capacity[at] and self.old_cores[group] == self.cores[at]
            and self.old_takes[group] == self.takes[at] and self.old_slower[group] == self.slower[at]
        )

    cdef gather(self, const unsigned char[::1] is_chosen):
        """The pods of the chosen workloads, what they hold and are busy with."""
        cdef Py_ssize_t at, count = self.rows.shape[0]
        cdef long long of
        self.at, self.order, self.spare, self.number = np.empty((4, count), np.int64)
        self.held, self.busy = np.zeros((2, count))
        self.pods = 0
        for at in range(count):
            if not is_chosen[self.service[at]]:
                continue
            of = self.group_of[self.rows[at]]
            self.at[self.pods] = at
            if of != NO_GROUP:
                self.held[self.pods] = self.old_held[of]
                self.busy[self.pods] = self.old_busy[of] * self.part[self.rows[at]]
            self.pods += 1

    cdef leave(self, const long long[::1] rows):
        """Pods leave their groups, and keep what they have spent."""
        cdef Py_ssize_t at
        cdef long long row
        for at in range(rows.shape[0]):
            row = rows[at]
            self.spent[row] += self.old_done[self.group_of[row]] * self.part[row]
            self.group_of[row], self.part[row] = NO_GROUP, 1.0

    cdef void keep_those_that_stay(self) noexcept:
        """Those that take requests or hold some."""
        cdef Py_ssize_t at, kept = 0
        for at in range(self.pods):
            if self.takes[self.at[at]] or self.held[at] > 0.0:
                self.at[kept], self.held[kept], self.busy[kept] = self.at[at], self.held[at], self.busy[at]
                kept += 1
        self.pods = kept

    cdef bint comes_after(self, Py_ssize_t one, Py_ssize_t other) noexcept:
        cdef Py_ssize_t mine = self.at[one], its = self.at[other]
        if self.service[mine] != self.service[its]:
            return self.service[mine] > self.service[its]
        if self.takes[mine] != self.takes[its]:
            return self.takes[mine] < self.takes[its]
        if self.capacity[mine] != self.capacity[its]:
            return self.capacity[mine] > self.capacity[its]
        if self.cores[mine] != self.cores[its]:
            return self.cores[mine] > self.cores[its]
        if self.slower[mine] != self.slower[its]:
            return self.slower[mine] > self.slower[its]
        return self.held[one] > self.held[other]

    cdef void sort(self) noexcept:
        """Put the pods in order; those that are equal stay in the order in which they are: runs are merged."""
        cdef Py_ssize_t at, width = 1, low, middle, high, left, right
        cdef long long[::1] swapped
        for at in range(self.pods):
            self.order[at] = at
        while width < self.pods:
            for low in range(0, self.pods, 2 * width):
                middle, high = min(low + width, self.pods), min(low + 2 * width, self.pods)
                left, right = low, middle
                for at in range(low, high):
                    if right >= high or left < middle and not self.comes_after(self.order[left], self.order[right]):
                        self.spare[at] = self.order[left]
                        left += 1
                    else:
                        self.spare[at] = self.order[right]
                        right += 1
            swapped = self.order
            self.order, self.spare = self.spare, swapped
            width *= 2

    cdef Py_ssize_t number_groups(self) noexcept:
        """Number the groups of the pods in order, and return how many there are."""
        cdef Py_ssize_t place, one, other, count = 0
        cdef double alike, long_one
        for place in range(self.pods):
            one = self.order[place]
            if place:
                other = self.order[place - 1]
                alike = ALIKE_S * <double>self.capacity[self.at[one]] / (
                    1000.0 * self.cpu_seconds[self.service[self.at[one]]]
                )
                long_one = ALIKE * self.held[one]
                if alike < long_one:
                    alike = long_one
                count += self.held[one] - self.held[other] > alike or not self.are_same(self.at[one], self.at[other])
            self.number[place] = count
        return count + 1 if self.pods else 0

    cdef bint are_same(self, Py_ssize_t one, Py_ssize_t other) noexcept:
        return (
            self.service[one] == self.service[other] and self.capacity[one] == self.capacity[other]
            and self.cores[one] == self.cores[other] and self.takes[one] == self.takes[other]
            and self.slower[one] == self.slower[other]
        )

    cdef joined(self, const unsigned char[::1] is_chosen, Py_ssize_t more):
        """Columns of the groups of other workloads and of these, of which there are so many more; pods learn theirs."""
        cdef Py_ssize_t old, to = 0, place = 0, first, olds = self.old_service.shape[0], stay = olds
        for old in range(olds):
            stay -= is_chosen[self.old_service[old]]
        whole, real = np.empty((5, stay + more), np.int64), np.zeros((4, stay + more))
        takes = np.empty(stay + more, np.uint8)
        numbers = np.empty(olds, np.int64)
        cdef long long[::1] service = whole[0], capacity = whole[1], cores = whole[2], count = whole[3], kind = whole[4]
        cdef double[::1] slower = real[0], held = real[1], done = real[2], busy = real[3]
        cdef unsigned char[::1] taking = takes
        cdef long long[::1] place_of = numbers
        cdef bint is_moved = False
        old = 0
        for to in range(stay + more):
            while old < olds and is_chosen[self.old_service[old]]:
                old += 1
            if old < olds and (place >= self.pods or self.old_service[old] < self.service[self.at[self.order[place]]]):
                service[to], capacity[to], cores[to] = self.old_service[old], self.old_capacity[old], self.old_cores[old]
                taking[to], slower[to], count[to] = self.old_takes[old], self.old_slower[old], self.old_count[old]
                held[to], done[to], busy[to] = self.old_held[old], self.old_done[old], self.old_busy[old]
                kind[to], place_of[old] = self.old_kind[old], to
                is_moved |= old != to
                old += 1
                continue
            first = self.at[self.order[place]]
            service[to], capacity[to], cores[to] = self.service[first], self.capacity[first], self.cores[first]
            taking[to], slower[to], kind[to] = self.takes[first], self.slower[first], self.kind_of(first)
            place = self.sum_up(place, to, held, busy, count)
        if is_moved:
            self.renumber(place_of)
        for place in range(self.pods):
            self.group_of[self.rows[self.at[self.order[place]]]] = self.number[place]
        return whole[0], whole[1], whole[2], takes.view(np.bool_), real[0], whole[3], real[1], real[2], real[3], whole[4]

    cdef Py_ssize_t sum_up(
        self, Py_ssize_t place, Py_ssize_t to, double[::1] held, double[::1] busy, long long[::1] count
    ) noexcept:
        """Means of the group that begins at a place, which gets another number; the place after it."""
        cdef long long number = self.number[place], pods = 0
        while place < self.pods and self.number[place] == number:
            held[to] += self.held[self.order[place]]
            busy[to] += self.busy[self.order[place]]
            pods += 1
            place += 1
        held[to], busy[to], count[to] = held[to] / <double>pods, busy[to] / <double>pods, pods
        for number in range(place - pods, place):
            self.number[number] = to
        return place

    cdef long long kind_of(self, Py_ssize_t at) noexcept:
        """The kind of the pods of a new group, if it follows from that of an old one."""
        cdef long long of = self.service[at]
        cdef Py_ssize_t low = 0, high = self.old_service.shape[0], middle
        if not self.is_random[of]:
            return NOT_SEEN
        while low < high:
            middle = (low + high) // 2
            if self.old_service[middle] < of:
                low = middle + 1
            else:
                high = middle
        while low < self.old_service.shape[0] and self.old_service[low] == of:
            if self.is_of(at, low):
                return self.old_kind[low]
            low += 1
        return NOT_SEEN

    cdef void renumber(self, const long long[::1] place_of) noexcept:
        """The groups of other workloads have other numbers."""
        cdef Py_ssize_t row
        for row in range(self.group_of.shape[0]):
            if self.group_of[row] != NO_GROUP:
                self.group_of[row] = place_of[self.group_of[row]]

    cdef pods_of(self, services):
        """Rows of the pods that have a group, ascending, of each of these workloads."""
        cdef Py_ssize_t at = 0, start, place
        found = []
        rows = np.empty(self.pods, np.int64)
        cdef long long[::1] out = rows
        for place in range(self.pods):
            out[place] = self.rows[self.at[place]]
        for of in services:
            start = at
            while at < self.pods and self.service[self.at[at]] == of:
                at += 1
            found.append(rows[start:at])
        return found
