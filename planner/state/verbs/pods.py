"""What happens to pods, from creation to their end."""

from collections.abc import Sequence

import numpy as np

from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.state.resizes import PodResizes
from planner.state.specs import ZONE_LABEL
from planner.state.verbs.pending_pods import PendingPodVerbs

# Looking up a member of an enum costs a call in Python 3.11; the verbs used most have their own names for some.
_POD_ADDED, _POD_BOUND = ClusterEventKind.POD_ADDED, ClusterEventKind.POD_BOUND
_POD_RUNNING, _POD_DELETING = ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_DELETING
_POD_GONE = ClusterEventKind.POD_GONE
_RUNNING = int(PodPhase.RUNNING)
_PREEMPTED = EndReason.PREEMPTED


class PodVerbs(PendingPodVerbs):
    """Verbs of pods."""

    def create_pods(
        self,
        spec: int,
        count: int,
        pinned: Sequence[int] | None = None,
        revision: int | None = None,
        ordinals: Sequence[int] | None = None,
    ) -> int:
        """Create pods of a template; the first row. `pinned`: per pod the only node it may go to.

        `revision`: of the template; None is the present one. `ordinals`: of a StatefulSet's pods.
        """
        workload = self.pod_specs[spec].workload
        revision = int(self.workloads.revision[workload]) if revision is None else revision
        spec = self._admitted(spec, revision)
        pod_spec = self.pod_specs[spec]
        first = self.pods.append(count)
        w, rows = self.pods.w, slice(first, first + count)
        w.workload[rows] = workload
        w.spec[rows] = spec
        w.priority[rows] = pod_spec.priority
        w.phase[rows] = PodPhase.PENDING
        w.created_us[rows] = self.clock.now_us
        before = int(self.workloads.created[workload])
        w.number[rows] = range(before + 1, before + count + 1)
        w.gated[rows] = pod_spec.placement.is_gated and not self.workloads.ungated[workload]
        if pinned is None:
            w.draw_key[rows] = self.draw_keys.of_pods(workload, before + 1, count)
        else:
            w.pinned[rows] = pinned
            w.draw_key[rows] = self.draw_keys.of_daemon_pods(workload, self.nodes.draw_key[pinned].tolist())
        if ordinals is not None:
            w.ordinal[rows] = ordinals
        w.revision[rows] = revision
        if pod_spec.placement.zonal_claim and ordinals is not None:
            w.spec[rows] = [self._templates.in_zone(spec, self.claim_zones.get((workload, one))) for one in ordinals]
        self._tell_created(workload, range(first, first + count))
        return first

    def _admitted(self, spec: int, revision: int) -> int:
        """The template as pods of this revision have it when they are admitted."""
        workload = self.pod_specs[spec].workload
        name = f"{self.workload_namespaces[workload]}/{self.workload_names[workload]}"
        spec = self._templates.of_revision(spec, revision, name)
        return self._admission[workload](spec) if workload in self._admission else spec

    def _tell_created(self, workload: int, made: range) -> None:
        """Count new pods of a workload and let everyone know."""
        count = len(made)
        self.workloads.w.created[workload] += count
        self.workloads.w.active[workload] += count
        self.workloads.w.unbound[workload] += count
        self.workloads.w.version[workload] += 1
        self.workload_pods[workload].update(dict.fromkeys(made))
        if count == 1:
            self._publish(ClusterEvent(_POD_ADDED, made[0], workload=workload))
        else:
            self._publish_many(PodChanges(_POD_ADDED, made, [NONE] * count, [workload] * count))

    def remove_gates(self, workload: int) -> None:
        """Remove the scheduling gates of a workload's pods, those to come included."""
        self.workloads.w.ungated[workload] = True
        for pod in list(self.workload_pods[workload]):
            if self.pods.gated[pod]:
                self.pods.w.gated[pod] = False
                self._publish(ClusterEvent(ClusterEventKind.POD_UNGATED, pod=pod, workload=workload))

    def bind(self, pod: int, node: int) -> None:
        """Put a pending pod on a node; its nomination ends."""
        self._publish(ClusterEvent(_POD_BOUND, pod, node, self._put_on(pod, node)))

    def bind_all(self, pods: Sequence[int], nodes: Sequence[int]) -> None:
        """The same for several pods, each with its node; they are known when all are bound."""
        if self.nominated_pods or (self.pods.ordinal[list(pods)] != NONE).any():
            workloads = [self._put_on(pod, node) for pod, node in zip(pods, nodes, strict=True)]
        else:
            workloads, on = self._pod_rows.bind_all(pods, nodes, self.clock.now_us), self.node_pods
            for pod, node in zip(pods, nodes, strict=True):
                on[node][pod] = None
            self.node_changes.extend(nodes)
        self._publish_many(PodChanges(_POD_BOUND, pods, nodes, workloads))

    def _put_on(self, pod: int, node: int) -> int:
        """The workload of the pod."""
        if self.nominated_pods:
            self.clear_nomination(pod)
        workload = self._pod_rows.bind(pod, node, self.clock.now_us)
        self.node_pods[node][pod] = None
        if self.pods.ordinal.item(pod) != NONE and self.pod_specs[self.pods.spec[pod]].placement.zonal_claim:
            self._bind_claim(pod, node)
        self.node_changes.add(node)
        return workload

    def _bind_claim(self, pod: int, node: int) -> None:
        zone = self.node_labels(node).get(ZONE_LABEL)
        if zone is not None:
            self.claim_zones.setdefault((int(self.pods.workload[pod]), int(self.pods.ordinal[pod])), zone)

    def mark_running(self, pod: int, ready: bool = True) -> None:
        """A bound pod has started; it is Ready at once, or when `set_pod_ready` says so."""
        w, now_us, table = self.pods.w, self.clock.now_us, self.workloads.w
        workload = w.workload.item(pod)
        w.phase[pod] = _RUNNING
        w.running_us[pod] = now_us
        if ready:
            w.ready_change_us[pod] = now_us
            if w.first_ready_us.item(pod) == NONE:
                w.first_ready_us[pod] = now_us
            w.ready[pod] = True
            table.ready[workload] += 1
        table.running[workload] += 1
        table.version[workload] += 1
        self._publish(ClusterEvent(_POD_RUNNING, pod, w.node.item(pod), workload))

    def mark_all_running(self, pods: Sequence[int]) -> None:
        """Bound pods that never ran have started and are Ready; they are known when all are."""
        w, now_us, table, rows = self.pods.w, self.clock.now_us, self.workloads.w, np.array(pods, np.int64)
        w.phase[rows] = _RUNNING
        w.running_us[rows] = w.ready_change_us[rows] = w.first_ready_us[rows] = now_us
        w.ready[rows] = True
        workloads = w.workload[rows]
        started = np.bincount(workloads, minlength=self.workloads.count)
        for column in (table.ready, table.running, table.version):
            column[: len(started)] += started.astype(column.dtype)
        self._publish_many(PodChanges(_POD_RUNNING, pods, w.node[rows].tolist(), workloads.tolist()))

    def set_pod_ready(self, pod: int, ready: bool) -> None:
        """Condition Ready of a running pod that is not being deleted turns True or False."""
        w, workload = self.pods.w, int(self.pods.workload[pod])
        w.ready[pod] = ready
        w.ready_change_us[pod] = self.clock.now_us
        if ready and w.first_ready_us[pod] == NONE:
            w.first_ready_us[pod] = self.clock.now_us
        self.workloads.w.ready[workload] += 1 if ready else -1
        self.workloads.w.version[workload] += 1
        node = int(w.node[pod])
        self._publish(ClusterEvent(ClusterEventKind.POD_READINESS, pod=pod, node=node, workload=workload))

    def predate_pods(self, pods: Sequence[int], age_us: int) -> None:
        """Running pods were created and bound, and turned Ready, so long ago already."""
        w, rows = self.pods.w, list(pods)
        w.created_us[rows] = w.bound_us[rows] = w.ready_change_us[rows] = self.clock.now_us - age_us
        for workload in dict.fromkeys(w.workload[rows].tolist()):
            self.workloads.w.version[workload] += 1

    def count_restart(self, pod: int) -> None:
        """A container of a pod restarted."""
        self.pods.w.restarts[pod] += 1

    def begin_deletion(self, pod: int, reason: EndReason) -> None:
        """Begin to delete a pod: it no longer serves but keeps its place on the node until `remove_pod`."""
        node = self.pods.node.item(pod)
        workload = self._pod_rows.begin_deletion(pod, reason, reason == _PREEMPTED, self.clock.now_us)
        if node != NONE:
            self.node_changes.add(node)
        self._publish(ClusterEvent(_POD_DELETING, pod, node, workload))

    def remove_pod(self, pod: int, reason: EndReason = EndReason.NONE) -> None:
        """The pod is gone. `reason` is kept unless its deletion already gave one."""
        if self.pods.desired.item(pod) != NONE:
            PodResizes(self).drop(pod)
        workload, node = self._pod_rows.remove(pod, reason, self.clock.now_us)
        del self.workload_pods[workload][pod]
        if node != NONE:
            del self.node_pods[node][pod]
            self.node_changes.add(node)
        self._publish(ClusterEvent(_POD_GONE, pod, node, workload))
        # After the event: listeners may check whether the pod held a nomination.
        self.clear_nomination(pod)
