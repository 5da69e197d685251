"""Pods of DaemonSets take room on every node they may run on.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go (getDaemonOverhead,
getDaemonHostPortUsage, isDaemonPodCompatible, getCompatibleDaemonPods).
"""

from collections.abc import Container, Iterable, Sequence

from planner.karpenter.pods.pod_needs import strict_needs
from planner.karpenter.pods.relaxation import tolerating_soft_taints, without_first_term
from planner.karpenter.provisioning.templates import NodeTemplate
from planner.karpenter.requirements.requirements import Requirements, compatible
from planner.karpenter.topology.node_filter import tolerates_all
from planner.matching.taints import NodeTaint
from planner.state.resources import PODS, Amounts
from planner.state.specs import PodPlacement, PodSpec, PortClaim


class Daemons:
    """The DaemonSets of a cluster; what one gives up for a template stays given up."""

    def __init__(
        self, specs: Iterable[PodSpec], nothing: Amounts, well_known: Container[str], bare: Container[int] = ()
    ) -> None:
        """`bare`: numbers of the templates of which there has been no pod yet."""
        self._specs = list(specs)
        self._bare = bare
        self._pods: list[PodPlacement] = [spec.placement for spec in self._specs]
        self._nothing = nothing
        self._well_known = well_known

    def on_templates(self, templates: Sequence[NodeTemplate]) -> list[tuple[Amounts, tuple[PortClaim, ...]]]:
        """Requests and host ports of all daemons that nodes of each template get, whatever their type.

        Ports are looked at once the requests on all templates are known, by when terms may have been given up.
        """
        requests = [self._requests(self._fitting(template)) for template in templates]
        return [(asked, self._ports(template)) for asked, template in zip(requests, templates, strict=True)]

    def _ports(self, template: NodeTemplate) -> tuple[PortClaim, ...]:
        """Of sets without a pod only the ports of the last one count: the real program files them under no name."""
        found: list[PortClaim] = []
        of_last: tuple[PortClaim, ...] = ()
        for spec in (self._specs[number] for number in self._fitting(template)):
            if spec.index in self._bare:
                of_last = spec.placement.host_ports
            else:
                found += spec.placement.host_ports
        return (*found, *of_last)

    def _fitting(self, template: NodeTemplate) -> list[int]:
        return [n for n in range(len(self._specs)) if self._fits_template(n, template)]

    def _fits_template(self, number: int, template: NodeTemplate) -> bool:
        """Whether it tolerates the taints and one of its required terms fits."""
        pod = self._pods[number]
        pod = self._pods[number] = tolerating_soft_taints(pod) or pod
        if not tolerates_all(pod.tolerations, template.pool.taints):
            return False
        while not compatible(template.requirements, strict_needs(pod), self._well_known):
            less = without_first_term(pod)
            if less is None:
                return False
            pod = self._pods[number] = less
        return True

    def on_node(self, labels: Requirements, taints: Sequence[NodeTaint]) -> Amounts:
        """Requests of the daemons that an existing node is to have."""
        return self._requests(
            number
            for number, pod in enumerate(self._pods)
            if tolerates_all(pod.tolerations, taints) and compatible(labels, strict_needs(pod))
        )

    def _requests(self, chosen: Iterable[int]) -> Amounts:
        total = self._nothing.copy()
        for number in chosen:
            total += self._specs[number].request
            total[PODS] += 1
        return total
