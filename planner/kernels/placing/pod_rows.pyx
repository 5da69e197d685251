"""What bindings, deletions and ends of pods write into the columns: compiled twin of `PlainPodRows`
(`state/pod_rows.py`)."""

import numpy as np

cdef extern from *:
    unsigned int KERNEL_SOURCE

SOURCE = KERNEL_SOURCE

cdef enum:
    NONE = -1
    RUNNING = 1
    GONE = 2
    PODS = 3  # checked by the caller


cdef class PodRows:
    """The columns of one cluster. They are read again when a table has grown, and templates when there are more."""

    cdef object pod_table, node_table, workload_table, read_pod_capacity, read_node_capacity, read_workload_capacity
    cdef list specs
    cdef Py_ssize_t known, resources
    cdef int[::1] spec, node, last_node
    cdef signed char[::1] phase, end_reason
    cdef unsigned char[::1] ready, disrupted
    cdef long long[::1] bound_us, ready_change_us, unschedulable_us, deletion_us, ended_us
    cdef long long[:, ::1] requested, nonzero
    cdef int[::1] active, serving, running, unbound, terminating
    cdef long long[::1] version
    cdef long long[:, ::1] request, scored
    cdef int[::1] workload

    def __init__(self, pods, nodes, workloads, list specs):
        self.pod_table, self.node_table, self.workload_table, self.specs = pods, nodes, workloads, specs
        self.known = 0

    cdef read(self):
        """The columns as they are, where tables have grown or there are more templates."""
        if self.pod_table.capacity is not self.read_pod_capacity:
            self.read_pods(self.pod_table.w)
            self.read_pod_capacity = self.pod_table.capacity
        if self.node_table.capacity is not self.read_node_capacity:
            self.requested, self.nonzero = self.node_table.w.requested, self.node_table.w.nonzero
            self.read_node_capacity = self.node_table.capacity
        if self.workload_table.capacity is not self.read_workload_capacity:
            self.read_workloads(self.workload_table.w)
            self.read_workload_capacity = self.workload_table.capacity
        if len(self.specs) != self.known:
            self.read_templates()

    cdef read_pods(self, w):
        self.spec, self.node, self.last_node = w.spec, w.node, w.last_node
        self.phase, self.end_reason = w.phase, w.end_reason
        self.ready, self.disrupted = w.ready.view(np.uint8), w.disrupted.view(np.uint8)
        self.bound_us, self.ready_change_us = w.bound_us, w.ready_change_us
        self.unschedulable_us, self.deletion_us, self.ended_us = w.unschedulable_us, w.deletion_us, w.ended_us

    cdef read_workloads(self, w):
        self.active, self.serving, self.running = w.active, w.ready, w.running
        self.unbound, self.terminating, self.version = w.unbound, w.terminating, w.version

    cdef read_templates(self):
        cdef Py_ssize_t at, count = len(self.specs), room = 0 if self.known == 0 else self.workload.shape[0]
        if count > room:
            self.known, room = 0, 2 * count
            self.resources = self.requested.shape[1]
            self.request = np.zeros((room, self.resources), np.int64)
            self.scored = np.zeros((room, 2), np.int64)
            self.workload = np.zeros(room, np.int32)
        for at in range(self.known, count):
            spec = self.specs[at]
            np.asarray(self.request)[at] = spec.request
            np.asarray(self.scored)[at] = spec.nonzero
            self.workload[at] = spec.workload
        self.known = count

    cpdef Py_ssize_t bind(self, Py_ssize_t pod, Py_ssize_t node, long long now_us) except -1:
        """A pending pod gets a node; its workload."""
        self.read()
        cdef Py_ssize_t template = self.spec[pod], workload = self.workload[template]
        self.node[pod] = self.last_node[pod] = <int>node
        self.bound_us[pod] = self.ready_change_us[pod] = now_us
        self.unschedulable_us[pod] = NONE
        self.count(template, node, 1)
        self.unbound[workload] -= 1
        self.version[workload] += 1
        return workload

    def bind_all(self, pods, nodes, long long now_us):
        """The same for several pods, each with its node; their workloads."""
        return [self.bind(pod, node, now_us) for pod, node in zip(pods, nodes)]

    def begin_deletion(self, Py_ssize_t pod, int reason, bint disrupted, long long now_us):
        """The deletion of a pod begins; its workload."""
        self.read()
        cdef Py_ssize_t workload = self.workload[self.spec[pod]]
        self.deletion_us[pod] = now_us
        self.end_reason[pod] = <signed char>reason
        self.disrupted[pod] = disrupted
        self.leave_service(pod, workload)
        self.terminating[workload] += 1
        self.version[workload] += 1
        return workload

    def remove(self, Py_ssize_t pod, int reason, long long now_us):
        """A pod is gone; its workload, and its node or -1."""
        self.read()
        cdef Py_ssize_t template = self.spec[pod], workload = self.workload[template], node = self.node[pod]
        if self.deletion_us[pod] == NONE:
            self.end_reason[pod] = <signed char>reason
            self.leave_service(pod, workload)
        else:
            self.terminating[workload] -= 1
        self.phase[pod] = GONE
        self.ended_us[pod] = now_us
        self.node[pod] = NONE
        if node != NONE:
            self.count(template, node, -1)
        self.version[workload] += 1
        return workload, node

    cdef void count(self, Py_ssize_t template, Py_ssize_t node, long long pods) noexcept:
        """Add pods of a template to what is taken on a node."""
        cdef Py_ssize_t column
        for column in range(self.resources):
            self.requested[node, column] += pods * self.request[template, column]
        self.requested[node, PODS] += pods
        self.nonzero[node, 0] += pods * self.scored[template, 0]
        self.nonzero[node, 1] += pods * self.scored[template, 1]

    cdef void leave_service(self, Py_ssize_t pod, Py_ssize_t workload) noexcept:
        self.active[workload] -= 1
        if self.phase[pod] == RUNNING:
            self.running[workload] -= 1
        if self.ready[pod]:
            self.serving[workload] -= 1
            self.ready[pod] = False
        if self.node[pod] == NONE:
            self.unbound[workload] -= 1
