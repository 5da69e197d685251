"""Node pools of Karpenter: which machines it may launch, and when it may take them away."""

import re
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from planner.language.translation import tr
from planner.plan.model.events.times import check_schedule
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.plan.model.node_groups import Taint
from planner.plan.values.fields import (
    CpuMilli,
    DurationUs,
    Labels,
    MemoryBytes,
    Misfit,
    Name,
    PlanModel,
    required,
    setting,
)
from planner.plan.values.portions import PlanPortion
from planner.units import US_PER_DAY, US_PER_H

Annotations = dict[Annotated[str, Field(min_length=1, max_length=317)], Annotated[str, Field(max_length=262_144)]]
_WHOLE_NUMBERS = ("Gt", "Lt", "Gte", "Lte")
_WHOLE_NUMBER = re.compile(r"-?[0-9]+")


class RequirementWord(StrEnum):
    """Operators of a pool's requirements."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"
    GTE = "Gte"
    LTE = "Lte"


class PoolRequirement(PlanModel):
    """What the label of a pool's machines must be."""

    key: str = required("Key", "Label key.", min_length=1, max_length=317)
    operator: RequirementWord = required("Operator", "How the label is compared.")
    values: tuple[str, ...] = setting(
        (), "Values", "Values for In and NotIn; one whole number for Gt, Lt, Gte and Lte."
    )
    min_values: int | None = setting(
        None, "Minimum values", "Fewest different values that the machine types of a launch must offer.", ge=1, le=2_000
    )

    @model_validator(mode="after")
    def _values_that_fit(self) -> Self:
        if self.operator in _WHOLE_NUMBERS:
            if len(self.values) != 1 or not _WHOLE_NUMBER.fullmatch(self.values[0]):
                problem = tr("{operator} compares with one whole number", operator=self.operator)
                raise Misfit(("values",), problem, tr("write it as the only value"))
        elif self.operator in (RequirementWord.EXISTS, RequirementWord.DOES_NOT_EXIST) and self.values:
            problem = tr("{operator} takes no values", operator=self.operator)
            raise Misfit(("values",), problem, tr("remove them"))
        elif self.operator is RequirementWord.IN and not self.values:
            raise Misfit(("values",), tr("In without values allows nothing"), tr("name at least one value"))
        return self


class DisruptionReason(StrEnum):
    """Why Karpenter takes a node away of its own accord."""

    UNDERUTILIZED = "Underutilized"
    EMPTY = "Empty"
    DRIFTED = "Drifted"


class PoolBudget(PlanModel):
    """How many nodes of a pool may be disrupted at once, always or at certain times."""

    nodes: PlanPortion = setting("10%", "Nodes", "A number of nodes, or a percentage of the pool, rounded up.")
    reasons: tuple[DisruptionReason, ...] = setting((), "Reasons", "Reasons that it limits; none means all.")
    schedule: str = setting(
        "",
        "Schedule",
        "When it comes into force, in UTC: minute hour day month weekday, or @daily and the like; empty means always.",
        max_length=200,
    )
    duration: DurationUs | None = setting(None, "Duration", "How long it then stays in force.", unit="s")

    @model_validator(mode="after")
    def _schedule_and_duration(self) -> Self:
        if bool(self.schedule) != (self.duration is not None):
            problem = tr("a schedule needs a duration and a duration a schedule")
            raise Misfit(("duration" if self.schedule else "schedule",), problem, tr("give both or neither"))
        check_schedule(self.schedule, "UTC", "schedule", "time_zone")
        return self


class ConsolidationPolicy(StrEnum):
    """Which nodes consolidation looks at."""

    WHEN_EMPTY = "WhenEmpty"
    WHEN_EMPTY_OR_UNDERUTILIZED = "WhenEmptyOrUnderutilized"


class PoolDisruption(PlanModel):
    """When Karpenter may take nodes of the pool away."""

    consolidation_policy: ConsolidationPolicy = setting(
        ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED,
        "Consolidation",
        "WhenEmpty: only nodes without pods. WhenEmptyOrUnderutilized: also nodes whose pods fit elsewhere, or on a "
        "cheaper machine.",
    )
    consolidate_after: DurationUs | None = setting(
        0, "Consolidate after", "Time without new or ended pods on a node; empty means never.", unit="s"
    )
    budgets: tuple[PoolBudget, ...] = setting(
        (PoolBudget(),), "Budgets", "The smallest budget in force counts; none means no limit.", max_length=50
    )


class PoolLimits(PlanModel):
    """Most that all nodes of the pool may have together."""

    cpu: CpuMilli | None = setting(None, "CPU", "CPU capacity of all nodes.", unit="cores")
    memory: MemoryBytes | None = setting(None, "Memory", "Memory capacity of all nodes.", unit="bytes")
    nodes: int | None = setting(
        None, "Nodes", "Number of nodes; nodes of one round do not see each other.", unit="nodes", ge=0, le=15_000
    )
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other resources of all nodes, for example nvidia.com/gpu: 8.",
        json_schema_extra={"unit": "units"},
    )


class InitialMachines(PlanModel):
    """Equal machines of a pool that run already when the run begins."""

    machine_type: str = required("Machine type", "One of Karpenter's machine types.", min_length=1, max_length=63)
    zone: str = required("Zone", "Value of topology.kubernetes.io/zone.", min_length=1, max_length=63)
    capacity_type: CapacityType = setting(CapacityType.ON_DEMAND, "Capacity type", "How they were bought.")
    count: int = setting(1, "Nodes", "Number of such nodes.", unit="nodes", ge=1, le=15_000)


class NodePool(PlanModel):
    """A pool of machines that Karpenter launches for pods that find no room."""

    name: Name = required("Name", "Name of the pool; its nodes are called <name>-0001 and so on.")
    requirements: tuple[PoolRequirement, ...] = setting(
        (), "Requirements", "Which machines the pool may have; labels that are not named may have any value.",
        max_length=100,
    )  # fmt: skip
    weight: int = setting(0, "Weight", "Pools with a larger weight are tried first.", ge=0, le=100)
    limits: PoolLimits = setting(PoolLimits(), "Limits", "Most that all nodes may have together.")
    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels of every node.",
        json_schema_extra={"unit": ""},
    )
    annotations: Annotations = Field(
        default_factory=dict,
        title="Annotations",
        description="Annotations of every node. karpenter.sh/do-not-disrupt: true keeps it until it expires; others "
        "have no effect.",
        json_schema_extra={"unit": ""},
    )
    initial_nodes: tuple[InitialMachines, ...] = setting(
        (), "At start", "Nodes that are Ready when the run begins, as old as simulation.initialNodeAge says.",
        max_length=1_000,
    )  # fmt: skip
    taints: tuple[Taint, ...] = setting((), "Taints", "Marks that repel pods without a matching toleration.")
    startup_taints: tuple[Taint, ...] = setting(
        (), "Start-up taints", "Taints of a node that boots; they are gone when it is ready."
    )
    disruption: PoolDisruption = setting(PoolDisruption(), "Disruption", "When nodes may be taken away.")
    expire_after: DurationUs | None = setting(
        30 * US_PER_DAY,
        "Expire after",
        "Age at which a node is replaced, whatever the budgets; empty means never.",
        unit="s",
    )
    termination_grace_period: DurationUs | None = setting(
        None, "Termination grace period", "Longest time for a drain; then pods are deleted. Empty means no bound.",
        unit="s",
    )  # fmt: skip
    provisioning_delay: DurationUs = setting(
        "60s", "Provisioning delay", "Mean time from the launch until a node registers.", unit="s"
    )
    provisioning_spread: DurationUs = setting(
        "10s", "Provisioning spread", "Standard deviation of that time (log-normal); 0 means none.", unit="s"
    )
    ready_delay: DurationUs = setting(
        "10s", "Ready delay", "Time from a node's registration until it is ready.", unit="s"
    )
    deletion_delay: DurationUs = setting("30s", "Deletion delay", "Time the cloud needs to remove a node.", unit="s")
    spot_reclaims_per_hour: float = setting(
        0.0, "Spot reclaims", "How often the cloud reclaims a spot node, per node and hour.", unit="1/h", ge=0, le=60
    )
    spot_reclaim_notice: DurationUs = setting(
        "2m", "Reclaim notice", "Time between the warning and the end of a spot node.", unit="s", le=US_PER_H
    )
