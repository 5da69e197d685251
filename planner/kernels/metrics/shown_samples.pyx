"""Samples of pods that become visible: compiled twin of `UsageSamples._show` (`hpa/metrics/metrics_pipeline.py`)."""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef long long NEVER_US = -(<long long>1 << 62)


def show(
    const long long[::1] pods,
    const long long[::1] usage_milli,
    const long long[:, ::1] memory,
    times,
    long long visible_us,
    columns,
):
    """Write samples into columns by pod row, and return the pods that had none, or used something else.

    `memory`: a row for each place of a container, none where no autoscaler follows it. `times`: of the samples, and their
    windows; each with one entry a pod, or one for all. `columns`: time, window, visible since, use, and by place memory.
    """
    cdef const long long[::1] time_us, window_us
    cdef long long[::1] known_us, known_window_us, shown_us, known_milli
    cdef long long[:, ::1] known_memory
    time_us, window_us = times
    known_us, known_window_us, shown_us, known_milli, known_memory = columns
    found = np.empty(pods.shape[0], np.int64)
    cdef long long[::1] changed = found
    cdef Py_ssize_t at, row, place, count = 0
    cdef bint differs, one_time = time_us.shape[0] == 1, one_window = window_us.shape[0] == 1
    for at in range(pods.shape[0]):
        row = pods[at]
        differs = known_milli[row] != usage_milli[at] or known_us[row] == NEVER_US
        if memory.shape[0] > 0:
            for place in range(known_memory.shape[0]):
                differs |= known_memory[place, row] != memory[place, at]
                known_memory[place, row] = memory[place, at]
        if differs:
            changed[count] = row
            count += 1
        known_us[row] = time_us[0 if one_time else at]
        known_window_us[row] = window_us[0 if one_window else at]
        shown_us[row] = visible_us
        known_milli[row] = usage_milli[at]
    return found[:count]
