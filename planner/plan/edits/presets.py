"""Presets: named edits of a plan that set several settings at once. Each gives a new plan; undo gives back the old."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.plan.edits.autoscaler_presets import CURRENT, OLDER, with_autoscaler_preset
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.model.plan import Plan


@dataclass(frozen=True)
class Preset:
    """One named edit."""

    name: str
    """As the command line spells it."""
    title: str
    description: str
    apply: Callable[[Plan], Plan]


def _by_name(*presets: Preset) -> Mapping[str, Preset]:
    return MappingProxyType({preset.name: preset for preset in presets})


PRESETS = _by_name(
    Preset(
        "autoscaler-1.36",
        "Cluster Autoscaler defaults of 1.36",
        "The settings of the Cluster Autoscaler whose defaults have changed get those of version 1.36.",
        lambda plan: with_autoscaler_preset(plan, CURRENT),
    ),
    Preset(
        "autoscaler-older",
        "Older Cluster Autoscaler defaults",
        "The same settings get the defaults of the versions before (up to 1.32 to 1.34), as many guides describe them.",
        lambda plan: with_autoscaler_preset(plan, OLDER),
    ),
    Preset(
        "reference-timing",
        "Reference timing",
        "As in the recorded runs of the real control plane: delays without spread, load without noise, no contention "
        "for CPU, ties by name, pods that start up from the beginning, a load step of a minute.",
        with_reference_timing,
    ),
)
"""All presets by name, in the order of lists."""
