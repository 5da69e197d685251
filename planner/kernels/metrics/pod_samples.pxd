"""Samples of one pod: what `pod_samples.pyx` and `alike_samples.pyx` have in common."""

from libc.math cimport rint

cdef enum:
    BEFORE = 0
    LAST = 1
    TOTAL = 2
    STREAM = 3
    DUE = 4
    TAKEN = 5
    TAKEN_TOTAL = 6
    NEW = 7
    NEW_TOTAL = 8
    OLD = 9
    OLD_TOTAL = 10
    STARTED = 11

cdef extern from *:
    """
    #define UNSEEN (-(1LL << 62))
    #define MOST_EXACT (1LL << 52)
    #define STEP_OF_DRAWS 0x9E3779B97F4A7C15ULL
    """
    const long long UNSEEN
    const long long MOST_EXACT
    const unsigned long long STEP_OF_DRAWS


cdef struct Samples:
    # Columns by pod row, as of `KubeletSamples`, and the beat of the kubelets.
    long long *before
    long long *last
    long long *total
    long long *stream
    long long *due
    long long *taken
    long long *taken_total
    long long *new
    long long *new_total
    long long *old
    long long *old_total
    long long *started
    long long interval_us
    long long resolution_us
    long long young_us
    unsigned long long salt


cdef struct Served:
    long long usage_milli
    long long time_us
    long long window_us


cdef class PodSamples:
    cdef long long interval_us, resolution_us, young_us
    cdef unsigned long long salt
    cdef long long[:, ::1] columns

    cdef Samples samples(self) noexcept


cdef inline void begin(const Samples *all, long long row, long long started_us, unsigned long long key) noexcept:
    """A pod that was not seen so far: its first sample is taken at the start, when nothing has been used yet."""
    all.last[row] = all.taken[row] = all.started[row] = started_us
    all.total[row] = all.taken_total[row] = all.before[row] = 0
    all.stream[row] = <long long>mixed(key ^ all.salt)
    all.due[row] = started_us + next_distance_us(all, row)


cdef inline long long next_distance_us(const Samples *all, long long row) noexcept:
    """From a sample to the next one; it is drawn."""
    cdef unsigned long long state = <unsigned long long>all.stream[row]
    all.stream[row] = <long long>(state + STEP_OF_DRAWS)
    return distance_us(all, state)


cdef inline long long distance_us(const Samples *all, unsigned long long state) noexcept:
    cdef double share = <double><long long>(mixed(state) >> 11) * (1.0 / 9007199254740992.0)
    return all.interval_us + <long long>(share * <double>(all.interval_us + 1))


cdef inline bint serve(const Samples *all, long long row, const long long *started_us, Served *served) noexcept:
    """What metrics-server serves of a pod after a scrape now; whether it serves anything."""
    cdef long long new = all.new[row], used = all.new_total[row], old = all.old[row], before = all.old_total[row]
    cdef long long taken = all.taken[row]
    if taken != new and taken != UNSEEN:
        old, before = new, used
        new, used = taken, all.taken_total[row]
        all.old[row], all.old_total[row], all.new[row], all.new_total[row] = old, before, new, used
    if new == UNSEEN:
        return False
    if old == UNSEEN:
        old, before = started_us[0], 0
        if not all.young_us <= new - old < all.resolution_us:
            return False
    served.usage_milli, served.time_us, served.window_us = upwards(used - before, new - old), new, new - old
    return True


cdef inline double whole(double value) noexcept:
    """The nearest whole number, the even one of two: without a call, where that is exact."""
    if -2251799813685248.0 < value < 2251799813685248.0:  # 2 ** 51
        return value + 6755399441055744.0 - 6755399441055744.0  # next to 1.5 * 2 ** 52 doubles are whole numbers
    return rint(value)


cdef inline unsigned long long mixed(unsigned long long bits) noexcept:
    """As in `engine/draws.py`."""
    bits = (bits ^ (bits >> 30)) * <unsigned long long>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <unsigned long long>0x94D049BB133111EB
    return bits ^ (bits >> 31)


cdef inline long long upwards(long long used, long long window_us) noexcept:
    """The quotient, rounded up. Doubles divide faster; theirs is never below the whole number that is due."""
    cdef long long found
    if not window_us:
        return 0
    if <unsigned long long>(used | window_us) >= <unsigned long long>MOST_EXACT:
        return used // window_us + (used % window_us > 0)
    found = <long long>(<double>used / <double>window_us)
    return found + (found * window_us < used)
