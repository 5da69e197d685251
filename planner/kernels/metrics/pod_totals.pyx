"""The pods of an autoscaler, summed up for its CPU metric: compiled twin of `MetricReader` and `pod_evaluation`
(`hpa/metrics/metric_reader.py`, `hpa/rules/pod_evaluation.py`) for the use of whole pods."""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef long long US_PER_S = 1_000_000
cdef long long NEVER_US = -(<long long>1 << 62)
cdef enum:
    NONE = -1


def totals(const long long[::1] rows, long long now_us, pods, samples, const long long[::1] request_of, periods, percent):
    """Sums over the pods of these rows, or None where one of them is in the way of a proposal.

    `pods`: deletion, binding and change of readiness, phase, readiness, template and the one asked for; `samples`: time,
    window and use; all by pod row. `request_of`: by template, -1 where it has none. `periods`: initialization of the CPU
    and delay of the first readiness. `percent`: of its request that a missing pod is taken to use;
    0 where requests do not matter.

    Use and requests of pods that count, how many these are, pods that do not, their requests; pods without a sample,
    their requests and what they are taken to use; whether all pods count from a time on, that time, and whether they do
    already since their samples began when they were ready.
    """
    cdef const long long[::1] deletion_us, bound_us, ready_change_us, sample_us, window_us, usage_milli
    cdef const signed char[::1] phase
    cdef const unsigned char[::1] ready
    cdef const int[::1] template, wanted
    cdef long long init_us, readiness_us
    deletion_us, bound_us, ready_change_us, phase, ready, template, wanted = pods
    sample_us, window_us, usage_milli = samples
    init_us, readiness_us = periods
    cdef long long used = 0, request = 0, counted = 0, unready = 0, unready_request = 0, fill = 0
    cdef long long missing = 0, missing_request = 0, start_us, change_us, asked, latest_us = NEVER_US
    cdef long long fill_percent = percent
    cdef bint calm = True, began_ready = True, has_sample, is_young, counts
    cdef Py_ssize_t at, row
    for at in range(rows.shape[0]):
        row = rows[at]
        asked = request_of[template[row] if wanted[row] == NONE else wanted[row]]
        if asked < 0:
            if fill_percent:
                return None
            asked = 0
        has_sample = sample_us[row] != NEVER_US
        start_us = whole_seconds(bound_us[row])
        change_us = whole_seconds(ready_change_us[row])
        began_ready &= sample_us[row] - window_us[row] >= change_us
        latest_us = max(latest_us, start_us)
        if deletion_us[row] != NONE:
            calm = False
            continue
        if phase[row] == 0:  # pending
            calm = False
            unready += 1
            unready_request += asked
            continue
        if not has_sample:
            calm = False
            missing += 1
            missing_request += asked
            fill += asked * fill_percent // 100
            continue
        is_young = start_us > now_us - init_us
        if is_young:
            counts = ready[row] and sample_us[row] >= change_us + window_us[row]
        else:
            counts = ready[row] or start_us <= change_us - readiness_us
        calm &= ready[row]
        if counts:
            used += usage_milli[row]
            request += asked
            counted += 1
        else:
            unready += 1
            unready_request += asked
    if not counted:
        return None
    return (
        used, request, counted, unready, unready_request, missing, missing_request, fill, calm, latest_us + init_us,
        began_ready,
    )


cdef inline long long whole_seconds(long long time_us) noexcept:
    """A time as the API keeps it."""
    cdef long long rest
    if time_us == NONE:
        return NEVER_US
    rest = time_us % US_PER_S
    return time_us - (rest + US_PER_S if rest < 0 else rest)
