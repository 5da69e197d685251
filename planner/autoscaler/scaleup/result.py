"""What one scale-up step decided."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from planner.autoscaler.expander.chain import ExpanderChoice
from planner.autoscaler.expander.option import ExpansionOption


class ScaleUpResult(StrEnum):
    """Results in the words of the Cluster Autoscaler."""

    SUCCESSFUL = "ScaleUpSuccessful"
    ERROR = "ScaleUpError"
    NO_OPTIONS = "ScaleUpNoOptionsAvailable"
    NOT_NEEDED = "ScaleUpNotNeeded"
    NOT_TRIED = "ScaleUpNotTried"
    IN_COOLDOWN = "ScaleUpInCooldown"
    LIMITED_BY_MAX_NODES_TOTAL = "ScaleUpLimitedByMaxNodesTotal"


@dataclass(frozen=True, slots=True)
class Resize:
    """A group that grows."""

    group: int
    old_size: int
    new_size: int


@dataclass(frozen=True, slots=True)
class NoScaleUpInfo:
    """Pods no group was grown for, and why: group -> reasons."""

    pods: tuple[int, ...]
    rejected: Mapping[int, tuple[str, ...]]
    skipped: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ScaleUpPlan:
    """The outcome of a scale-up step, before any request goes to the cloud."""

    result: ScaleUpResult
    resizes: tuple[Resize, ...] = ()
    triggered: tuple[int, ...] = ()
    """Pods of the chosen option."""
    awaiting: tuple[int, ...] = ()
    """Pods that fit some group, but not the chosen one."""
    remaining: tuple[NoScaleUpInfo, ...] = ()
    options: tuple[ExpansionOption, ...] = ()
    choice: ExpanderChoice | None = None
    pods_of: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Pods of every option, by group."""
    rejected: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Groups that were no option, and why."""
    capped: bool = False
    """Fewer nodes than wanted, because the cluster may have no more."""
