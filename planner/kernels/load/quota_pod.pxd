"""What other kernels use of `quota_pod.pyx`."""

cdef enum:
    OWN = 10  # figures of a kind of pods, before those of the levels
    CAPACITY_RATE = 0
    SERVERS = 1
    FLOOR_LOAD = 2
    FLOOR_S = 3
    SHRINKS = 4
    LIMIT = 5
    TIMES_OUT = 6
    FLOOR_VARIANCE = 7
    CPU_SECONDS = 8
    SLOWER = 9
    TABLE = 0  # of the whole numbers of a kind
    MODE = 1
    LOSES = 2
    VARIES = 3
    QUEUES = 0
    REFUSES = 1
    FINISHES = 2
    TAKEN = 0  # of what chance loses
    LOST = 1
    LATE = 2
    MOST = 3
    ROWS = 10  # of what a step returns, before those of the levels

cdef class QuotaPods:
    cdef readonly Py_ssize_t kinds
    cdef Py_ssize_t loads, levels
    cdef double calm_most, near_full
    cdef const double[::1] load
    cdef const double[:, ::1] held_at, slope, figures
    cdef const double[:, :, ::1] rows
    cdef const long long[::1] known
    cdef const long long[:, ::1] numbers
    cdef long long[:, ::1] near
    cdef long long[::1] needed
    cdef object make
    cdef bint lacks

    cdef bint missing(self)
    cdef void one(
        self, Py_ssize_t kind, double rate, double held, double dt_s, const double* chance,
        const long long[::1] wanted, double* out,
    ) noexcept
    cdef double with_floor(self, Py_ssize_t kind, const double* out, Py_ssize_t number, Py_ssize_t level) noexcept
