"""Autoscalers that follow the size of the cluster (cluster-proportional-autoscaler 1.9)."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.language.translation import tr
from planner.plan.values.fields import DurationUs, Labels, Misfit, Name, PlanModel, required, setting
from planner.units import US_PER_H, US_PER_S

_MAX = 200_000
_LEAST_RATIO = 0.001


class ParameterFault(StrEnum):
    """Why the tool computes nothing from its parameters."""

    PARSE_ERROR = "ParseError"
    NEGATIVE_MIN = "NegativeMin"
    MAX_BELOW_MIN = "MaxBelowMin"
    NO_RATIO = "NoRatio"
    NEGATIVE_CORES = "NegativeCores"
    NEGATIVE_NODES = "NegativeNodes"
    NEGATIVE_ENTRY = "NegativeEntry"


def linear_fault(
    minimum: int, maximum: int, cores_per_replica: float, nodes_per_replica: float
) -> ParameterFault | None:
    """The first fault of linear parameters, in the order in which the tool looks for them; 0 means not given."""
    if minimum < 0:
        return ParameterFault.NEGATIVE_MIN
    if 0 < maximum < max(minimum, 1):
        return ParameterFault.MAX_BELOW_MIN
    if cores_per_replica == 0 and nodes_per_replica == 0:
        return ParameterFault.NO_RATIO
    if cores_per_replica < 0:
        return ParameterFault.NEGATIVE_CORES
    return ParameterFault.NEGATIVE_NODES if nodes_per_replica < 0 else None


class LinearMode(PlanModel):
    """Replicas in proportion to cores and nodes; the larger number counts."""

    type: Literal["linear"]
    cores_per_replica: float = setting(
        0.0, "Cores per replica", "Allocatable cores per replica; 0 means cores do not count.", ge=0, le=1e6
    )
    nodes_per_replica: float = setting(
        0.0, "Nodes per replica", "Nodes per replica; 0 means nodes do not count.", ge=0, le=1e6
    )
    min: int = setting(1, "Minimum", "Fewest replicas; 0 counts as 1.", unit="pods", ge=0, le=_MAX)
    max: int = setting(0, "Maximum", "Most replicas; 0 means no limit.", unit="pods", ge=0, le=_MAX)
    prevent_single_point_failure: bool = setting(
        False,
        "No single point of failure",
        "At least 2 replicas if there is more than one node, even above the maximum.",
    )
    include_unschedulable_nodes: bool = setting(
        False, "Count unschedulable nodes", "Nodes that are cordoned or not ready also count."
    )

    @model_validator(mode="after")
    def _can_be_computed(self) -> Self:
        fault = linear_fault(self.min, self.max, self.cores_per_replica, self.nodes_per_replica)
        if fault is ParameterFault.MAX_BELOW_MIN:
            problem = tr("the maximum ({most}) is below the minimum ({least})", most=self.max, least=max(self.min, 1))
            raise Misfit(("max",), problem, tr("raise it to {least} or lower the minimum", least=max(self.min, 1)))
        if fault is ParameterFault.NO_RATIO:
            problem = tr("without coresPerReplica and nodesPerReplica there is nothing to follow")
            raise Misfit(("cores_per_replica",), problem, tr("give one of them, for example 4"))
        for name in ("cores_per_replica", "nodes_per_replica"):
            if 0 < getattr(self, name) < _LEAST_RATIO:
                problem = tr(
                    "{value:g} means more than {most:g} replicas for each one",
                    value=getattr(self, name),
                    most=1 / _LEAST_RATIO,
                )
                raise Misfit((name,), problem, tr("give {least:g} or more, or 0 for none", least=_LEAST_RATIO))
        return self


class LadderStep(PlanModel):
    """A number of replicas from a threshold on."""

    threshold: int = required("From", "Number of cores or nodes at which the step begins.", ge=0, le=10_000_000)
    replicas: int = required("Replicas", "Replicas of the step.", unit="pods", ge=0, le=_MAX)


class LadderMode(PlanModel):
    """Replicas in steps of cores and nodes; the larger number counts. Below the first step the first step applies."""

    type: Literal["ladder"]
    cores_to_replicas: tuple[LadderStep, ...] = setting((), "Steps of cores", "Replicas by cores.", max_length=1_000)
    nodes_to_replicas: tuple[LadderStep, ...] = setting((), "Steps of nodes", "Replicas by nodes.", max_length=1_000)
    include_unschedulable_nodes: bool = setting(
        False, "Count unschedulable nodes", "Nodes that are cordoned or not ready also count."
    )


ProportionalMode = Annotated[LinearMode | LadderMode, Field(discriminator="type")]
"""How the number of replicas follows from the size of the cluster."""


class ClusterProportionalAutoscaler(PlanModel):
    """Keeps the replicas of workloads or reserves in proportion to the cluster."""

    name: Name = required("Name", "Name of the autoscaler.")
    targets: tuple[Name, ...] = required(
        "Targets", "Workloads or reserves; all get the same number.", min_length=1, max_length=100
    )
    poll_period: DurationUs = setting(
        "10s", "Poll period", "Time between two polls, the first at the start.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    node_labels: Labels = Field(
        default_factory=dict,
        title="Node labels",
        description="Only nodes with these labels count; empty means all.",
        json_schema_extra={"unit": ""},
    )
    mode: ProportionalMode = required("Mode", "Linear or ladder.")
