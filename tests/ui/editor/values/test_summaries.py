import pytest

from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.karpenter.node_pools import PoolRequirement
from tests.builders import a_plan
from ui.editor.values.summaries import model_summary, scaled_job_summary, scaled_object_summary, vertical_summary

BY_MAILS = {"triggers": [{"type": "series", "series": "mails", "target": "5"}]}


def test_a_folded_requirement_tells_its_values():
    rule = PoolRequirement(key="karpenter.sh/capacity-type", operator="In", values=("spot", "on-demand"))
    assert model_summary(rule) == "karpenter.sh/capacity-type · In · spot, on-demand"
    rule = PoolRequirement(key="zone", operator="In", values=tuple("abcdefghij"))
    assert model_summary(rule) == "zone · In · a, b, c, d, e, f, g, h, … (10)"


@pytest.mark.parametrize(("summary", "model", "row", "text"), [
    (scaled_object_summary, ScaledObject, BY_MAILS | {"scaleTarget": "mailer", "maxReplicas": 9}, "mailer · 0–9"),
    (scaled_job_summary, ScaledJob, BY_MAILS | {"jobTarget": "encode"}, "encode · 0–100"),
    (vertical_summary, VerticalPodAutoscaler, {"target": "web"}, "web · Recreate"),
])  # fmt: skip
def test_autoscalers_tell_what_they_scale_and_how_far(summary, model, row, text):
    assert summary(model.model_validate({"name": "one"} | row), a_plan()) == text
