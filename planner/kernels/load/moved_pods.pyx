"""Pods that run, serve or end otherwise than before: compiled twin of `RunningPods.update`
(`workloads/cpu/running_pods.py`), but for pods of kinds that are not known yet."""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    NOT_RUNNING = -1
    IDLE = 0
    SERVING = 1
    FINISHING = 2
    RUNNING = 1  # of `PodPhase`


def find_moved(
    const long long[::1] rows, pods, const unsigned char[::1] silent, const unsigned char[::1] has_load,
    const unsigned char[::1] serves, dict kind_of, own, long long[::1] count, long long[::1] marks, long long version,
):
    """Rows of `Moved`: which of these pods have another kind now, their nodes, their kinds before and after.

    `pods`: phase, readiness, workload, template and node by row; `silent`: by node; `has_load`: by workload; `serves`: by
    kind; `kind_of`: by workload, template and state; `own`: kind, node and whether it runs by pod row, which are written
    to, as are `count` by kind and `marks` by workload. None: some are of a kind that is not known, and nothing was written.
    """
    cdef const signed char[::1] phase
    cdef const unsigned char[::1] ready
    cdef const int[::1] workload, spec, node
    cdef long long[::1] kind, last_node
    cdef unsigned char[::1] runs
    phase, ready, workload, spec, node = pods
    kind, last_node, runs = own
    found = np.empty((4, rows.shape[0]), np.int64)
    cdef long long[:, ::1] out = found
    cdef Py_ssize_t at, number = 0
    cdef long long row, before, after, state
    for at in range(rows.shape[0]):
        row = rows[at]
        before, after = kind[row], NOT_RUNNING
        if phase[row] == RUNNING:
            state = IDLE
            if has_load[workload[row]]:
                if ready[row]:
                    state = SERVING
                elif before != NOT_RUNNING and node[row] >= 0 and not silent[node[row]] and serves[before]:
                    state = FINISHING
            after = kind_of.get((workload[row], spec[row], state), NOT_RUNNING)
            if after == NOT_RUNNING:
                return None
        if before == after:
            continue
        out[0, number], out[2, number], out[3, number] = row, before, after
        number += 1
    for at in range(number):
        row, before, after = out[0, at], out[2, at], out[3, at]
        if before == NOT_RUNNING:
            last_node[row] = node[row]
        else:
            count[before] -= 1
        if after != NOT_RUNNING:
            count[after] += 1
        out[1, at] = last_node[row]
        kind[row], runs[row] = after, after != NOT_RUNNING
        marks[workload[row]] = version
    return found[:, :number]
