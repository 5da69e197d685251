"""CPU that pods need for their requests, and whether that is no more than so much.

Compiled twins of `AskedCpu.needed` and `stays_within` (`workloads/load/use/asked_cpu.py`) where requests come straight
from profiles and cost the same at every rate.
"""

from libc.math cimport ceil

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double US_PER_S = 1e6
cdef double ROUNDING_MILLI = 1e-6
cdef double MOST_MILLI = 1e15


def is_within(
    rates, const long long[::1] ready, groups, const double[::1] cpu_seconds, const double[::1] most_milli, double dt_us
):
    """`rates`: of profiles, their factors, and what comes on top; `groups`: their workloads, ascending, and the requests
    that a pod of each holds."""
    cdef Py_ssize_t at, group = 0
    cdef Load load
    read(&load, rates, ready, groups, cpu_seconds, dt_us)
    for at in range(ready.shape[0]):
        if not load_milli(&load, at, &group) - ROUNDING_MILLI <= most_milli[at]:
            return False
    return True


def needed_milli(
    rates, const long long[::1] ready, groups, const double[::1] cpu_seconds, const long long[::1] idle,
    const long long[::1] rows, long long most, double dt_us, long long[::1] needed
):
    """What the busiest pod of each service needs, idle use included and `most` at most, written to `needed` at the
    workload rows of the services; the first columns are those of `is_within`."""
    cdef Py_ssize_t at, group = 0
    cdef long long milli
    cdef double busy
    cdef Load load
    read(&load, rates, ready, groups, cpu_seconds, dt_us)
    for at in range(ready.shape[0]):
        busy = load_milli(&load, at, &group)
        milli = idle[at] + <long long>ceil((busy if busy < MOST_MILLI else MOST_MILLI) - ROUNDING_MILLI)
        needed[rows[at]] = milli if milli < most else most


cdef struct Load:  # columns that the caller holds
    const double* plain
    const double* factor
    const double* more
    const double* cpu_seconds
    const long long* ready
    const long long* service
    const double* held
    Py_ssize_t groups
    double dt_us


cdef read(Load* load, rates, const long long[::1] ready, groups, const double[::1] cpu_seconds, double dt_us):
    cdef const double[::1] plain, factor, more, held
    cdef const long long[::1] service
    plain, factor, more = rates
    service, held = groups
    load.plain, load.factor, load.more, load.held = &plain[0], &factor[0], &more[0], &held[0]
    load.ready, load.service, load.cpu_seconds = &ready[0], &service[0], &cpu_seconds[0]
    load.groups, load.dt_us = service.shape[0], dt_us


cdef inline double load_milli(const Load* load, Py_ssize_t at, Py_ssize_t* group) noexcept:
    """Milli-CPU that the busiest pod of a service needs for its requests; services are asked about one after the other."""
    cdef double longest = 0.0, rate
    while group[0] < load.groups and load.service[group[0]] == at:
        if load.held[group[0]] > longest:
            longest = load.held[group[0]]
        group[0] += 1
    rate = (load.plain[at] * load.factor[at] + load.more[at]) / <double>(load.ready[at] if load.ready[at] > 1 else 1)
    return (rate + longest * US_PER_S / load.dt_us) * load.cpu_seconds[at] * 1000.0
