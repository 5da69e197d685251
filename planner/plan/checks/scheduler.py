"""Checks of the scheduler's settings."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import is_label_key
from planner.plan.checks.pods import NATIVE_RESOURCES, repeated
from planner.plan.checks.selectors import check_spread, check_term
from planner.plan.files.problems import shown
from planner.plan.model.scheduler import (
    DefaultConstraints,
    PluginName,
    SchedulerProfileSettings,
    SchedulerSettings,
    ScoringStrategy,
    StrategyType,
)
from planner.units import format_duration

_WITHOUT_SCORE = (
    PluginName.NODE_UNSCHEDULABLE,
    PluginName.NODE_PORTS,
    PluginName.NODE_VOLUME_LIMITS,
    PluginName.VOLUME_BINDING,
    PluginName.DEFAULT_PREEMPTION,
)


def check_scheduler(settings: SchedulerSettings) -> Iterator[PlanProblem]:
    """Backoffs and profiles."""
    if settings.pod_initial_backoff > settings.pod_max_backoff:
        first, longest = format_duration(settings.pod_initial_backoff), format_duration(settings.pod_max_backoff)
        problem = tr("The first backoff ({first}) is above the longest ({longest}).", first=first, longest=longest)
        yield PlanProblem(
            "scheduler.podInitialBackoff", problem, tr("Lower it to {longest} or raise the longest.", longest=longest)
        )
    for index, name in repeated(profile.scheduler_name for profile in settings.profiles):
        where = f"scheduler.profiles[{index}].schedulerName"
        yield PlanProblem(where, tr("Another profile is called {name}.", name=shown(name)), tr("Choose another name."))
    for index, profile in enumerate(settings.profiles):
        yield from _check_profile(profile, f"scheduler.profiles[{index}]")


def _check_profile(profile: SchedulerProfileSettings, where: str) -> Iterator[PlanProblem]:
    yield from _check_plugins(profile, where)
    yield from _check_strategy(profile.scoring_strategy, f"{where}.scoringStrategy")
    for index, name in enumerate(profile.balanced_resources):
        yield from _check_resource(name, f"{where}.balancedResources[{index}]")
    for index, name in repeated(profile.balanced_resources):
        yield PlanProblem(
            f"{where}.balancedResources[{index}]",
            tr("{name} is given twice.", name=shown(name)),
            tr("Keep one of them."),
        )
    for index, name in enumerate(profile.ignored_resources):
        if "/" not in name:
            problem = tr("{name} cannot be ignored; only extended resources can.", name=shown(name))
            yield PlanProblem(f"{where}.ignoredResources[{index}]", problem, tr("Write domain/name."))
    for index, name in enumerate(profile.ignored_resource_groups):
        if "/" in name:
            problem = tr("{name} is a resource, not a resource group.", name=shown(name))
            yield PlanProblem(
                f"{where}.ignoredResourceGroups[{index}]", problem, tr("Write the part before the slash.")
            )
    for index, term in enumerate(profile.added_required_affinity):
        yield from check_term(term, f"{where}.addedRequiredAffinity[{index}]")
    for index, preferred in enumerate(profile.added_preferred_affinity):
        yield from check_term(preferred.preference, f"{where}.addedPreferredAffinity[{index}].preference")
    yield from _check_defaults(profile, where)
    if profile.min_candidate_nodes_percentage == 0 and profile.min_candidate_nodes_absolute == 0:
        problem = tr("With both bounds 0 preemption would try no node.")
        yield PlanProblem(f"{where}.minCandidateNodesAbsolute", problem, tr("Raise one of the two."))


def _check_plugins(profile: SchedulerProfileSettings, where: str) -> Iterator[PlanProblem]:
    for index, name in repeated(entry.name for entry in profile.plugins):
        yield PlanProblem(
            f"{where}.plugins[{index}].name", tr("{name} is given twice.", name=name), tr("Keep one of them.")
        )
    for index, entry in enumerate(profile.plugins):
        if entry.weight is not None and entry.name in _WITHOUT_SCORE:
            place = f"{where}.plugins[{index}].weight"
            yield PlanProblem(place, tr("{name} gives no score.", name=entry.name), tr("Remove the weight."))
        elif entry.weight is not None and not entry.enabled:
            place = f"{where}.plugins[{index}].weight"
            yield PlanProblem(
                place, tr("A plugin that is off has no weight."), tr("Remove the weight or switch it on.")
            )


def _check_strategy(strategy: ScoringStrategy, where: str) -> Iterator[PlanProblem]:
    for index, resource in enumerate(strategy.resources):
        yield from _check_resource(resource.name, f"{where}.resources[{index}].name")
    for index, name in repeated(resource.name for resource in strategy.resources):
        yield PlanProblem(
            f"{where}.resources[{index}].name", tr("{name} is given twice.", name=shown(name)), tr("Keep one of them.")
        )
    is_ratio = strategy.type is StrategyType.REQUESTED_TO_CAPACITY_RATIO
    if is_ratio and not strategy.shape:
        yield PlanProblem(f"{where}.shape", tr("The strategy needs a shape."), tr("Give points from 0 % to 100 %."))
    if not is_ratio and strategy.shape:
        remedy = tr(
            "Remove it, or use {requested_to_capacity_ratio}.",
            requested_to_capacity_ratio=StrategyType.REQUESTED_TO_CAPACITY_RATIO,
        )
        yield PlanProblem(f"{where}.shape", tr("{type} follows no shape.", type=strategy.type), remedy)
    for index in range(1, len(strategy.shape)):
        if strategy.shape[index].utilization <= strategy.shape[index - 1].utilization:
            problem = tr(
                "The utilization does not rise above {utilization} %.",
                utilization=strategy.shape[index - 1].utilization,
            )
            yield PlanProblem(f"{where}.shape[{index}].utilization", problem, tr("Order the points by utilization."))


def _check_resource(name: str, where: str) -> Iterator[PlanProblem]:
    if name == "pods" or (name not in NATIVE_RESOURCES and ("/" not in name or not is_label_key(name))):
        remedy = tr("Use cpu, memory, ephemeral-storage or domain/name.")
        yield PlanProblem(where, tr("{name} cannot be scored.", name=shown(name)), remedy)


def _check_defaults(profile: SchedulerProfileSettings, where: str) -> Iterator[PlanProblem]:
    if profile.default_constraints and profile.defaulting_type is DefaultConstraints.SYSTEM:
        remedy = tr("Set defaultingType to {list}, or remove them.", list=DefaultConstraints.LIST)
        yield PlanProblem(f"{where}.defaultConstraints", tr("They are not used with the built-in defaults."), remedy)
    for index, constraint in enumerate(profile.default_constraints):
        place = f"{where}.defaultConstraints[{index}]"
        yield from check_spread(constraint, place)
        if constraint.label_selector is not None or constraint.match_label_keys:
            problem = tr("Defaults take their pods from the pod's own workload.")
            yield PlanProblem(f"{place}.labelSelector", problem, tr("Remove selector and match label keys."))
