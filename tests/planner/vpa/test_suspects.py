"""The quick look at all autoscalers leaves out none that the updater would act on."""

import numpy as np
import pytest

from planner.plan.model.autoscalers.vertical_pod_autoscaler import ContainerResourcePolicy
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.vpa.controller.suspects import Suspects
from tests.planner.simulation.scaling.test_vertical_pod_autoscaler import sized_plan


@pytest.mark.parametrize("replicas", [2, 5])
@pytest.mark.parametrize("policies", [(), (ContainerResourcePolicy(controlled_values="RequestsOnly"),)])
@pytest.mark.parametrize("age", ["1d", "1m"])
def test_a_close_look_at_all_autoscalers_decides_the_same(replicas, policies, age, monkeypatch):
    plan = sized_plan(replicas=replicas, vpa={"container_policies": policies})
    plan = plan.model_copy(update={"simulation": plan.simulation.model_copy(update={"initial_pod_age": _us(age)})})

    def evictions() -> list[tuple[int, str]]:
        chosen = [one for one in run_plan(plan).decisions if (one.actor, one.verdict) == (Actor.VPA, Verdict.EVICTED)]
        return [(one.time_us, one.subject) for one in chosen]

    quick = evictions()
    monkeypatch.setattr(Suspects, "find", lambda self, latest, now_us, pods: np.ones(len(self._vpas), np.bool_))
    assert evictions() == quick


def _us(age: str) -> int:
    return {"1d": 86_400_000_000, "1m": 60_000_000}[age]
