"""Domains that pools could open, with the taints that pods would meet there.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/topology.go (buildDomainGroups) and
topologydomaingroup.go.
"""

from collections.abc import Iterator, Mapping, Sequence

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.requirements.requirement import ANYTHING, RequirementOperator
from planner.karpenter.requirements.requirements import Requirements
from planner.karpenter.topology.node_filter import tolerates_all
from planner.matching.taints import NodeTaint, TolerationLike


class PossibleDomains:
    """By label key: the values that nodes of the pools can have."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, list[tuple[NodeTaint, ...]]]] = {}

    def add_pool(self, requirements: Requirements, taints: tuple[NodeTaint, ...], catalogue: Catalogue) -> None:
        """The values that a pool's requirements (with the labels of its template) and its machine types leave.

        Of a label that says nothing of types the values that a pool excludes are among them: the real program does not
        tell the two kinds of sets apart here.
        """
        for key in catalogue.keys() if catalogue.types else ():
            allowed = requirements.get(key, ANYTHING)
            for value in catalogue.values_of(key):
                if allowed.has(value):
                    self._add(key, value, taints)
        for key, wanted in requirements.items():
            is_of_types = not catalogue.types or key in catalogue.keys()
            if wanted.operator is RequirementOperator.IN or not is_of_types:
                for value in wanted.values:
                    self._add(key, value, taints)

    def _add(self, key: str, value: str, taints: tuple[NodeTaint, ...]) -> None:
        known = self._known.setdefault(key, {})
        groups = known.get(value)
        if groups is None or not taints:
            known[value] = [taints]
        elif groups[0]:
            groups.append(taints)

    def of(self, key: str, tolerations: Sequence[TolerationLike] | None) -> Iterator[str]:
        """The values of a label; with tolerations only those that some pool offers with tolerated taints."""
        known: Mapping[str, list[tuple[NodeTaint, ...]]] = self._known.get(key, {})
        for value, groups in known.items():
            if tolerations is None or any(tolerates_all(tolerations, taints) for taints in groups):
                yield value
