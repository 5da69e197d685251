"""CPU time that pods have used, pod by pod, and what they use now.

Compiled twin of `CpuMeter.used_s` (`workloads/cpu/cpu_meter.py`) and `ServingPods.spent_s`
(`workloads/load/serving_pods.py`) together, of `UsedCpu.milli` (`workloads/load/used_cpu.py`) where requests may wait,
and of `MeanUse` (`workloads/cpu/mean_use.py`).
"""

import numpy as np

from libc.math cimport ceil

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double MOST_MILLI = 1e15
cdef double ROUNDING_MILLI = 1e-6


def cpu_time_s(
    const long long[::1] rows,
    const long long[::1] kinds,
    const long long[::1] own,
    const long long[::1] of_kind,
    double unit_s,
    const double[::1] spent,
    const long long[::1] groups,
    const double[::1] parts,
    const double[::1] done,
):
    """Core-seconds of the pods of these `rows`, of these `kinds` (-1: none any more).

    `own` by pod and `of_kind` are besides requests, in `unit_s`; for requests each pod has `spent`, and its part of what
    a pod of its group (-1: none) has `done` since. A pod beyond the columns has used nothing of what they hold.
    """
    found = np.empty(rows.shape[0])
    cdef double[::1] out = found
    cdef Py_ssize_t at, row
    cdef long long besides
    cdef double requests
    for at in range(rows.shape[0]):
        row = rows[at]
        besides = own[row] if row < own.shape[0] else 0
        if kinds[at] >= 0:
            besides += of_kind[kinds[at]]
        requests = 0.0
        if row < groups.shape[0]:
            requests = spent[row]
            if groups[row] >= 0:
                requests = requests + done[groups[row]] * parts[row]
        out[at] = <double>besides * unit_s + requests
    return found


def cpu_now_milli(
    const long long[::1] rows,
    const long long[::1] kinds,
    const long long[::1] besides,
    members,
    const unsigned char[::1] serving,
    const long long[::1] groups,
    const double[::1] parts,
    const double[::1] busy_milli,
):
    """Milli-CPU that the running pods of these `rows`, of these `kinds`, use.

    `besides` requests by kind, but what `members` say: places in `rows`, and the use of each. Kinds that are `serving`
    also use, for requests, their part of what a pod of their group (-1: none) is busy with.
    """
    cdef const long long[::1] places, own
    places, own = members
    found = np.empty(rows.shape[0], np.int64)
    cdef long long[::1] out = found
    cdef Py_ssize_t at, row
    cdef double busy
    for at in range(rows.shape[0]):
        out[at] = besides[kinds[at]]
    for at in range(places.shape[0]):
        out[places[at]] = own[at]
    for at in range(rows.shape[0]):
        row = rows[at]
        if serving[kinds[at]] and row < groups.shape[0] and groups[row] >= 0:
            busy = busy_milli[groups[row]] * parts[row]
            out[at] += <long long>ceil((busy if busy < MOST_MILLI else MOST_MILLI) - ROUNDING_MILLI)
    return found


def add_mean_use(
    const long long[::1] rows,
    const long long[::1] node,
    const double[::1] total_s,
    double milli_per_s,
    double[::1] seen_s,
    const int[::1] workload,
    double[::1] by_workload,
    double[::1] by_node,
):
    """Add to the sums what pods have used on average since the last look, of which `seen_s` is what they had used by
    then; now it is that of this look. `workload`: by pod row, as `seen_s`."""
    cdef Py_ssize_t at, row
    cdef double used
    for at in range(rows.shape[0]):
        row = rows[at]
        used = total_s[at] - seen_s[row]
        used = (used if used > 0.0 else 0.0) * milli_per_s
        by_workload[workload[row]] += used
        by_node[node[at]] += used
        seen_s[row] = total_s[at]
