"""Classes that pods are of: how urgent they are, and how they are run."""

from enum import StrEnum

from planner.plan.model.pods.containers import Resources
from planner.plan.values.fields import INT32_MAX, Name, PlanModel, required, setting

MAX_USER_PRIORITY = 1_000_000_000


class PreemptionPolicy(StrEnum):
    """Whether pods of a class may evict others to get room."""

    PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
    NEVER = "Never"


class PriorityClass(PlanModel):
    """A named pod priority."""

    name: Name = required("Name", "Name of the class; names beginning with system- are reserved.")
    value: int = required(
        "Value", "Pods of higher priority go first and may preempt lower ones.", ge=-INT32_MAX - 1, le=MAX_USER_PRIORITY
    )
    global_default: bool = setting(
        False, "Default", "Used by pods without a class; at most one class can be the default."
    )
    preemption_policy: PreemptionPolicy = setting(
        PreemptionPolicy.PREEMPT_LOWER_PRIORITY,
        "Preemption",
        "Never: goes ahead of lower ones but does not preempt them.",
    )


class RuntimeClass(PlanModel):
    """Overhead of running pods in a certain way, for example each in a virtual machine."""

    name: Name = required("Name", "Name of the runtime class.")
    overhead: Resources = setting(
        Resources(), "Overhead", "CPU and memory that every pod of the class needs in addition."
    )
