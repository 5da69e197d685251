"""Spaces of plans: what their ranges stand for."""

import pytest

from planner.errors import PlanProblem
from planner.experiments.variants.space import plans_at, space_of
from planner.plan.edits.machine_catalogue import machine_catalogue
from tests.planner.experiments.small_plans import a_small_plan

PLAN = a_small_plan()


@pytest.mark.parametrize(("text", "levels"), [
    ("nodeGroups[pool].maxSize = 10..20:5", ("10", "15", "20")),
    ("nodeGroups[pool].provisioningDelay = 90s..3m:45s", ("1m30s", "2m15s", "3m")),
    ("load = 1, 1.5", ("1", "1.5")),
    ("machine[pool] = m5.xlarge, M5.large", ("m5.xlarge", "m5.large")),
    ("machine[pool] = m5.?large", ("m5.xlarge",)),
])  # fmt: skip
def test_a_range_stands_for_its_values(text, levels):
    assert space_of(PLAN, [text]).parameters[0].levels == levels


@pytest.mark.parametrize(("text", "share", "value"), [
    ("nodeGroups[pool].provisioningDelay = 60s..10m", 0.4347592, "4m54.8s"),
    ("nodeGroups[pool].provisioningDelay = 10m..20h", 0.4347592, "8h47m20s"),
    ("nodeGroups[pool].provisioningDelay = 100ms..200ms", 0.4347592, "143.5ms"),
    ("nodeGroups[pool].memory = 8Gi..64Gi", 0.4347592, "33120Mi"),
    ("nodeGroups[pool].cpu = 2..16", 0.4347592, "8090m"),
    ("nodeGroups[pool].cpu = 2001m..16", 1.0, "16"),
    ("nodeGroups[pool].cpu = 2001m..16", 0.0, "2001m"),
])  # fmt: skip
def test_a_sampled_quantity_is_as_short_as_its_range_allows(text, share, value):
    assert space_of(PLAN, [text]).parameters[0].at(share) == value


def test_a_pattern_stands_for_all_machines_of_that_name():
    levels = space_of(PLAN, ["machine[pool] = c5.*, m5.large"]).parameters[0].levels
    assert levels[-1] == "m5.large" and len(levels) > 3
    assert all(name.startswith("c5.") for name in levels[:-1])


@pytest.mark.parametrize(("text", "message"), [
    ("machine[pol] = m5.*", r"Did you mean machine\[pool\]"),
    ("machine[pool] = m7.lagre", "Did you mean m7"),
    ("machine[pool] = zz.*", "No machine of the catalogue is called zz"),
    ("machine[pool] = m5.large..m5.xlarge", "no order"),
    ("nodeGroups[pool].maxSize = 5..1:1", "is empty"),
    ("nodeGroups[pool].maxSize = 1..1000000:1", "more than 100,000 values"),
    ("load = 1..5:0", "is not above 0"),
    ("nodeGroups[pol].maxSize = 1..5:1", r"Did you mean nodeGroups\[pool\]"),
])  # fmt: skip
def test_a_range_that_does_not_fit_is_refused_with_its_cure(text, message):
    with pytest.raises(PlanProblem, match=message):
        space_of(PLAN, [text])


def test_plans_of_a_space_of_machines_have_their_size_and_price():
    space = space_of(PLAN, ["machine[pool] = m5.large, m5.xlarge"])
    points, plans = plans_at(PLAN, space, space.grid())
    pools = [one.plan.node_groups[0] for one in plans.ready]
    known = [machine_catalogue().named(name) for (name,) in points]
    assert [(pool.cpu, pool.node_price) for pool in pools] == [(one.cpu, one.price_per_hour) for one in known]
    assert plans.ready[0].name == "machine[pool] = m5.large"


def test_a_cancelled_space_keeps_the_plans_that_it_has():
    space, asked = space_of(PLAN, ["load = 1..100:1"]), []
    points, plans = plans_at(PLAN, space, space.grid(), lambda: bool(asked.append(1)) or len(asked) > 3)
    assert len(points) == len(plans.ready) == 3
    assert plans_at(PLAN, space, space.grid(), lambda: True)[0] == ()
