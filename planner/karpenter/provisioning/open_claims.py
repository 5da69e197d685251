"""Nodes that a round is about to create.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/nodeclaim.go.
"""

from collections.abc import Mapping
from typing import NamedTuple

from planner.karpenter.catalogue.catalogue import Catalogue, TypeSet
from planner.karpenter.catalogue.type_filter import filter_types
from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.provisioning.templates import NodeTemplate
from planner.karpenter.requirements.requirement import LabelRequirement, one_of
from planner.karpenter.requirements.requirements import compatible, narrowed
from planner.karpenter.topology.node_filter import tolerates_all
from planner.karpenter.topology.topology import RoundTopology
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL, PortClaim, any_conflict


class ClaimChange(NamedTuple):
    """What a claim becomes with one more pod."""

    requirements: Mapping[str, LabelRequirement]
    types: TypeSet
    requests: Amounts
    lowered: bool = False
    """Smallest numbers of values were lowered."""


class OpenClaim:
    """One node to be, with the pods that it is for; the set of its types only shrinks."""

    def __init__(
        self, template: NodeTemplate, number: int, types: TypeSet, daemons: tuple[Amounts, tuple[PortClaim, ...]]
    ) -> None:
        self.template = template
        self.passed_over: tuple[tuple[str, Failure], ...] = ()
        """Pools that were tried before for its first pod, and what each lacked."""
        self.hostname = f"hostname-placeholder-{number:04d}"
        self.requirements: Mapping[str, LabelRequirement] = {
            **template.requirements,
            HOSTNAME_LABEL: one_of(self.hostname),
        }
        self.types = types
        self.requests = daemons[0]
        self.pods: list[RoundPod] = []
        self.refused: dict[int, None] = {}
        """Stages of pods that it will never take: its types only become fewer, its requests and ports only more."""
        self._ports = list(daemons[1])

    def with_pod(
        self,
        stage: PodStage,
        pod: RoundPod,
        topology: RoundTopology,
        catalogue: Catalogue,
        lowers_min_values: bool = False,
    ) -> ClaimChange | Failure:
        """What the claim becomes if it takes a pod, or what refuses the pod; of several rules of an empty claim one."""
        if not tolerates_all(stage.pod.tolerations, self.template.pool.taints):
            return Failure.TAINT
        if any_conflict(stage.pod.host_ports, self._ports):
            return Failure.HOST_PORT
        if not compatible(self.requirements, stage.needs, catalogue.well_known):
            return Failure.REQUIREMENTS
        base = narrowed(self.requirements, stage.needs)
        found: ClaimChange | Failure = Failure.VOLUME
        for places in pod.volumes or ({},):
            if not compatible(base, places, catalogue.well_known):
                found = Failure.VOLUME
                continue
            found = self._on_places(narrowed(base, places), stage, topology, catalogue, lowers_min_values)
            if not isinstance(found, Failure):
                return found
        return found

    def _on_places(
        self,
        needs: Mapping[str, LabelRequirement],
        stage: PodStage,
        topology: RoundTopology,
        catalogue: Catalogue,
        lowers_min_values: bool,
    ) -> ClaimChange | Failure:
        rules = topology.narrowing(stage, needs, by_chance=not self.pods)
        if isinstance(rules, Failure):
            return rules
        if rules != needs and not compatible(needs, rules, catalogue.well_known):
            return Failure.TOPOLOGY
        requests = self.requests + stage.request
        left = filter_types(catalogue, self.types, rules, requests, lowers_min_values)
        if left.failure is not None:
            return left.failure
        for key, count in left.lowered:
            rules[key] = rules[key]._replace(min_values=count)
        return ClaimChange(rules, left.types, requests, bool(left.lowered))

    def add(self, stage: PodStage, pod: RoundPod, change: ClaimChange, topology: RoundTopology) -> None:
        """Take a pod."""
        self.pods.append(pod)
        self.requirements, self.types, self.requests = change.requirements, change.types, change.requests
        self._ports.extend(stage.pod.host_ports)
        topology.register_hosts((self.hostname,))
        topology.record(stage, self.template.pool.taints, change.requirements)
