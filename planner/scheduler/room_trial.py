"""Who has to leave a node where only the room for requests decides: the trial of `preemption` in plain numbers.

It is faster than asking filters, and finds the same (a property test compares them).
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from planner.scheduler.interface import SparseRequests
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec


class RoomTrial:
    """What is free on one node for one request while pods leave it and come back."""

    def __init__(
        self,
        cluster: Cluster,
        sparse: SparseRequests,
        node: int,
        asked: Sequence[tuple[int, int]],
        nominated: Iterable[PodSpec],
    ) -> None:
        """`asked`: columns with what has to be free; `nominated`: templates of pods that count as if they were here."""
        allocatable, requested = cluster.nodes.allocatable[node].tolist(), cluster.nodes.requested[node].tolist()
        self._specs = cluster.pod_specs
        self._spec_of = cluster.pods.spec.item
        self._sparse = sparse
        self._spare = {column: allocatable[column] - requested[column] - amount for column, amount in asked}
        for spec in nominated:
            self._take(spec)

    def _take(self, spec: PodSpec, times: int = 1) -> None:
        spare = self._spare
        for column, amount in self._sparse(spec):
            if column in spare:
                spare[column] -= amount * times

    def take_off(self, pods: Iterable[int]) -> bool:
        """Pods leave; whether there is room then."""
        for template, count in Counter(map(self._spec_of, pods)).items():
            self._take(self._specs[template], -count)
        return all(amount >= 0 for amount in self._spare.values())

    def give_back(self, pods: Iterable[int]) -> list[int]:
        """Pods come back in this order as long as there is room; those that cannot."""
        spare, left = self._spare, []
        wanted_by: dict[int, list[tuple[int, int]]] = {}
        for pod in pods:
            template = self._spec_of(pod)
            wanted = wanted_by.get(template)
            if wanted is None:
                asked = self._sparse(self._specs[template])
                wanted = wanted_by[template] = [(column, amount) for column, amount in asked if column in spare]
            for column, amount in wanted:
                if amount > spare[column]:
                    left.append(pod)
                    break
            else:
                for column, amount in wanted:
                    spare[column] -= amount
        return left
