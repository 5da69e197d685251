"""A colour belongs to the thing, not to its place."""

from ui.plots.curves.curves import Subjects
from ui.theme.theme import DARK, LIGHT
from ui.theme.thing_colors import COLOR_COUNT, ThingColors

NAMES = ("web", "api", "checkout", "search", "batch", "agents")


def test_names_that_are_shown_together_differ_as_long_as_there_are_colours():
    assert len(set(ThingColors().of(NAMES).values())) == len(NAMES)
    assert len(LIGHT.series) == len(DARK.series) == COLOR_COUNT


def test_neither_the_order_nor_another_name_changes_a_colour():
    colors = ThingColors()
    first = colors.of(NAMES)
    assert ThingColors().of(reversed(NAMES)) == first
    later = colors.of(("new", *reversed(NAMES[1:])))
    assert {name: later[name] for name in NAMES[1:]} == {name: first[name] for name in NAMES[1:]}


def test_many_names_share_the_colours_evenly():
    found = list(ThingColors().of(f"service-{number}" for number in range(4 * COLOR_COUNT)).values())
    assert {found.count(index) for index in range(COLOR_COUNT)} == {4}


def test_moving_a_workload_in_the_plan_leaves_the_colours_of_the_plots():
    before = Subjects([f"replicas_desired_count[{name}]" for name in NAMES])
    after = Subjects([f"replicas_desired_count[{name}]" for name in reversed(NAMES)])
    assert [after.workload_color(name) for name in NAMES] == [before.workload_color(name) for name in NAMES]
