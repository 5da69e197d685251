"""Checks of selection by label: node affinity, label selectors, spread constraints."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import KEY_RULE, VALUE_RULE, is_label_key, is_label_value
from planner.matching.selectors import SelectorOperator
from planner.plan.files.problems import shown
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)
from planner.plan.model.pods.pod_template import PodTemplate

_LISTS = (SelectorOperator.IN, SelectorOperator.NOT_IN)
_EXISTENCE = (SelectorOperator.EXISTS, SelectorOperator.DOES_NOT_EXIST)
_COMPARISONS = (SelectorOperator.GT, SelectorOperator.LT)


def check_selectors(pod: PodTemplate, where: str) -> Iterator[PlanProblem]:
    """Node affinity and spread constraints of a pod template."""
    for index, term in enumerate(pod.required_node_affinity):
        yield from check_term(term, f"{where}.requiredNodeAffinity[{index}]")
    for index, preferred in enumerate(pod.preferred_node_affinity):
        place = f"{where}.preferredNodeAffinity[{index}]"
        if preferred.weight == 0:
            yield PlanProblem(
                f"{place}.weight", tr("A weight of 0 has no effect."), tr("Give 1 to 100 or remove the term.")
            )
        yield from check_term(preferred.preference, f"{place}.preference")
    seen: set[tuple[str, str]] = set()
    for index, constraint in enumerate(pod.topology_spread_constraints):
        place = f"{where}.topologySpreadConstraints[{index}]"
        kind = (constraint.topology_key, constraint.when_unsatisfiable)
        if kind in seen:
            problem = tr("There is another {kind} constraint over {kind_2}.", kind=kind[1], kind_2=shown(kind[0]))
            yield PlanProblem(place, problem, tr("Keep one of them."))
        seen.add(kind)
        yield from check_spread(constraint, place)


def check_labels(labels: dict[str, str], where: str) -> Iterator[PlanProblem]:
    """Keys and values of a label map."""
    for key, value in labels.items():
        place = f'{where}["{key}"]'
        if not is_label_key(key):
            yield PlanProblem(place, tr("{key} is not a label key.", key=shown(key)), KEY_RULE)
        if not is_label_value(value):
            yield PlanProblem(place, tr("{shown} is not a label value.", shown=shown(value)), VALUE_RULE)


def check_term(term: NodeSelectorTerm, where: str) -> Iterator[PlanProblem]:
    """One node affinity term."""
    for position, requirement in enumerate(term.match_expressions):
        yield from _check_requirement(requirement, f"{where}.matchExpressions[{position}]")
    for position, requirement in enumerate(term.match_fields):
        place = f"{where}.matchFields[{position}]"
        if requirement.key != "metadata.name":
            yield PlanProblem(
                f"{place}.key", tr("{key} is not a field.", key=shown(requirement.key)), tr("Use metadata.name.")
            )
        if requirement.operator not in _LISTS:
            yield PlanProblem(
                f"{place}.operator",
                tr("{operator} cannot be used here.", operator=requirement.operator),
                tr("Use In or NotIn."),
            )
        if len(requirement.values) != 1:
            yield PlanProblem(
                f"{place}.values", tr("A field is compared with one value."), tr("Give exactly one value.")
            )


def _check_requirement(requirement: NodeSelectorRequirement, where: str) -> Iterator[PlanProblem]:
    if not is_label_key(requirement.key):
        yield PlanProblem(f"{where}.key", tr("{key} is not a label key.", key=shown(requirement.key)), KEY_RULE)
    values, operator = requirement.values, requirement.operator
    place = f"{where}.values"
    if operator in _LISTS and not values:
        yield PlanProblem(place, tr("{operator} needs values.", operator=operator), tr("Give at least one value."))
    if operator in _EXISTENCE and values:
        yield PlanProblem(
            place, tr("{operator} takes no values.", operator=operator), tr("Remove them, or use In or NotIn.")
        )
    if operator in _COMPARISONS and not _is_one_integer(values):
        yield PlanProblem(
            place, tr("{operator} needs exactly one whole number.", operator=operator), tr('Write for example ["4"].')
        )


def _is_one_integer(values: tuple[str, ...]) -> bool:
    return len(values) == 1 and values[0].isascii() and values[0].removeprefix("-").isdigit() and len(values[0]) < 20


def check_spread(constraint: TopologySpreadConstraint, where: str) -> Iterator[PlanProblem]:
    """One topology spread constraint."""
    if not is_label_key(constraint.topology_key):
        problem = tr("{topology_key} is not a label key.", topology_key=shown(constraint.topology_key))
        yield PlanProblem(f"{where}.topologyKey", problem, KEY_RULE)
    if constraint.min_domains > 1 and constraint.when_unsatisfiable is not UnsatisfiableAction.DO_NOT_SCHEDULE:
        problem = tr(
            "minDomains has no effect with {when_unsatisfiable}.", when_unsatisfiable=constraint.when_unsatisfiable
        )
        yield PlanProblem(f"{where}.minDomains", problem, tr("Remove it, or use DoNotSchedule."))
    selector = constraint.label_selector
    if selector is not None:
        yield from check_label_selector(selector, f"{where}.labelSelector")
    elif constraint.match_label_keys:
        problem = tr("Keys extend a label selector, but there is none.")
        yield PlanProblem(f"{where}.matchLabelKeys", problem, tr("Add labelSelector, which may be empty."))
    for index, key in enumerate(constraint.match_label_keys):
        if not is_label_key(key):
            yield PlanProblem(
                f"{where}.matchLabelKeys[{index}]", tr("{key} is not a label key.", key=shown(key)), KEY_RULE
            )


def check_label_selector(selector: LabelSelector, where: str) -> Iterator[PlanProblem]:
    """Labels and expressions that choose pods or namespaces."""
    yield from check_labels(selector.match_labels, f"{where}.matchLabels")
    for index, requirement in enumerate(selector.match_expressions):
        place = f"{where}.matchExpressions[{index}]"
        if requirement.operator in _COMPARISONS:
            remedy = tr("Use In, NotIn, Exists or DoesNotExist.")
            yield PlanProblem(
                f"{place}.operator", tr("Pods cannot be chosen by {operator}.", operator=requirement.operator), remedy
            )
        else:
            yield from _check_requirement(requirement, place)
