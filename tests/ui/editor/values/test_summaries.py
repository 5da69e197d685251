from planner.plan.model.karpenter.node_pools import PoolRequirement
from ui.editor.values.summaries import model_summary


def test_a_folded_requirement_tells_its_values():
    rule = PoolRequirement(key="karpenter.sh/capacity-type", operator="In", values=("spot", "on-demand"))
    assert model_summary(rule) == "karpenter.sh/capacity-type · In · spot, on-demand"
    rule = PoolRequirement(key="zone", operator="In", values=tuple("abcdefghij"))
    assert model_summary(rule) == "zone · In · a, b, c, d, e, f, g, h, … (10)"
