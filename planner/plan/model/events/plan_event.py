"""Events and faults that happen to the cluster during a run.

Every event happens once at its time, or from its time on at random moments or by a calendar.
"""

from typing import Annotated

from pydantic import Field

from planner.plan.model.events.on_control_plane import ControllerRestart, MetricsOutage
from planner.plan.model.events.on_nodes import (
    AnnotateScaleDown,
    CordonNodes,
    DrainNodes,
    NodeClassChange,
    NodeLoss,
    NodeUpgrade,
    SpotReclaim,
    TaintNodes,
    ZoneOutage,
)
from planner.plan.model.events.on_pools import ProvisioningFailure, ResizePool, SlowProvisioning, StockOut
from planner.plan.model.events.on_workloads import (
    CreateWorkload,
    DeletePods,
    DeleteWorkload,
    ImagePullDelay,
    ReadinessFlap,
    Rollout,
    SetReplicas,
)
from planner.plan.model.events.plan_change import PlanChangeEvent

PlanEvent = Annotated[
    NodeLoss
    | ZoneOutage
    | SpotReclaim
    | StockOut
    | SlowProvisioning
    | ProvisioningFailure
    | ImagePullDelay
    | MetricsOutage
    | DrainNodes
    | CordonNodes
    | AnnotateScaleDown
    | NodeUpgrade
    | NodeClassChange
    | TaintNodes
    | Rollout
    | CreateWorkload
    | DeleteWorkload
    | ReadinessFlap
    | DeletePods
    | ControllerRestart
    | ResizePool
    | SetReplicas
    | PlanChangeEvent,
    Field(discriminator="type"),
]
"""Something that happens to the cluster."""
