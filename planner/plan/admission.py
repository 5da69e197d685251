"""Optional admission plugins of the API server, off by default (spec/cluster-model.md section 2)."""

from planner.plan.fields import PlanModel, setting


class AdmissionSettings(PlanModel):
    """What the API server adds to pods."""

    extended_resource_toleration: bool = setting(
        False, "ExtendedResourceToleration",
        "Pods that ask for an extended resource tolerate taints with its name as key; usual for GPU pools.",
    )  # fmt: skip
