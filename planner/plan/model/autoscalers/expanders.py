"""What the Cluster Autoscaler chooses a node group by, as version 1.36.1 spells it (config/flags/flags.go)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator

from planner.language.translation import tr
from planner.plan.values.fields import INT32_MAX, Misfit, PlanModel, required, setting
from planner.plan.values.patterns import MAX_PATTERN_LENGTH, compile_go_pattern


class ExpanderName(StrEnum):
    """The filters that choose among possible scale-ups, as `--expander` spells them."""

    LEAST_WASTE = "least-waste"
    MOST_PODS = "most-pods"
    LEAST_NODES = "least-nodes"
    PRIORITY = "priority"
    PRICE = "price"
    RANDOM = "random"


NodeGroupPattern = Annotated[str, Field(min_length=1, max_length=MAX_PATTERN_LENGTH)]


class PriorityTier(PlanModel):
    """One entry of the priority expander: node groups that share a priority."""

    priority: int = required(
        "Priority",
        "The highest priority wins; below -1 a group can never win.",
        ge=-INT32_MAX,
        le=INT32_MAX,
    )
    groups: tuple[NodeGroupPattern, ...] = setting(
        (), "Node groups", "Regular expressions, searched anywhere in the node group's name.", max_length=1_000
    )

    @field_validator("groups")
    @classmethod
    def _readable_patterns(cls, groups: tuple[str, ...]) -> tuple[str, ...]:
        for index, pattern in enumerate(groups):
            try:
                compile_go_pattern(pattern)
            except ValueError as error:
                remedy = tr("write a regular expression of Go (RE2), for example ^gpu-")
                raise Misfit((index,), str(error), remedy) from None
        return groups
