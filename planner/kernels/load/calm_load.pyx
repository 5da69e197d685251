"""Whether pods need no more CPU for their requests than so much.

Compiled twin of `AskedCpu.stays_within` (`workloads/load/use/asked_cpu.py`) where requests come straight from profiles.
"""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double US_PER_S = 1e6
cdef double ROUNDING_MILLI = 1e-6


def is_within(
    rates, const long long[::1] ready, groups, const double[::1] cpu_seconds, const double[::1] most_milli, double dt_us
):
    """`rates`: of profiles, their factors, and what comes on top; `groups`: their workloads, ascending, and the requests
    that a pod of each holds."""
    cdef const double[::1] plain, factor, more, held
    cdef const long long[::1] service
    cdef Py_ssize_t at, group = 0
    cdef double rate, longest
    plain, factor, more = rates
    service, held = groups
    for at in range(ready.shape[0]):
        longest = 0.0
        while group < service.shape[0] and service[group] == at:
            if held[group] > longest:
                longest = held[group]
            group += 1
        rate = (plain[at] * factor[at] + more[at]) / <double>(ready[at] if ready[at] > 1 else 1)
        if not (rate + longest * US_PER_S / dt_us) * cpu_seconds[at] * 1000.0 - ROUNDING_MILLI <= most_milli[at]:
            return False
    return True
