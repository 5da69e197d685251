"""Arguments of scheduler plugins: one function per plugin to read them into the profile, and one to write them all."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.kube.draft.draft import Part, given
from planner.kube.files.field import Field
from planner.kube.pods.pod_manifest import node_selector_terms, plain
from planner.kube.pods.pod_terms import PREFERRED, REQUIRED, node_term, required_node_terms, spread_constraints
from planner.plan.model.scheduler import DefaultConstraints, SchedulerProfileSettings, StrategyType

_API = "kubescheduler.config.k8s.io/v1"


def _fit(args: Field) -> Part:
    strategy = args.at("scoringStrategy")
    shape = strategy.at("requestedToCapacityRatio", "shape").items()
    points = [{"utilization": p.at("utilization").whole() or 0, "score": p.at("score").whole() or 0} for p in shape]
    kind = strategy.at("type").choice(StrategyType)
    found = given(
        type=None if kind == StrategyType.LEAST_ALLOCATED else kind,
        resources=[_weighted(part) for part in strategy.at("resources").items()],
        shape=points,
    )
    return given(
        scoring_strategy=found,
        ignored_resources=args.at("ignoredResources").texts(),
        ignored_resource_groups=args.at("ignoredResourceGroups").texts(),
    )


def _weighted(field: Field) -> Part:
    weight = field.at("weight").whole()
    return given(name=field.at("name").required_text(), weight=weight or None)


def _balanced(args: Field) -> Part:
    return given(balanced_resources=[_weighted(part)["name"] for part in args.at("resources").items()])


def _node_affinity(args: Field) -> Part:
    added = args.at("addedAffinity")
    preferred = added.at(PREFERRED).items()
    return given(
        added_required_affinity=required_node_terms(added.at(REQUIRED)),
        added_preferred_affinity=[
            {"weight": part.at("weight").whole() or 0, "preference": node_term(part.at("preference"))}
            for part in preferred
        ],
    )


def _spread(args: Field) -> Part:
    kind = args.at("defaultingType").choice(DefaultConstraints)
    return given(
        defaulting_type=None if kind == DefaultConstraints.SYSTEM else kind,
        default_constraints=spread_constraints(args.at("defaultConstraints")),
    )


def _pod_affinity(args: Field) -> Part:
    return given(
        hard_pod_affinity_weight=args.at("hardPodAffinityWeight").whole(),
        ignore_preferred_terms_of_existing_pods=args.at("ignorePreferredTermsOfExistingPods").flag(),
    )


def _preemption(args: Field) -> Part:
    return given(
        min_candidate_nodes_percentage=args.at("minCandidateNodesPercentage").whole(),
        min_candidate_nodes_absolute=args.at("minCandidateNodesAbsolute").whole(),
    )


ARGUMENTS: Mapping[str, Callable[[Field], Part]] = MappingProxyType(
    {
        "NodeResourcesFit": _fit,
        "NodeResourcesBalancedAllocation": _balanced,
        "NodeAffinity": _node_affinity,
        "PodTopologySpread": _spread,
        "InterPodAffinity": _pod_affinity,
        "DefaultPreemption": _preemption,
    }
)
"""By name of the plugin."""


def argument_manifests(profile: SchedulerProfileSettings) -> list[Part]:
    """`pluginConfig` of a profile: what differs from the defaults."""
    usual, kind = SchedulerProfileSettings(), profile.defaulting_type
    balanced = [{"name": name, "weight": 1} for name in profile.balanced_resources]
    spreads = [plain(constraint) for constraint in profile.default_constraints]
    found = {
        "NodeResourcesFit": given(
            scoring_strategy=_scoring(profile) if profile.scoring_strategy != usual.scoring_strategy else None,
            ignored_resources=list(profile.ignored_resources),
            ignored_resource_groups=list(profile.ignored_resource_groups),
        ),
        "NodeResourcesBalancedAllocation": given(
            resources=None if profile.balanced_resources == usual.balanced_resources else balanced
        ),
        "NodeAffinity": given(added_affinity=_added_affinity(profile)),
        "PodTopologySpread": given(
            defaulting_type=None if kind is usual.defaulting_type else kind.value, default_constraints=spreads
        ),
        "InterPodAffinity": given(
            hard_pod_affinity_weight=_unless(profile.hard_pod_affinity_weight, usual.hard_pod_affinity_weight),
            ignore_preferred_terms_of_existing_pods=profile.ignore_preferred_terms_of_existing_pods or None,
        ),
        "DefaultPreemption": given(
            min_candidate_nodes_percentage=_unless(
                profile.min_candidate_nodes_percentage, usual.min_candidate_nodes_percentage
            ),
            min_candidate_nodes_absolute=_unless(
                profile.min_candidate_nodes_absolute, usual.min_candidate_nodes_absolute
            ),
        ),
    }
    return [
        {"name": name, "args": {"apiVersion": _API, "kind": f"{name}Args", **args}}
        for name, args in found.items()
        if args
    ]


def _scoring(profile: SchedulerProfileSettings) -> Part:
    strategy = profile.scoring_strategy
    return given(
        type=strategy.type.value,
        resources=[{"name": part.name, "weight": part.weight} for part in strategy.resources],
        requested_to_capacity_ratio=given(
            shape=[{"utilization": point.utilization, "score": point.score} for point in strategy.shape]
        ),
    )


def _added_affinity(profile: SchedulerProfileSettings) -> Part:
    preferred = [{"weight": t.weight, "preference": plain(t.preference)} for t in profile.added_preferred_affinity]
    required = node_selector_terms(profile.added_required_affinity)
    return ({REQUIRED: required} if required else {}) | ({PREFERRED: preferred} if preferred else {})


def _unless(value: int, usual: int) -> int | None:
    return None if value == usual else value
