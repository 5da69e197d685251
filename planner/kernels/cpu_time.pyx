"""CPU time that pods have used, pod by pod.

Compiled twin of `CpuMeter.used_s` (`workloads/cpu/cpu_meter.py`) and `ServingPods.spent_s`
(`workloads/load/serving_pods.py`) together.
"""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE


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
