"""Memory of containers that cannot be taken back, by place and pod.

Compiled twin of `PodMemory._resident` (`nodes/kubelet/memory_use.py`).
"""

import numpy as np

from libc.math cimport floor, isnan, rint

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef double US_PER_H = 3_600_000_000.0
cdef long long STOPPED = -1


def resident(
    const long long[:] rows,
    long long now_us,
    pods,
    templates,
    own,
    const double[::1] level,
    signed char running,
    bint some_grow,
    bint has_levels,
):
    """Bytes, a row for each place of a container and a column for each of the pods of these `rows`.

    `pods`: phase, template and workload by pod row; `templates`: base, growth an hour, when it begins, and by place the
    share of each; `own`: factor on the base and what requests take, by pod row, and by place when each container started.
    `level`: the base of the pods of a workload, nan where their template says it. Containers of pods that are in another
    phase than `running` have none.
    """
    cdef const signed char[::1] phase
    cdef const int[::1] template, workload
    cdef const double[::1] start, growth, factor, busy
    cdef const long long[::1] growth_from_us
    cdef const double[:, ::1] share
    cdef const long long[:, ::1] since_us
    phase, template, workload = pods
    start, growth, growth_from_us, share = templates
    factor, busy, since_us = own
    found = np.zeros((since_us.shape[0], rows.shape[0]), np.int64)
    cdef long long[:, ::1] out = found
    cdef Py_ssize_t at, place, row, of
    cdef double base, whole, with_growth
    cdef long long grows_us
    for at in range(rows.shape[0]):
        row = rows[at]
        if phase[row] != running:
            continue
        of = template[row]
        base = start[of]
        if has_levels and not isnan(level[workload[row]]):
            base = level[workload[row]]
        whole = rint(base * factor[row]) + busy[row]
        for place in range(since_us.shape[0]):
            if since_us[place, row] == STOPPED:
                continue
            with_growth = whole
            if some_grow:
                grows_us = now_us - max(since_us[place, row], growth_from_us[of])
                with_growth = whole + floor(growth[of] * (<double>max(0, grows_us) / US_PER_H))
            out[place, at] = <long long>rint(with_growth * share[place, of])
    return found
