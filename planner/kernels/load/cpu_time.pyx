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


cdef struct Meters:  # columns by pod row or kind, as `cpu_time_s` has them
    const long long* own
    Py_ssize_t owners
    const long long* of_kind
    double unit_s
    const double* spent
    const long long* groups
    const double* parts
    Py_ssize_t served
    const double* done


def cpu_time_s(const long long[::1] rows, const long long[::1] kinds, besides, requests):
    """Core-seconds of the pods of these `rows`; `kinds`: by pod row (-1: none any more).

    `besides` requests: by pod, by kind, and the unit of both in seconds. For `requests`: what each pod has spent, its group
    (-1: none), its part of what a pod of the group has done since, and that. A pod beyond the columns has used nothing of
    what they hold.
    """
    found = np.empty(rows.shape[0])
    cdef double[::1] out = found
    cdef Meters meters = meters_of(besides, requests)
    cdef Py_ssize_t at
    for at in range(rows.shape[0]):
        out[at] = used_s(&meters, rows[at], kinds[rows[at]] if rows[at] < kinds.shape[0] else -1)
    return found


cdef Meters meters_of(besides, requests):
    """The columns are held by whoever asked."""
    cdef const long long[::1] own, of_kind, groups
    cdef const double[::1] spent, parts, done
    cdef Meters found
    own, of_kind, found.unit_s = besides
    spent, groups, parts, done = requests
    found.own, found.owners, found.of_kind = &own[0], own.shape[0], &of_kind[0]
    found.spent, found.groups, found.parts, found.served = &spent[0], &groups[0], &parts[0], groups.shape[0]
    found.done = &done[0]
    return found


cdef inline double used_s(const Meters* of, Py_ssize_t row, long long kind) noexcept:
    cdef long long besides = of.own[row] if row < of.owners else 0
    cdef double requests = 0.0
    if kind >= 0:
        besides += of.of_kind[kind]
    if row < of.served:
        requests = of.spent[row]
        if of.groups[row] >= 0:
            requests = requests + of.done[of.groups[row]] * of.parts[row]
    return <double>besides * of.unit_s + requests


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
    pods, bint by_row, besides, requests, double milli_per_s, double[::1] seen_s, const int[::1] workload,
    double[::1] by_workload, double[::1] by_node,
):
    """Add to the sums what pods have used on average since the last look, of which `seen_s` is what they had used by
    then; now it is that of this look. `pods`: rows, nodes and kinds, these `by_row` or pod by pod; `besides` and `requests`: as of `cpu_time_s`;
    `workload`: by pod row, as `seen_s`."""
    cdef const long long[::1] rows, node, kind
    cdef Meters meters = meters_of(besides, requests)
    cdef Py_ssize_t at, row, place
    cdef double total, used
    rows, node, kind = pods
    for at in range(rows.shape[0]):
        row = rows[at]
        place = row if by_row else at
        total = used_s(&meters, row, kind[place])
        used = total - seen_s[row]
        used = (used if used > 0.0 else 0.0) * milli_per_s
        by_workload[workload[row]] += used
        by_node[node[place]] += used
        seen_s[row] = total
