"""Checks of inter-pod affinity, host ports, scheduling gates and the node name of a pod template."""

from collections.abc import Iterator
from ipaddress import ip_address

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import KEY_RULE, is_dns_name, is_label_key, is_label_value
from planner.plan.checks.selectors import check_label_selector
from planner.plan.derived.pod_requests import running_containers
from planner.plan.files.problems import shown
from planner.plan.model.pods.containers import HostPort
from planner.plan.model.pods.placement import PodAffinityTerm
from planner.plan.model.pods.pod_template import PodTemplate

_ALL_ADDRESSES = "0.0.0.0"


def check_pod_affinity(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """All four kinds of terms."""
    required = {
        "requiredPodAffinity": pod.required_pod_affinity,
        "requiredPodAntiAffinity": pod.required_pod_anti_affinity,
    }
    for name, terms in required.items():
        for index, term in enumerate(terms):
            yield from _check_term(term, f"{where}.{name}[{index}]")
    preferred = {
        "preferredPodAffinity": pod.preferred_pod_affinity,
        "preferredPodAntiAffinity": pod.preferred_pod_anti_affinity,
    }
    for name, entries in preferred.items():
        for index, entry in enumerate(entries):
            place = f"{where}.{name}[{index}]"
            if entry.weight == 0:
                problem = tr("A weight of 0 has no effect.")
                yield PlanProblem(f"{place}.weight", problem, tr("Give 1 to 100 or remove the term."))
            yield from _check_term(entry.pod_affinity_term, f"{place}.podAffinityTerm")


def _check_term(term: PodAffinityTerm, where: str) -> Iterator[PlanProblem]:
    if not is_label_key(term.topology_key):
        yield PlanProblem(
            f"{where}.topologyKey",
            tr("{topology_key} is not a label key.", topology_key=shown(term.topology_key)),
            KEY_RULE,
        )
    for name, selector in (("labelSelector", term.label_selector), ("namespaceSelector", term.namespace_selector)):
        if selector is not None:
            yield from check_label_selector(selector, f"{where}.{name}")
    for index, namespace in enumerate(term.namespaces):
        if not namespace or not is_label_value(namespace):
            problem = tr("{namespace} is not a valid namespace name.", namespace=shown(namespace))
            yield PlanProblem(f"{where}.namespaces[{index}]", problem, tr("Use lower case letters, digits and '-'."))
    lists = (("matchLabelKeys", term.match_label_keys), ("mismatchLabelKeys", term.mismatch_label_keys))
    for name, keys in lists:
        if keys and term.label_selector is None:
            problem = tr("Keys extend a label selector, but there is none.")
            yield PlanProblem(f"{where}.{name}", problem, tr("Add labelSelector, which may be empty."))
        for index, key in enumerate(keys):
            if not is_label_key(key):
                yield PlanProblem(f"{where}.{name}[{index}]", tr("{key} is not a label key.", key=shown(key)), KEY_RULE)
    for index, key in enumerate(term.mismatch_label_keys):
        if key in term.match_label_keys:
            problem = tr("{key} is required both to match and not to match.", key=shown(key))
            yield PlanProblem(f"{where}.mismatchLabelKeys[{index}]", problem, tr("Keep it in one of the two lists."))


def check_host_ports(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """Addresses, and that no two containers that run together take the same port."""
    seen: list[HostPort] = []
    sidecars = [index for index, container in enumerate(pod.init_containers) if container.sidecar]
    places = [f"containers[{index}]" for index in range(len(pod.containers))]
    places += [f"initContainers[{index}]" for index in sidecars]
    for place, container in zip(places, running_containers(pod), strict=True):
        for index, port in enumerate(container.host_ports):
            at = f"{where}.{place}.hostPorts[{index}]"
            if not _is_address(port.host_ip):
                problem = tr("{host_ip} is not an IP address.", host_ip=shown(port.host_ip))
                yield PlanProblem(f"{at}.hostIp", problem, tr("Write an address, or 0.0.0.0 for all."))
            if any(_conflict(port, other) for other in seen):
                problem = tr(
                    "The pod uses port {port}/{protocol} twice, so no node could run it.",
                    port=port.port,
                    protocol=port.protocol,
                )
                yield PlanProblem(f"{at}.port", problem, tr("Use another port."))
            seen.append(port)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _conflict(one: HostPort, other: HostPort) -> bool:
    if (one.port, one.protocol) != (other.port, other.protocol):
        return False
    return one.host_ip == other.host_ip or _ALL_ADDRESSES in (one.host_ip, other.host_ip)


def check_gates(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """Names of scheduling gates."""
    seen: set[str] = set()
    for index, gate in enumerate(pod.scheduling_gates):
        place = f"{where}.schedulingGates[{index}].name"
        if not is_label_key(gate.name):
            yield PlanProblem(place, tr("{name} is not a valid gate name.", name=shown(gate.name)), KEY_RULE)
        if gate.name in seen:
            yield PlanProblem(
                place, tr("The gate {name} is given twice.", name=shown(gate.name)), tr("Keep one of them.")
            )
        seen.add(gate.name)


def check_node_name(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """The name of a node, and nothing that only a scheduler could heed."""
    if not pod.node_name:
        return
    if not is_dns_name(pod.node_name):
        problem = tr("{node_name} is not a valid node name.", node_name=shown(pod.node_name))
        remedy = tr("Use lower-case letters, digits, '-' and '.', as in pool-0001.")
        yield PlanProblem(f"{where}.nodeName", problem, remedy)
    if pod.scheduling_gates:
        problem = tr("Pods that name their node cannot have scheduling gates.")
        yield PlanProblem(f"{where}.nodeName", problem, tr("Remove the name or the gates."))
