"""The table of flags is complete, and presets set what they say."""

from pathlib import Path

import pytest

from planner.plan.derived.kubernetes.autoscaler_flags import FLAGS, Treatment, settings_of
from planner.plan.edits.autoscaler_presets import AUTOSCALER_PRESETS, CURRENT, OLDER, with_autoscaler_preset
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName
from tests.builders import a_plan

SCOPE = Path(__file__).parents[3] / "SCOPE.md"
NOT_FLAGS = (
    "enabled",
    "loop_duration",
    "phase",
    "reuse_simulations",
    "deterministic_ties",
    "priority_expander",
    "pod_core_price_per_hour",
    "pod_gib_price_per_hour",
    "gpu_label",
)
"""Settings of a plan that are no flags: a config map, the cloud's prices and labels, the simulated loop itself."""


def test_every_setting_is_a_known_flag_or_named_as_none() -> None:
    modelled = {name for flag, how in FLAGS.items() if how is Treatment.MODELLED for name in settings_of(flag)}
    assert modelled | set(NOT_FLAGS) == set(ClusterAutoscalerSettings.model_fields)
    assert not modelled & set(NOT_FLAGS)


def test_the_scope_page_covers_every_flag() -> None:
    rows = ["| treatment | flags |", "|---|---|"]
    for treatment in Treatment:
        flags = sorted(flag for flag, found in FLAGS.items() if found is treatment)
        rows.append(f"| {treatment} | {', '.join(f'`{flag}`' for flag in flags)} |")
    assert "\n".join(rows) + "\n" in SCOPE.read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", list(AUTOSCALER_PRESETS))
def test_a_preset_leaves_other_settings_alone(preset: str) -> None:
    given = {"scanInterval": "20s", "frequentLoopsEnabled": False}
    settings = ClusterAutoscalerSettings.model_validate(given)
    changed = with_autoscaler_preset(a_plan(cluster_autoscaler=settings), preset).cluster_autoscaler
    assert changed.scan_interval == settings.scan_interval
    assert changed.frequent_loops_enabled is (preset == CURRENT)


def test_the_older_defaults_can_be_taken_back() -> None:
    older = with_autoscaler_preset(a_plan(), OLDER)
    assert older.cluster_autoscaler.expander == (ExpanderName.RANDOM,)
    assert not older.cluster_autoscaler.cordon_node_before_terminating
    assert with_autoscaler_preset(older, CURRENT).cluster_autoscaler == ClusterAutoscalerSettings()


def test_a_preset_that_changes_nothing_gives_the_same_plan() -> None:
    plan = a_plan()
    assert with_autoscaler_preset(plan, CURRENT) is plan
