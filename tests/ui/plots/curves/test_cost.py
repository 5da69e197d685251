"""The plot of the cost: rates, sums, the budget and where it all goes."""

import numpy as np
import pytest

from planner.plan.edits.edit import replace_at
from tests.ui.plots.made_runs import HOUR_S, STEP_S, begun_run, feed
from ui.plots.catalogue import PLOTS
from ui.plots.curves.curve_data import CurveData
from ui.plots.curves.curves import CurveChoice, Subjects, curves_of
from ui.plots.panel.export import table_of
from ui.runs.run_data import RunState

PLOT = next(plot for plot in PLOTS if plot.name == "cost")
PER_HOUR, SO_FAR = PLOT.views


def a_costly_run(budget=0.0):
    run = begun_run()
    run.plan = replace_at(run.plan, ("costs", "budget_per_month"), budget)
    return run


def total_of(run):
    curve = curves_of(SO_FAR, Subjects(run.names), CurveChoice())[-1]
    assert curve.key == "cost_rate_currency_per_h"
    return CurveData(curve, run)


def test_a_sum_of_rates_does_not_depend_on_how_they_arrive():
    run, parts = begun_run(), begun_run()
    feed(run, HOUR_S)
    whole, pieces = total_of(run), total_of(parts)
    whole.catch_up()
    for until_s in (15, 30, 600, 615, HOUR_S):
        feed(parts, until_s)
        pieces.catch_up()
    rate = run.series("cost_rate_currency_per_h")
    expected = np.concatenate([[0.0], np.cumsum(rate[:-1]) * STEP_S / 3600])
    assert whole.own_values() == pytest.approx(expected)
    assert pieces.value_at(None) == pytest.approx(expected[-1])
    assert pieces.value_at(900.0) == pytest.approx(expected[60])
    assert pieces._sum == pytest.approx(whole._sum) == pytest.approx(expected[-1])


def test_the_budget_is_drawn_and_labelled(panel, session):
    run = a_costly_run(budget=20_000.0)  # 27.40 an hour
    feed(run, HOUR_S)
    session.add(run)
    panel.tools.show_plots(frozenset({"cost"}))
    row = panel.rows["cost"]
    assert row.view.limits.labels() == ["budget $27.40 /h"]
    assert row.title_text() == "Cost ($/h)"
    row.choose_view(SO_FAR)
    assert row.view.ramps.labels()[0] == "budget $27.40 by the end"
    assert row.title_text() == "Cost ($)"
    assert b"cost_rate_currency_per_h" in table_of(row)


def test_a_budget_far_above_does_not_flatten_the_curves(panel, session):
    run = a_costly_run(budget=1e9)
    feed(run, HOUR_S)
    session.add(run)
    panel.tools.show_plots(frozenset({"cost"}))
    row = panel.rows["cost"]
    top = row.view._y_range[1]
    assert top < 3 * run.series("cost_rate_currency_per_h").max() + 1000
    assert row.view.limits.labels(), "its name is still at the upper edge"


def test_a_running_simulation_is_projected_to_its_end(panel, session):
    run = a_costly_run()
    feed(run, HOUR_S // 2)
    session.add(run)
    panel.tools.show_plots(frozenset({"cost"}))
    row = panel.rows["cost"]
    row.choose_view(SO_FAR)
    total = total_of(run)
    total.catch_up()
    assert row.view.ramps._rest.end == (HOUR_S, pytest.approx(2 * total.value_at(None)))
    assert row.view.ramps.labels()[-1].startswith("about $")
    run.set_state(RunState.FINISHED)
    row.view.draw()
    assert not row.view.ramps.labels()
