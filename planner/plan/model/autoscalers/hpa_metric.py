"""Metrics of a planned horizontal pod autoscaler: five sources, three kinds of target (autoscaling/v2)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import model_validator

from planner.language.translation import tr
from planner.plan.values.fields import INT32_MAX, MilliAmount, Misfit, PlanModel, setting


class ResourceName(StrEnum):
    """Resources whose use the kubelet measures."""

    CPU = "cpu"
    MEMORY = "memory"


class MetricSource(StrEnum):
    """Where a metric comes from."""

    RESOURCE = "Resource"
    CONTAINER_RESOURCE = "ContainerResource"
    PODS = "Pods"
    OBJECT = "Object"
    EXTERNAL = "External"


class TargetType(StrEnum):
    """What the target number of a metric means."""

    UTILIZATION = "Utilization"
    """Percent of the requests, averaged over the pods."""
    VALUE = "Value"
    """The metric itself."""
    AVERAGE_VALUE = "AverageValue"
    """The metric per pod."""


RESOURCE_SOURCES = (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE)
SERIES_SOURCES = (MetricSource.PODS, MetricSource.OBJECT, MetricSource.EXTERNAL)
ALLOWED_TARGETS: Mapping[MetricSource, tuple[TargetType, ...]] = MappingProxyType(
    {
        MetricSource.RESOURCE: (TargetType.UTILIZATION, TargetType.AVERAGE_VALUE),
        MetricSource.CONTAINER_RESOURCE: (TargetType.UTILIZATION, TargetType.AVERAGE_VALUE),
        MetricSource.PODS: (TargetType.AVERAGE_VALUE,),
        MetricSource.OBJECT: (TargetType.VALUE, TargetType.AVERAGE_VALUE),
        MetricSource.EXTERNAL: (TargetType.VALUE, TargetType.AVERAGE_VALUE),
    }
)
"""Target types that the API server accepts for a source."""
_TARGET_FIELDS = (
    (TargetType.UTILIZATION, "average_utilization", "averageUtilization", "60"),
    (TargetType.AVERAGE_VALUE, "average_value", "averageValue", '"300m"'),
    (TargetType.VALUE, "value", "value", '"100"'),
)


class HpaMetric(PlanModel):
    """A metric that an autoscaler follows, and its target."""

    type: MetricSource = setting(
        MetricSource.RESOURCE,
        "Source",
        "Resource or ContainerResource: use of the pods; Pods, Object or External: a metric series of the plan.",
    )
    resource: ResourceName = setting(
        ResourceName.CPU, "Resource", "The resource that is measured, for Resource and ContainerResource."
    )
    container: str = setting("", "Container", "Name of the container, for ContainerResource.", max_length=63)
    metric: str = setting(
        "", "Metric", "Name of a metric series of the plan, for Pods, Object and External.", max_length=200
    )
    described_kind: str = setting(
        "Service",
        "Kind of the object",
        "Kind of the object that an Object metric describes, shown in events.",
        max_length=63,
    )
    target_type: TargetType = setting(
        TargetType.UTILIZATION,
        "Target type",
        "Utilization: percent of the requests; AverageValue: amount per pod; Value: total value of the metric.",
    )
    average_utilization: int | None = setting(
        None, "Average utilization", "Target average use, in percent of the requests.", unit="%", ge=1, le=INT32_MAX
    )
    average_value: MilliAmount | None = setting(
        None, "Average value", "Target amount per pod: CPU, memory, or units of the metric."
    )
    value: MilliAmount | None = setting(None, "Value", "Target for the total value of the metric.")

    @model_validator(mode="after")
    def _names_its_source(self) -> Self:
        if self.type is MetricSource.CONTAINER_RESOURCE and not self.container:
            raise Misfit(
                ("container",), tr("a metric of type ContainerResource needs a container"), tr("name one of the pod")
            )
        if self.type is not MetricSource.CONTAINER_RESOURCE and self.container:
            remedy = tr("remove it, or set type to ContainerResource")
            raise Misfit(("container",), tr("a metric of type {type} takes no container", type=self.type), remedy)
        if self.type in SERIES_SOURCES and not self.metric:
            problem = tr("a metric of type {type} needs the name of a metric series", type=self.type)
            raise Misfit(("metric",), problem, tr("name one of metricSeries"))
        if self.type in RESOURCE_SOURCES and self.metric:
            remedy = tr("remove it, or set type to Pods, Object or External")
            raise Misfit(("metric",), tr("a metric of type {type} takes no series", type=self.type), remedy)
        return self

    @model_validator(mode="after")
    def _has_its_target(self) -> Self:
        allowed = ALLOWED_TARGETS[self.type]
        if self.target_type not in allowed:
            names = " or ".join(kind.value for kind in allowed)
            problem = tr(
                "a metric of type {type} has no target of type {target}",
                type=self.type,
                target=self.target_type,
            )
            raise Misfit(("target_type",), problem, tr("use {wanted}", wanted=names))
        wanted = next(name for kind, _, name, _ in _TARGET_FIELDS if kind is self.target_type)
        for kind, attribute, name, example in _TARGET_FIELDS:
            given = getattr(self, attribute)
            if kind is self.target_type:
                if not given:
                    problem = tr("a target of type {kind} needs {name} above 0", kind=kind, name=name)
                    raise Misfit((attribute,), problem, tr("write for example {example}", example=example))
            elif given is not None:
                remedy = tr("remove it, or set targetType to {kind} and remove {wanted}", kind=kind, wanted=wanted)
                raise Misfit(
                    (attribute,),
                    tr("a target of type {kind} takes no {name}", kind=self.target_type, name=name),
                    remedy,
                )
        return self

    @property
    def target(self) -> int:
        """The target as the rules read it: percent, or milli-units."""
        chosen = {
            TargetType.UTILIZATION: self.average_utilization,
            TargetType.AVERAGE_VALUE: self.average_value,
            TargetType.VALUE: self.value,
        }[self.target_type]
        assert chosen is not None  # the model checks that the target of the type is given
        return chosen
