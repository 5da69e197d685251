"""Requests at a pod under a CPU quota, one after the other.

Compiled twin of `QuotaServer` (`workloads/latency/cfs/quota_server.py`), which says what the figures mean.
"""

from libc.math cimport INFINITY, ceil, floor

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double NONE_LEFT = 1e-9


cdef class QuotaServer:
    """A pod and the requests at it."""

    cdef double quota, period, tick, cores, most
    cdef double now, progress, left, ends, stopped_at
    cdef bint stopped
    cdef const double[::1] works
    cdef double[::1] done_at, responses, arrived
    cdef long long[::1] who
    cdef Py_ssize_t first, behind, next_up, came
    cdef readonly double throttled_s

    def __init__(self, pod, works):
        """`pod`: quota, period, seconds between looks at the quota, cores, most requests in service."""
        self.quota, self.period, self.tick, self.cores, self.most = pod
        self.works = works
        self.left, self.ends = self.quota, self.period

    def serve(self, arrivals, responses, done_at, who):
        """Responses of requests that arrive at these times; the last two columns are room to work in."""
        cdef Py_ssize_t number
        self.arrived, self.responses, self.done_at, self.who = arrivals, responses, done_at, who
        for number in range(self.arrived.shape[0]):
            self.work_until(self.arrived[number])
            if self.first == self.behind:
                self.wake(self.arrived[number])
            self.came = number + 1
            self.begin()
        self.work_until(INFINITY)

    cdef void work_until(self, double at) noexcept:
        cdef double use, speed, done, stop, then
        cdef bint stops
        while self.first < self.behind and self.now < at:
            if self.stopped:
                if self.ends > at:
                    self.now = at
                    return
                self.now = self.ends
                self.throttled_s += self.now - self.stopped_at
                self.renew()
                self.pass_periods(at)
                continue
            use = <double>(self.behind - self.first)
            speed = 1.0
            if use > self.cores:
                speed = self.cores / use
                use = self.cores
            done = self.now + most_of(self.done_at[self.first] - self.progress, 0.0) / speed
            then = least_of(done, at)
            stop = self.stop_at(use)
            stops = stop + NONE_LEFT < then
            if stops:
                then = stop
            if self.ends <= then:
                self.advance(self.ends, use, speed)
                self.renew()
            else:
                self.advance(then, use, speed)
                if stops:
                    self.stop()
                elif done <= at:
                    self.finish()

    cdef void advance(self, double then, double use, double speed) noexcept:
        self.progress += speed * (then - self.now)
        self.left -= use * (then - self.now)
        self.now = then

    cdef void stop(self) noexcept:
        self.left = least_of(self.left, 0.0)
        self.stopped, self.stopped_at = True, self.now

    cdef double stop_at(self, double use) noexcept:
        cdef double at = self.now + most_of(self.left, 0.0) / use
        if self.tick == 0.0:
            return at
        return most_of(ceil(at / self.tick - NONE_LEFT), floor(self.now / self.tick + NONE_LEFT) + 1.0) * self.tick

    cdef void finish(self) noexcept:
        cdef Py_ssize_t number = self.who[self.first]
        self.progress = self.done_at[self.first]
        self.first += 1
        self.responses[number] = self.now - self.arrived[number]
        self.begin()

    cdef void begin(self) noexcept:
        cdef double done
        cdef Py_ssize_t place
        while self.next_up < self.came and <double>(self.behind - self.first) < self.most:
            done = self.progress + self.works[self.next_up]
            place = self.behind
            while place > self.first and self.done_at[place - 1] > done:
                self.done_at[place] = self.done_at[place - 1]
                self.who[place] = self.who[place - 1]
                place -= 1
            self.done_at[place], self.who[place] = done, self.next_up
            self.behind += 1
            self.next_up += 1

    cdef void wake(self, double at) noexcept:
        cdef double passed
        self.now = at
        if at >= self.ends:
            passed = floor((at - self.ends) / self.period) + 1.0
            self.ends += passed * self.period
            self.fill(passed)

    cdef void renew(self) noexcept:
        self.ends += self.period
        self.fill(1.0)

    cdef void pass_periods(self, double at) noexcept:
        cdef double count = <double>(self.behind - self.first), quotas, passed
        if self.stopped or least_of(count, self.cores) * self.period <= self.quota:
            return
        quotas = (self.done_at[self.first] - self.progress) * count / self.quota
        passed = floor(least_of((at - self.now) / self.period, ceil(quotas - NONE_LEFT) - 1.0))
        if passed >= 1.0:
            self.progress += passed * self.quota / count
            self.now += passed * self.period
            self.ends += passed * self.period
            self.throttled_s += passed * (self.period - self.quota / least_of(count, self.cores))

    cdef void fill(self, double periods) noexcept:
        self.left = least_of(self.quota * periods + least_of(self.left, 0.0), self.quota)
        self.stopped, self.stopped_at = self.left <= NONE_LEFT, self.now


cdef inline double least_of(double one, double other) noexcept:
    return one if one < other else other


cdef inline double most_of(double one, double other) noexcept:
    return one if one > other else other
