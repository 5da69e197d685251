"""Fields without effect in a plan are not shown."""

import pytest

from planner.plan.derived.idle_fields import is_idle
from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import NodeAutoscaler
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, pool

ANY = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
SPOT = [machine("small", 2, 0.1, ("on-demand", "spot"))]
K = "karpenter"
FIRST = (K, "node_pools", 0)


@pytest.mark.parametrize(
    ("plan", "path", "is_hidden"),
    [
        (karpenter_plan(), (K, "spot_allocation"), True),
        (karpenter_plan(machines=SPOT), (K, "spot_allocation"), False),
        (karpenter_plan(machines=SPOT), (*FIRST, "spot_reclaims_per_hour"), True),
        (karpenter_plan([pool(requirements=[ANY])], SPOT), (*FIRST, "spot_reclaims_per_hour"), False),
        (karpenter_plan([pool(requirements=[ANY])]), (*FIRST, "requirements", 0, "values"), True),
        (karpenter_plan(), (*FIRST, "requirements", 0, "values"), False),
        (karpenter_plan(), (K, "min_values_policy"), True),
        (karpenter_plan(), (K, "capacity_buffers"), True),
        (karpenter_plan(), (K, "preference_policy"), False),
        (karpenter_plan(nodeAutoscaler="clusterAutoscaler"), (K, "preference_policy"), True),
        (karpenter_plan(), ("cluster_autoscaler", "expander"), False),
        (karpenter_plan(nodeAutoscaler="karpenter"), ("cluster_autoscaler", "expander"), True),
        (karpenter_plan(machines=SPOT), (K, "instance_types", 0, "offerings", 1, "capacity_score"), True),
        (karpenter_plan(machines=SPOT, karpenter={"spotAllocation": "priceCapacityOptimized"}),
         (K, "instance_types", 0, "offerings", 1, "capacity_score"), False),
    ],
)  # fmt: skip
def test_a_field_is_idle_where_the_rest_of_the_plan_says_so(plan, path, is_hidden):
    assert is_idle(plan, path) is is_hidden


def test_the_form_hides_an_idle_field_until_it_has_an_effect_or_is_set(editor, document):
    document.apply(replace_at(document.plan, ("node_autoscaler",), NodeAutoscaler.KARPENTER), "choose")
    editor.show_place("cluster_autoscaler")
    fields = editor.form.page.body.editors
    assert fields["enabled"].isVisibleTo(editor) and not fields["scan_interval"].isVisibleTo(editor)
    document.apply(replace_at(document.plan, ("cluster_autoscaler", "scan_interval"), 20_000_000), "set")
    assert fields["scan_interval"].isVisibleTo(editor) and not fields["expander"].isVisibleTo(editor)
    document.apply(replace_at(document.plan, ("node_autoscaler",), NodeAutoscaler.BY_POOL), "choose")
    assert fields["expander"].isVisibleTo(editor)
