"""Expanders: each filter, their chain, and the names a plan may use."""

import math

import pytest
from pydantic import ValidationError

from planner.autoscaler.expander.chain import choose_option
from planner.autoscaler.expander.least_nodes import LeastNodes
from planner.autoscaler.expander.least_waste import LeastWaste
from planner.autoscaler.expander.most_pods import MostPods
from planner.autoscaler.expander.option import ExpanderContext, ExpansionOption, GroupLots, PodPrices
from planner.autoscaler.expander.price import Price, node_unfitness, preferred_cpu_milli
from planner.autoscaler.expander.priority import Priority
from planner.autoscaler.expander.random import Random
from planner.autoscaler.expander.registry import EXPANDERS
from planner.engine.draws import Draws
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier

GIB = 1 << 30


def an_option(group_id: str = "a", **changes: object) -> ExpansionOption:
    values = {
        "group": 0,
        "group_id": group_id,
        "node_count": 1,
        "pod_count": 2,
        "requested_cpu_milli": 3_000,
        "requested_memory_bytes": 12 * GIB,
        "capacity_cpu_milli": 4_000,
        "capacity_memory_bytes": 16 * GIB,
        "node_price": 0.2,
    }
    return ExpansionOption(**(values | changes))


def test_every_expander_the_plan_may_name_can_be_built() -> None:
    assert set(EXPANDERS) == set(ExpanderName)
    for name, make in EXPANDERS.items():
        assert make(ExpanderContext()).name is name


def test_least_waste_keeps_every_option_that_ties() -> None:
    one = an_option("one")
    two = an_option("two", node_count=2, requested_cpu_milli=6_000, requested_memory_bytes=24 * GIB)
    half_empty = an_option("half", node_count=2)
    assert LeastWaste().best_options([half_empty, one, two]) == [one, two]


def test_least_waste_adds_the_shares_of_both_resources() -> None:
    assert LeastWaste().figure(an_option()) == 0.5


def test_least_waste_drops_a_group_without_template() -> None:
    assert LeastWaste().best_options([an_option(has_template=False)]) == []


def test_least_waste_prefers_existing_room_over_new_nodes() -> None:
    free, new = an_option("free", node_count=0), an_option("new")
    assert LeastWaste().figure(free) == -math.inf
    assert LeastWaste().best_options([new, free]) == [free]


def test_most_pods_keeps_ties() -> None:
    options = [an_option("a", pod_count=3), an_option("b", pod_count=5), an_option("c", pod_count=5)]
    assert MostPods().best_options(options) == options[1:]


def test_least_nodes_ignores_options_that_add_none() -> None:
    options = [an_option("a", node_count=0), an_option("b", node_count=2), an_option("c", node_count=3)]
    assert LeastNodes().best_options(options) == [options[1]]


def tiers(*pairs: tuple[int, list[str]]) -> list[PriorityTier]:
    return [PriorityTier(priority=priority, groups=tuple(groups)) for priority, groups in pairs]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param(tiers((10, ["spot"]), (50, ["^big"])), ["big"], id="the highest priority wins"),
        pytest.param(tiers((10, ["spot"])), ["spot-a", "spot-b"], id="unmatched groups lose"),
        pytest.param(tiers((10, ["nothing"])), ["big", "spot-a", "spot-b"], id="no match filters nothing"),
        pytest.param(tiers((-2, ["spot"])), ["big", "spot-a", "spot-b"], id="below minus one cannot win"),
        pytest.param(tiers((-1, ["spot"])), ["spot-a", "spot-b"], id="minus one can win"),
        pytest.param([], ["big", "spot-a", "spot-b"], id="no configuration filters nothing"),
    ],
)
def test_priority(given: list[PriorityTier], kept: list[str]) -> None:
    options = [an_option(name) for name in ("big", "spot-a", "spot-b")]
    assert [option.group_id for option in Priority(given).best_options(options)] == kept


def test_price_prefers_the_cheaper_of_two_equal_nodes() -> None:
    cheap, dear = an_option("cheap", node_price=0.1), an_option("dear", node_price=0.2)
    assert Price(3, PodPrices()).best_options([dear, cheap]) == [cheap]


def test_price_skips_options_of_unknown_price() -> None:
    assert Price(3, PodPrices()).best_options([an_option(node_price=None)]) == []


def test_price_doubles_the_score_of_a_group_that_does_not_exist() -> None:
    price = Price(3, PodPrices())
    there, new = price.figure(an_option()), price.figure(an_option(exists=False))
    assert there is not None and new == 2 * there


@pytest.mark.parametrize(
    ("nodes", "cores"), [(0, 1), (2, 1), (3, 2), (6, 2), (20, 4), (21, 8), (60, 8), (200, 16), (201, 32)]
)
def test_preferred_size_grows_with_the_cluster(nodes: int, cores: int) -> None:
    assert preferred_cpu_milli(nodes) == cores * 1000


def test_unfitness_is_the_factor_between_the_sizes() -> None:
    assert node_unfitness(4_000, 1_000) == node_unfitness(1_000, 4_000) == 4.0


def test_where_nothing_is_drawn_the_first_name_wins() -> None:
    options = [an_option("a"), an_option("b")]
    assert Random(None).best_options(options) == [options[0]]


def picked_at(now_us: int, *names: str) -> str:
    options = [an_option(name) for name in names]
    return Random(GroupLots(Draws(1).of("expander"), now_us)).best_options(options)[0].group_id


def test_chance_reaches_every_option() -> None:
    picks = [picked_at(second * 10_000_000, "a", "b") for second in range(50)]
    assert sorted(dict.fromkeys(picks)) == ["a", "b"]


def test_a_group_more_is_picked_or_changes_nothing() -> None:
    for second in range(50):
        now_us = second * 10_000_000
        assert picked_at(now_us, "new", "a", "b") in ("new", picked_at(now_us, "b", "a"))


def test_the_chain_narrows_step_by_step_and_keeps_the_figures() -> None:
    options = [an_option("a", pod_count=5, node_count=2), an_option("b", pod_count=5), an_option("c", pod_count=1)]
    choice = choose_option([ExpanderName.MOST_PODS, ExpanderName.LEAST_NODES], options, ExpanderContext())
    assert choice.chosen == options[1]
    assert [step.figures for step in choice.steps] == [(5.0, 5.0, 1.0), (2.0, 1.0)]


def test_the_chain_stops_when_one_option_is_left() -> None:
    unpriced = an_option("a", pod_count=5, node_price=None)
    names = [ExpanderName.MOST_PODS, ExpanderName.PRICE]
    assert choose_option(names, [unpriced, an_option("b", pod_count=1)], ExpanderContext()).chosen == unpriced


def test_the_chain_may_drop_every_option() -> None:
    choice = choose_option([ExpanderName.PRICE], [an_option(node_price=None)], ExpanderContext())
    assert choice.chosen is None and choice.finalists == ()


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["least-waste", "least-waste"], id="repeated"),
        pytest.param(["random", "price"], id="after random"),
        pytest.param([], id="none"),
        pytest.param(["best"], id="unknown"),
    ],
)
def test_useless_chains_are_refused(names: list[str]) -> None:
    with pytest.raises(ValidationError):
        ClusterAutoscalerSettings.model_validate({"expander": names})
