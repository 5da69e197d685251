"""Checks of labels, taints and pod templates: what Kubernetes itself would refuse at admission."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import KEY_RULE, VALUE_RULE, is_label_key, is_label_value
from planner.matching.taints import TolerationOperator
from planner.plan.checks.affinity import check_gates, check_host_ports, check_node_name, check_pod_affinity
from planner.plan.checks.selectors import check_labels, check_selectors
from planner.plan.derived.pod_requests import amounts_of, container_sums, is_extended_resource, is_pod_level
from planner.plan.files.nearest import nearest
from planner.plan.files.problems import shown
from planner.plan.model.node_groups import Taint
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import Toleration
from planner.plan.model.pods.pod_template import PodTemplate
from planner.units import format_bytes, format_cpu

NATIVE_RESOURCES = ("cpu", "memory", "pods", "ephemeral-storage")
_MAX_AMOUNT = 1 << 40


def repeated(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Position and name of every name that came before."""
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield index, name
        seen.add(name)


def suggestion(name: str, known: Collection[str], otherwise: str) -> str:
    """Did you mean ...? Or what else to do."""
    guess = nearest(name, known)
    return tr("Did you mean {guess}?", guess=shown(guess)) if guess else otherwise


def check_taints(taints: tuple[Taint, ...], where: str) -> Iterator[PlanProblem]:
    """Syntax, and that no key and effect come twice."""
    for index, taint in enumerate(taints):
        place = f"{where}[{index}]"
        if not is_label_key(taint.key):
            yield PlanProblem(f"{place}.key", tr("{key} is not a taint key.", key=shown(taint.key)), KEY_RULE)
        if not is_label_value(taint.value):
            yield PlanProblem(
                f"{place}.value", tr("{shown} is not a taint value.", shown=shown(taint.value)), VALUE_RULE
            )
    for index, name in repeated(f"{taint.key}:{taint.effect}" for taint in taints):
        yield PlanProblem(
            f"{where}[{index}]", tr("The taint {name} is given twice.", name=name), tr("Keep one of them.")
        )


def check_extended(extended: Mapping[str, int], where: str) -> Iterator[PlanProblem]:
    """Names and amounts of extended resources."""
    for name, amount in extended.items():
        place = f'{where}["{name}"]'
        if name in NATIVE_RESOURCES:
            yield PlanProblem(
                place, tr("{name} is not an extended resource.", name=name), tr("Give it in the field of that name.")
            )
        elif not is_extended_resource(name) or not is_label_key(name):
            remedy = tr("Write domain/name, for example nvidia.com/gpu, or hugepages- and the size.")
            yield PlanProblem(
                place, tr("{name} is not a valid name of an extended resource.", name=shown(name)), remedy
            )
        if not 0 <= amount <= _MAX_AMOUNT:
            yield PlanProblem(
                place,
                tr("{amount} is not a valid amount.", amount=amount),
                tr("Give 0 to {max_amount}.", max_amount=_MAX_AMOUNT),
            )


def check_pod(
    pod: PodTemplate, where: str, classes: Collection[str], runtime_classes: Collection[str] = ()
) -> Iterator[PlanProblem]:
    """A pod template; `classes` and `runtime_classes` are the names there are."""
    yield from check_labels(pod.labels, f"{where}.labels")
    yield from check_labels(pod.node_selector, f"{where}.nodeSelector")
    places = [f"{where}.containers[{index}]" for index in range(len(pod.containers))]
    places += [f"{where}.initContainers[{index}]" for index in range(len(pod.init_containers))]
    containers = (*pod.containers, *pod.init_containers)
    for index, name in repeated(container.name for container in containers):
        yield PlanProblem(
            f"{places[index]}.name",
            tr("Two containers are called {name}.", name=shown(name)),
            tr("Rename one of them."),
        )
    for container, place in zip(containers, places, strict=True):
        yield from _check_container(container, place)
    yield from _check_pod_level(pod, where)
    if pod.priority_class and pod.priority_class not in classes:
        remedy = suggestion(pod.priority_class, classes, tr("Add the class to priorityClasses or remove the name."))
        yield PlanProblem(
            f"{where}.priorityClass",
            tr("There is no priority class {priority_class}.", priority_class=shown(pod.priority_class)),
            remedy,
        )
    if pod.runtime_class and pod.runtime_class not in runtime_classes:
        remedy = suggestion(pod.runtime_class, runtime_classes, tr("Add it to runtimeClasses or remove the name."))
        yield PlanProblem(
            f"{where}.runtimeClass",
            tr("There is no runtime class {runtime_class}.", runtime_class=shown(pod.runtime_class)),
            remedy,
        )
    yield from check_selectors(pod, where)
    yield from check_pod_affinity(pod, where)
    yield from check_host_ports(pod, where)
    yield from check_gates(pod, where)
    yield from check_node_name(pod, where)
    for index, toleration in enumerate(pod.tolerations):
        yield from _check_toleration(toleration, f"{where}.tolerations[{index}]")


def _check_pod_level(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """Only CPU, memory and huge pages, not below what the containers request together (the API server refuses that)."""
    for field, whole in (("resources", pod.resources), ("limits", pod.limits)):
        if not all(map(is_pod_level, amounts_of(whole))):
            problem = tr("Only CPU, memory and huge pages can be given for the pod as a whole.")
            yield PlanProblem(f"{where}.{field}", problem, tr("Move the rest to a container."))
    yield from _check_request_within_limit(pod.resources, pod.limits, f"{where}.resources")
    together = container_sums(pod)
    amounts = (("cpu", pod.resources.cpu, format_cpu), ("memory", pod.resources.memory, format_bytes))
    for name, amount, text in amounts:
        if amount is not None and amount < together.get(name, 0):
            problem = tr(
                "The pod requests less ({text}) than its containers together ({text_2}).",
                text=text(amount),
                text_2=text(together[name]),
            )
            remedy = tr("Raise it to {text} or remove it.", text=text(together[name]))
            yield PlanProblem(f"{where}.resources.{name}", problem, remedy)


def _check_container(container: Container, where: str) -> Iterator[PlanProblem]:
    requests, limits = container.requests, container.limits
    yield from check_extended(requests.extended, f"{where}.requests.extended")
    yield from check_extended(limits.extended, f"{where}.limits.extended")
    yield from _check_request_within_limit(requests, limits, f"{where}.requests")
    for name, amount in requests.extended.items():
        if limits.extended.get(name, amount) != amount:
            place = f'{where}.requests.extended["{name}"]'
            problem = tr(
                "The request ({amount}) differs from the limit ({extended}).",
                amount=amount,
                extended=limits.extended[name],
            )
            yield PlanProblem(place, problem, tr("Extended resources cannot be overcommitted; make both equal."))


def _check_request_within_limit(requests: Resources, limits: Resources, place: str) -> Iterator[PlanProblem]:
    amounts = (
        ("cpu", requests.cpu, limits.cpu, format_cpu),
        ("memory", requests.memory, limits.memory, format_bytes),
        ("ephemeralStorage", requests.ephemeral_storage, limits.ephemeral_storage, format_bytes),
    )
    for name, request, limit, text in amounts:
        if request is not None and limit is not None and request > limit:
            problem = tr("The request ({text}) is above the limit ({text_2}).", text=text(request), text_2=text(limit))
            remedy = tr("Lower it to {text} or raise the limit.", text=text(limit))
            yield PlanProblem(f"{place}.{name}", problem, remedy)


def _check_toleration(toleration: Toleration, where: str) -> Iterator[PlanProblem]:
    if toleration.key and not is_label_key(toleration.key):
        yield PlanProblem(f"{where}.key", tr("{key} is not a taint key.", key=shown(toleration.key)), KEY_RULE)
    if not toleration.key and toleration.operator is not TolerationOperator.EXISTS:
        remedy = tr("Name the taint, or use the operator Exists to tolerate every taint.")
        yield PlanProblem(f"{where}.key", tr("A toleration without a key needs the operator Exists."), remedy)
    if toleration.value and toleration.operator is TolerationOperator.EXISTS:
        yield PlanProblem(
            f"{where}.value", tr("Exists takes no value."), tr("Remove the value, or use the operator Equal.")
        )
    elif not is_label_value(toleration.value):
        yield PlanProblem(
            f"{where}.value", tr("{shown} is not a taint value.", shown=shown(toleration.value)), VALUE_RULE
        )
