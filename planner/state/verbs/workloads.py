"""What changes workloads and node groups: their sizes, their templates, their limits."""

from collections.abc import Callable

from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster_tables import ClusterTables
from planner.state.specs import PodSpec


class WorkloadVerbs(ClusterTables):
    """Verbs of workloads and node groups."""

    def add_workload(self, name: str, namespace: str = "default") -> int:
        """A new workload row; `set_replicas` says how many pods it wants."""
        self.workload_names.append(name)
        self.workload_namespaces.append(namespace)
        self.draw_keys.add_workload(namespace, name)
        self.workload_pods.append({})
        return self.workloads.append(1)

    def set_claim_zone(self, workload: int, ordinal: int, zone: str) -> None:
        """The volume of a StatefulSet's pod is in this zone from the start."""
        self.claim_zones[workload, ordinal] = zone

    def add_group(self, name: str, min_size: int, max_size: int, foreign: bool = False) -> int:
        """A new node group row with target 0. `foreign`: the Cluster Autoscaler does not know it."""
        self.group_names.append(name)
        self.draw_keys.add_group(name)
        self.group_nodes.append({})
        row = self.groups.append(1)
        self.groups.w.min_size[row] = min_size
        self.groups.w.max_size[row] = max_size
        self.groups.w.foreign[row] = foreign
        return row

    def set_replicas(self, workload: int, replicas: int) -> None:
        """Write spec.replicas; the workload's controller follows when things settle."""
        self.workloads.w.desired[workload] = replicas
        self.workloads.w.version[workload] += 1
        self._publish(ClusterEvent(ClusterEventKind.REPLICAS_SET, workload=workload))

    def set_absent(self, workload: int, absent: bool) -> None:
        """The object is deleted, or created; `set_replicas` says how many pods it wants from then on."""
        self.workloads.w.absent[workload] = absent
        self.workloads.w.version[workload] += 1

    def change_template(self, template: int, revision: int, changed: PodSpec) -> None:
        """From a revision on, pods of a template are made of a changed one."""
        self._templates.change(template, revision, changed)

    def add_template(self, changed: PodSpec) -> int:
        """The number of a new template, of which single pods are made."""
        return self._templates.add(changed)

    def admit_with(self, workload: int, webhook: Callable[[int], int]) -> None:
        """New pods of a workload are made of the template that a mutating webhook makes of theirs."""
        self._admission[workload] = webhook

    def set_revision(self, workload: int, revision: int) -> None:
        """Another revision of the template: pods created from now on have it."""
        self.workloads.w.revision[workload] = revision
        self._publish(ClusterEvent(ClusterEventKind.REPLICAS_SET, workload=workload))

    def set_target(self, group: int, size: int) -> None:
        """Write the target size at the cloud without requesting or removing instances."""
        self.groups.w.target[group] = size
        self.groups.w.version[group] += 1

    def set_group_limits(self, group: int, min_size: int, max_size: int) -> None:
        """Write the sizes between which the autoscaler keeps a group."""
        self.groups.w.min_size[group] = min_size
        self.groups.w.max_size[group] = max_size
