"""Flags of the HPA controller as the rules read them."""

from dataclasses import dataclass

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.units import US_PER_S


@dataclass(frozen=True, slots=True)
class HpaSettings:
    """Flags and feature gates shared by all autoscalers (defaults of Kubernetes 1.36)."""

    tolerance: float = 0.1
    downscale_stabilization_us: int = 300 * US_PER_S
    cpu_initialization_us: int = 300 * US_PER_S
    initial_readiness_us: int = 30 * US_PER_S
    configurable_tolerance: bool = True
    """Gate HPAConfigurableTolerance: off, the tolerances of `behavior` are ignored."""
    scale_to_zero: bool = False
    """Gate HPAScaleToZero."""
    pod_level_resources: bool = True
    """Gate PodLevelResources."""

    @classmethod
    def from_plan(cls, settings: HpaControllerSettings) -> "HpaSettings":
        """The flags and gates a plan gives."""
        return cls(
            tolerance=settings.tolerance,
            downscale_stabilization_us=settings.downscale_stabilization,
            cpu_initialization_us=settings.cpu_initialization_period,
            initial_readiness_us=settings.initial_readiness_delay,
            configurable_tolerance=settings.configurable_tolerance,
            scale_to_zero=settings.scale_to_zero,
            pod_level_resources=settings.pod_level_resources,
        )
