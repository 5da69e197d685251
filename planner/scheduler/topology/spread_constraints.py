"""Spread constraints of a template, compiled once: its own or the defaults."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeInclusionPolicy,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.topology.matchers import PodMatcher
from planner.state.specs import HOSTNAME_LABEL, POD_TEMPLATE_HASH, PodSpec


@dataclass(frozen=True)
class Spread:
    """One constraint as the rules use it."""

    key: str
    max_skew: int
    matcher: PodMatcher | None
    """Pods that are counted; None counts none."""
    own_match: int
    """1 if the pod itself is among them."""
    min_domains: int
    honor_affinity: bool
    honor_taints: bool


@dataclass(frozen=True)
class Spreads:
    """The constraints of one template."""

    hard: tuple[Spread, ...]
    soft: tuple[Spread, ...]
    all_keys: bool
    """Only nodes with the keys of all soft constraints are scored; false for the built-in defaults."""
    coded_key: str | None = None
    """The one key besides the hostname, if all soft constraints count the same pods on all nodes."""
    weights: tuple[tuple[bool, int], ...] = ()
    """Of each soft constraint whether it spreads over hostnames, and its maxSkew: what its points depend on."""


def compile_spreads(spec: PodSpec, profile: SchedulerProfile) -> Spreads:
    """A pod with any constraint, even a soft one, gets no default constraints."""
    if spec.placement.spread_constraints:
        own = [(c, _own_matcher(spec, c)) for c in spec.placement.spread_constraints]
        return _split(spec, own, all_keys=True)
    matcher = _default_matcher(spec)
    if matcher is None:
        return Spreads((), (), all_keys=True)
    return _split(spec, [(c, matcher) for c in profile.default_constraints], all_keys=not profile.system_defaults)


def matcher_of(namespace: str, selector: LabelSelector, extra: tuple[tuple[str, str], ...] = ()) -> PodMatcher:
    """A selector within a namespace, with further labels that must be equal."""
    labels = tuple(sorted((*selector.match_labels.items(), *extra)))
    return PodMatcher(namespace, labels, selector.match_expressions)


def _own_matcher(spec: PodSpec, constraint: TopologySpreadConstraint) -> PodMatcher | None:
    if constraint.label_selector is None:
        return None
    extra = tuple((key, spec.labels[key]) for key in constraint.match_label_keys if key in spec.labels)
    return matcher_of(spec.namespace, constraint.label_selector, extra)


def _default_matcher(spec: PodSpec) -> PodMatcher | None:
    if spec.placement.spread_selector is not None:
        matcher = matcher_of(spec.namespace, spec.placement.spread_selector)
        return None if matcher.is_empty else matcher
    if spec.is_daemon:
        return None
    # A ReplicaSet selects the pods of its own revision.
    revision = tuple((key, value) for key, value in spec.labels.items() if key == POD_TEMPLATE_HASH)
    return PodMatcher(workload=spec.workload, labels=revision)


def _split(
    spec: PodSpec, constraints: list[tuple[TopologySpreadConstraint, PodMatcher | None]], all_keys: bool
) -> Spreads:
    hard: list[Spread] = []
    soft: list[Spread] = []
    for constraint, matcher in constraints:
        spread = Spread(
            key=constraint.topology_key,
            max_skew=constraint.max_skew,
            matcher=matcher,
            own_match=int(matcher is not None and (matcher.workload >= 0 or matcher.matches_labels(spec.labels))),
            min_domains=constraint.min_domains,
            honor_affinity=constraint.node_affinity_policy == NodeInclusionPolicy.HONOR,
            honor_taints=constraint.node_taints_policy == NodeInclusionPolicy.HONOR,
        )
        is_hard = constraint.when_unsatisfiable == UnsatisfiableAction.DO_NOT_SCHEDULE
        (hard if is_hard else soft).append(spread)
    weights = tuple((spread.key == HOSTNAME_LABEL, spread.max_skew) for spread in soft)
    return Spreads(tuple(hard), tuple(soft), all_keys, _coded_key(spec, soft), weights)


def is_narrowed(spec: PodSpec, spread: Spread) -> bool:
    """Whether the policies leave out nodes."""
    rules = spec.placement
    return spread.honor_taints or bool(spread.honor_affinity and (rules.node_selector or rules.required_terms))


def _coded_key(spec: PodSpec, soft: Sequence[Spread]) -> str | None:
    keys = [spread.key for spread in soft if spread.key != HOSTNAME_LABEL]
    if len(keys) != 1 or soft[0].matcher is None or soft[0].matcher.is_empty:
        return None
    same = all(spread.matcher == soft[0].matcher and not is_narrowed(spec, spread) for spread in soft)
    return keys[0] if same else None
