"""Keys of the random draws of workloads, pods, groups and nodes: from names and ordinals, never from rows."""

from collections.abc import Iterable

import numpy as np

from planner.engine.draws import Keys, key_of, key_within


class DrawKeys:
    """Keys by row of the workload and of the group; those of pods and nodes follow from their serial numbers."""

    def __init__(self) -> None:
        self.workloads: list[int] = []
        self._groups: list[int] = []
        self._daemon_pods: dict[int, int] = {}
        """How many pods a DaemonSet has had on a node, by the key of both."""

    def add_workload(self, namespace: str, name: str) -> None:
        """The next workload row."""
        self.workloads.append(key_of(namespace, name))

    def add_group(self, name: str) -> None:
        """The next group row."""
        self._groups.append(key_of(name))

    def of_node(self, group: int, number: int) -> int:
        """Key of the node with a serial number in its group."""
        return key_within(self._groups[group], number)

    def of_pods(self, workload: int, first: int, count: int) -> int | Keys:
        """Keys of pods with serial numbers from `first` on in their workload; of a single one as a plain number."""
        if count == 1:
            return key_within(self.workloads[workload], first)
        return key_within(self.workloads[workload], np.arange(first, first + count, dtype=np.uint64))

    def of_daemon_pods(self, workload: int, node_keys: Iterable[int]) -> list[int]:
        """Keys of new pods that belong to a node each, so that nodes of other pools do not count."""
        found = []
        for node_key in node_keys:
            place = key_within(self.workloads[workload], node_key)
            number = self._daemon_pods[place] = self._daemon_pods.get(place, 0) + 1
            found.append(key_within(place, number))
        return found
