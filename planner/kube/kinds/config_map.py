"""Config maps: only the one that the priority expander reads."""

from planner.kube.draft import Draft, Part
from planner.kube.files.field import Field
from planner.kube.manifest import name_of
from planner.kube.priority_config import parse_priority_config

KIND, GROUPS = "ConfigMap", ("",)
PRIORITIES = "cluster-autoscaler-priority-expander"
REASON = "configuration of programs is not simulated"


def read(manifest: Field, draft: Draft) -> None:
    """The tiers of the priority expander; all other maps are left out."""
    if name_of(manifest) != PRIORITIES:
        manifest.raw()
        draft.losses.add(KIND, "", REASON)
        return
    text = manifest.at("data", "priorities").required_text()
    found = parse_priority_config(text)
    tiers: list[Part] = [{"priority": tier.priority, "groups": list(tier.groups)} for tier in found]
    draft.add("priorityTiers", manifest.source, {"tiers": tiers})
