"""Config maps: those that the priority expander and proportional autoscalers read."""

from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.kube.autoscalers.proportional_parameters import MODES
from planner.kube.draft.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.manifest import name_of, namespace_of
from planner.language.translation import marked, tr

KIND, GROUPS = "ConfigMap", ("",)
PRIORITIES = "cluster-autoscaler-priority-expander"
REASON = marked("configuration of programs is not simulated")


def read(manifest: Field, draft: Draft) -> None:
    """Tiers of the priority expander, parameters of proportional autoscalers; all other maps are left out."""
    if any(manifest.at("data").map().get(mode) for mode in MODES):
        draft.config_maps[namespace_of(manifest), name_of(manifest)] = manifest
        manifest.raw()
        return
    if name_of(manifest) != PRIORITIES:
        manifest.raw()
        draft.losses.add(KIND, "", tr(REASON))
        return
    text = manifest.at("data", "priorities").required_text()
    found = parse_priority_config(text)
    tiers: list[Part] = [{"priority": tier.priority, "groups": list(tier.groups)} for tier in found]
    draft.add("priorityTiers", manifest.source, {"tiers": tiers})
