"""What a row of the series shows of the load of workloads.

Compiled twin of `LoadTable.put`, `LoadTable.put_flows` and `LoadTable.show` (`metrics/load_table.py`), and of
`Limiting.busy` and `Limiting.codes` (`metrics/limits/limiting.py`) where no workload calls another.
"""

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    RATES = 6  # flows that are shown per second: the first rows of the table
    FLOW_SERVED = 1
    FLOW_LOST = 2
    FLOW_THROTTLED = 6

cdef double US_PER_S = 1e6
cdef double LEAST = 1e-12


def put_steps(const long long[::1] rows, const long long[::1] step_us, rates, states, double[:, ::1] table, places):
    """Load steps of the workloads of these rows: `rates` are numbers of requests, which become those per second and the first
    rows of the table; `states` go to rows `places` as they are."""
    cdef const double[::1] column
    cdef Py_ssize_t at, to = 0
    for column in rates:
        for at in range(rows.shape[0]):
            table[to, rows[at]] = column[at] * (US_PER_S / <double>step_us[at])
        to += 1
    for column, to in zip(states, places):
        for at in range(rows.shape[0]):
            table[to, rows[at]] = column[at]


def put_flows(
    const long long[::1] rows, long long elapsed_us, const double[:, ::1] flows, double[:, ::1] table,
    Py_ssize_t error_ratio, Py_ssize_t throttled,
):
    """What has flowed at the workloads of these rows; `error_ratio` and `throttled`: their rows of the table."""
    cdef Py_ssize_t at, to, row
    cdef double per_second = US_PER_S / <double>elapsed_us, ended
    for at in range(rows.shape[0]):
        row = rows[at]
        for to in range(RATES):
            table[to, row] = flows[to, at] * per_second
        ended = flows[FLOW_SERVED, at] + flows[FLOW_LOST, at]
        table[error_ratio, row] = flows[FLOW_LOST, at] / (ended if ended > 0.0 else 1.0)
        table[throttled, row] = flows[FLOW_THROTTLED, at] / <double>elapsed_us


def show(
    const double[:, ::1] table, const long long[::1] fields, const double[::1] factors, const long long[::1] rows,
    double[:, ::1] out,
):
    """Some fields of the workloads of these rows, each times its factor: a row of `out` a field."""
    cdef Py_ssize_t to, at
    for to in range(fields.shape[0]):
        for at in range(rows.shape[0]):
            out[to, at] = table[fields[to], rows[at]] * factors[to]


def limits(const long long[::1] rows, const int[::1] ready_pods, double[:, ::1] table, places, bounds, shares, codes):
    """Share of what pods can do that is asked of the workloads of these rows, and what limits them.

    `ready_pods`: of every workload row; `places`: rows of the table with what is offered and retried, in flight, the share
    of throttled time, and the milli-CPU used, and where the share and the code go. `bounds`: CPU that a pod could use, idle
    use, CPU of a request, and the code of what bounds a pod; `shares`: of busy, short and throttled pods; `codes`: of a
    quota and of a node.
    """
    cdef const double[::1] could, idle_milli, cpu_seconds
    cdef const long long[::1] limit
    cdef double least_busy, least_got, least_throttled, quota, node, tried, ready, all_could, pods, wanted, code, busy
    cdef Py_ssize_t at, row, offered_at, retried_at, in_flight_at, throttled_at, used_at, busy_at, code_at
    offered_at, retried_at, in_flight_at, throttled_at, used_at, busy_at, code_at = places
    could, idle_milli, cpu_seconds, limit = bounds
    least_busy, least_got, least_throttled = shares
    quota, node = codes
    for at in range(rows.shape[0]):
        row = rows[at]
        tried, ready = table[offered_at, row] + table[retried_at, row], <double>ready_pods[row]
        all_could = ready * (could[at] if could[at] > 0.0 else 0.0)
        busy = tried * cpu_seconds[at] / (all_could if all_could > LEAST else LEAST) if all_could > 0.0 else 0.0
        pods = ready if ready > 1.0 else 1.0
        wanted = tried * cpu_seconds[at] / pods
        if could[at] < wanted:
            wanted = could[at]
        code = quota if table[throttled_at, row] > least_throttled else 0.0
        if busy >= least_busy:
            code = <double>limit[at]
            if (
                table[used_at, row] / pods - idle_milli[at] < least_got * 1000.0 * wanted
                and table[in_flight_at, row] > pods
            ):
                code = node
        table[busy_at, row] = busy
        table[code_at, row] = code if ready > 0.0 and could[at] > 0.0 else 0.0
