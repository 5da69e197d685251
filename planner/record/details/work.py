"""Details of finished work (rollouts, Jobs, upgrades) and of the plan's events."""

from typing import NamedTuple


class RolloutEnded(NamedTuple):
    """All pods of a workload have the new template."""

    pods: int
    took_s: float


class QuotaRefusal(NamedTuple):
    """Pods were not created, because a quota of their namespace refused them."""

    quota: str
    unnamed: tuple[str, ...]
    """Resources of the quota that a container does not name."""
    exceeded: tuple[tuple[str, int, int, int], ...]
    """Resource, what a pod asks for, what is used, and what is allowed; milli-CPU, bytes, units."""


class BarePodLost(NamedTuple):
    """A pod that no controller keeps is gone for good."""

    reason: str
    """As in the table of pods, for example Preempted."""


class JobEnded(NamedTuple):
    """A Job has completed or failed."""

    succeeded: int
    failed: int
    took_s: float
    reason: str
    """Of its condition, for example BackoffLimitExceeded."""


class CronJobLook(NamedTuple):
    """A CronJob was due: it started a Job, waits for the end of an earlier one, or missed its starts."""

    late_s: float
    """Time since the moment of its calendar."""
    active: int
    """Jobs that went on."""
    missed: int
    """Earlier moments for which no Job was or will be made."""


class UpgradeEnded(NamedTuple):
    """All nodes of a group have been replaced."""

    nodes: int
    took_s: float


class PlanEventEffect(NamedTuple):
    """What an event of the plan did."""

    what: str
    """Its type as the plan file spells it, for example zoneOutage."""
    on: tuple[str, ...] = ()
    """Nodes, pods or zones that it hit."""
    missing: tuple[str, ...] = ()
    """Named nodes that did not exist."""
    before: int | None = None
    """Replicas before and after, where it set them."""
    after: int | None = None


WorkDetails = RolloutEnded | QuotaRefusal | BarePodLost | JobEnded | CronJobLook | UpgradeEnded | PlanEventEffect
