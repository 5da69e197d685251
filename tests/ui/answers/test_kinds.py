"""Answers of every kind as tables and plots."""

from dataclasses import replace

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.plan.model.experiments.experiment import Compare, Replicate
from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import SimulationSettings
from tests.planner.experiments.small_plans import LARGER, SAME, a_small_plan
from tests.ui.theme.test_theme import contrast
from ui.answers.answer_panel import AnswerPanel
from ui.answers.more_tables import records
from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.facts import facts_of
from ui.answers.words.sentence import sentence
from ui.widgets.plain_table import Tone
from ui.wording.language import speak

PLAN = a_small_plan(simulation=SimulationSettings(duration="3m", seed=11), variants=(LARGER,))


@pytest.fixture
def panel(theme, qtbot):
    panel = AnswerPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(1000, 600)
    panel.show()
    return panel


def answered(experiment):
    return run_experiment(PLAN, experiment, Runs())


@pytest.fixture(scope="module")
def varied():
    over = ("nodeGroups[pool].initialSize = 1, 2", "load = 1, 1.5")
    settings = {"sensitivity": True, "trajectories": 2, "base_samples": 4, "seeds": 1}
    return answered(Vary(type="vary", name="sizes", over=over, **settings))


def ways(panel):
    return [panel.responses.way.itemText(row) for row in range(panel.responses.way.count())]


def test_of_three_plans_only_those_that_cannot_be_told_from_the_cheapest_are_named_as_its_equals():
    plan = PLAN.model_copy(update={"variants": (LARGER, SAME)})
    said = sentence(AnswerWords(run_experiment(plan, Compare(type="compare", name="which", seeds=3), Runs()), plan))
    assert said.startswith("as planned is the cheapest at $")
    assert ", but cannot be told apart from same; the SLO of shop is met most with " in said


def test_the_plan_itself_has_a_korean_name_in_a_korean_answer(qapp):
    plan = PLAN.model_copy(update={"variants": (LARGER, SAME)})
    two = PLAN.model_copy(update={"variants": (LARGER,)})
    speak(qapp, "ko")
    try:
        for one in (plan, two):
            answer = run_experiment(one, Compare(type="compare", name="which", seeds=3), Runs())
            assert "as planned" not in (text := sentence(AnswerWords(answer, one))) and "계획대로" in text
    finally:
        speak(qapp, "en")


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_number_of_a_heat_map_can_be_read(panel, theme, varied, name):
    theme.choose(name)
    heat = varied.more["heatMap"]
    shades = {**heat, "figures": dict.fromkeys(heat["figures"], [[0.0, 0.6], [0.4, 1.0]])}
    panel.show_answer(AnswerWords(replace(varied, more={**varied.more, "heatMap": shades}), PLAN))
    panel.responses.way.setCurrentIndex(0)
    items = panel.responses.plot.getPlotItem().items
    (image,) = (item for item in items if isinstance(item, pg.ImageItem))
    rows = image.image
    for text in (item for item in items if isinstance(item, pg.TextItem)):
        value = rows[int(text.pos().y()), int(text.pos().x())]
        ground = image.getColorMap().map((value - rows.min()) / (rows.max() - rows.min()), mode="qcolor")
        assert contrast(text.color, ground) >= 3.6


def test_a_space_is_shown_as_table_heat_map_curves_and_tornado(panel, varied):
    panel.show_answer(AnswerWords(varied, PLAN))
    assert panel.tabs.currentWidget() is panel.rows_of_kind
    assert len(panel.rows_of_kind.table.table.rows) == 4
    assert panel.rows_of_kind.table.table.rows[0][2].text.startswith("$") and not panel.wanted.isVisible()
    assert [way.split(":")[0] for way in ways(panel)] == [
        "heat map",
        "by pool · At start",
        "by load",
        "tornado",
    ]
    drawn = []
    for row in range(panel.responses.way.count()):
        panel.responses.way.setCurrentIndex(row)
        drawn.append({type(item).__name__ for item in panel.responses.plot.getPlotItem().items})
    assert "ImageItem" in drawn[0] and "ErrorBarItem" in drawn[1] and "BarGraphItem" in drawn[3]
    assert {title for title, _rows in records(varied.more)} >= {"screening", "sobol"}


def test_a_row_of_a_space_becomes_a_variant(panel, varied, qtbot):
    panel.show_answer(AnswerWords(varied, PLAN))
    panel.rows_of_kind.table.selectRow(1)
    with qtbot.waitSignal(panel.variant_wanted) as wanted:
        qtbot.mouseClick(panel.rows_of_kind.keep, Qt.MouseButton.LeftButton)
    assert wanted.args[1] == ("nodeGroups[pool].initialSize = 1", "load = 1.5")


def test_ordeals_are_a_table_with_a_column_for_each_variant(panel):
    found = answered(Stress(type="stress", name="storm", seeds=1))
    panel.show_answer(AnswerWords(found, PLAN))
    table = panel.rows_of_kind.table.table
    assert [column.title for column in table.columns[2:]] == ["as planned", "larger"]
    assert table.rows[0][2].text and not panel.rows_of_kind.keep.isVisible()
    assert not panel.tabs.isTabVisible(panel.tabs.indexOf(panel.responses))
    assert sentence(AnswerWords(found, PLAN)) == found.sentence
    assert facts_of(AnswerWords(found, PLAN), 0)[-1].value == "95 %"


def test_a_growing_load_is_a_calendar_with_what_breaks_in_colour(panel):
    found = answered(Grow(type="grow", name="growth", seeds=1, months=4, rate=60.0))
    panel.show_answer(AnswerWords(found, PLAN))
    bars = [item for item in panel.growth.plot.getPlotItem().items if isinstance(item, pg.BarGraphItem)]
    months = [found.more["today"], *found.more["months"]]
    assert panel.tabs.isTabVisible(panel.tabs.indexOf(panel.growth))
    assert sum(len(bar.opts["x"]) for bar in bars) == len(months) == 5
    broken = [one["month"] for one in months if one["breaks"]]
    tones = [row[-1].tone is Tone.BAD for row in panel.rows_of_kind.table.table.rows]
    assert [at for at, is_bad in enumerate(tones) if is_bad] == broken
    assert sentence(AnswerWords(found, PLAN)).startswith("The plan breaks today already, before the load has grown: ")
    later = {"firstMonths": [{"what": "the budget", "month": 2}], "costUntilFirstBreak": 500.0}
    said = sentence(AnswerWords(replace(found, more={**found.more, **later}), PLAN))
    assert said.startswith("In month 2, at 2.56 times the load, the budget breaks; until then the plan costs $")


@pytest.mark.parametrize("height", [240, 700])
def test_the_texts_above_the_bars_of_a_calendar_are_seen_whole(panel, height):
    found = answered(Grow(type="grow", name="growth", seeds=1, months=2, rate=60.0))
    panel.show_answer(AnswerWords(found, PLAN))
    growth = panel.growth
    growth.setParent(None)
    growth.show()
    growth.resize(700, height)
    QApplication.processEvents()
    box = growth.plot.getViewBox()
    texts = [item for item in growth.plot.getPlotItem().items if isinstance(item, pg.TextItem)]
    assert len(texts) == 3
    for text in texts:
        area = text.mapRectToScene(text.boundingRect())
        assert area.top() >= box.sceneBoundingRect().top(), text.toPlainText()


def test_what_a_search_found_is_said_in_words_and_its_rows_become_variants(panel, qtbot):
    over, asked = ("nodeGroups[pool].initialSize = 1, 3",), {"type": "search", "name": "s", "seeds": 2}
    found = answered(Search.model_validate(asked | {"over": over, "subject_to": ("slo_attainment[shop]>=0.1",)}))
    panel.show_answer(AnswerWords(found, PLAN), ["nodeGroups[pool].initialSize"])
    assert sentence(AnswerWords(found, PLAN)).startswith("Cheapest of 2 plans is pool · At start = 1: $")
    rows = panel.rows_of_kind.table.table.rows
    assert rows[0][0].text == "pool · At start = 1" and rows[0][2].text.startswith("$")
    assert rows[0][1].tone is Tone.GOOD
    assert panel.more.tables[-1].table.rows[0][0].text.startswith("$")
    panel.rows_of_kind.table.selectRow(0)
    with qtbot.waitSignal(panel.variant_wanted) as wanted:
        qtbot.mouseClick(panel.rows_of_kind.keep, Qt.MouseButton.LeftButton)
    assert wanted.args[1] == ("nodeGroups[pool].initialSize = 1",)
    facts = {one.caption: one.value for one in facts_of(AnswerWords(found, PLAN), 0)}
    assert facts["Cost"].startswith("$") and facts["Lower bound"].startswith("$")
    assert facts["P(right choice)"].endswith(" %") and facts["Runs"] == f"{found.more['runs']} · 2 seeds"
    none = answered(Search.model_validate(asked | {"over": over, "subject_to": ("slo_attainment[shop]>=2",)}))
    text = sentence(AnswerWords(none, PLAN))
    assert text.startswith("None of 2 plans keeps what is asked for. Closest is pool · At start = ")
    assert "it meets the SLO of shop" in text


def test_the_way_of_a_figure_over_a_space_is_said_with_its_unit(varied):
    said = sentence(AnswerWords(varied, PLAN))
    assert said.startswith("Cost depends most on pool · At start. Cost goes from $")


def test_a_plan_of_a_search_is_clicked_to_become_a_variant(panel, qtbot):
    kept = {"mean": 1.0, "low": 0.9, "high": 1.0, "n": 20}
    plans = [
        {"name": "two nodes", "values": ["2"], "objective": 4.0, "kept": kept},
        {"name": "one node", "values": ["1"], "objective": 2.0, "kept": kept | {"mean": 0.4}},
        {"name": "not run", "values": ["0"], "objective": None, "kept": None},
    ]
    front = [{"name": "two nodes", "objective": 4.0, "kept": 1.0}]
    more = {"candidates": plans, "pareto": front, "best": "two nodes", "minimise": "cost"}
    found = ExperimentAnswer("search", (), {}, (11,), 0.95, more=more)
    panel.show_answer(AnswerWords(found, PLAN), ["nodeGroups[pool].minSize"])
    assert panel.tabs.isTabVisible(panel.tabs.indexOf(panel.pareto))
    points = panel.pareto.points.points()
    assert [point.data()["name"] for point in points] == ["two nodes", "one node"]
    with qtbot.waitSignal(panel.variant_wanted) as wanted:
        panel.pareto.points.sigClicked.emit(panel.pareto.points, points[1:], None)
    assert wanted.args == ["one node", ("nodeGroups[pool].minSize = 1",)]


def test_costs_below_one_are_shown_as_they_are(panel):
    """Without a unit of its own, pyqtgraph shows such an axis in thousandths, and does not say so."""
    kept = {"mean": 1.0, "low": 0.9, "high": 1.0, "n": 20}
    plans = [
        {"name": name, "values": ["1"], "objective": cost, "kept": kept} for name, cost in (("a", 0.2), ("b", 0.6))
    ]
    more = {"candidates": plans, "pareto": [], "best": "a", "minimise": "cost"}
    found = ExperimentAnswer("search", (), {}, (11,), 0.95, more=more)
    for _drawn_again in range(2):
        panel.show_answer(AnswerWords(found, PLAN), ["nodeGroups[pool].minSize"])
        panel.tabs.setCurrentWidget(panel.pareto)
        panel.grab()
    assert panel.pareto.plot.getAxis("bottom").autoSIPrefixScale == 1.0


def test_sizes_are_a_table_with_the_best_chosen_whose_changes_can_be_applied(panel, qtbot):
    found = answered(Rightsize(type="rightsize", name="sizes", seeds=1))
    panel.show_answer(AnswerWords(found, PLAN))
    shown = panel.rows_of_kind
    best = found.more["best"]
    assert shown.table.table.rows[shown.table.currentIndex().row()][0].text == best
    assert {row[-1].tone for row in shown.table.table.rows} == {Tone.PLAIN}
    assert panel.more.tables[0].table.rows[0][0].text == "shop/main"
    shown.table.selectRow(1)
    with qtbot.waitSignal(panel.apply_wanted) as wanted:
        qtbot.mouseClick(shown.apply, Qt.MouseButton.LeftButton)
    assert wanted.args[0] == found.variants[1].changes and any("requests.cpu" in one for one in wanted.args[0])


def test_a_constraint_that_a_plan_misses_is_named_in_the_words_of_the_screen(panel):
    over, wanted = ("workloads[shop].replicas = 1, 2",), ("slo_attainment[shop]>=1@0.95",)
    text = "misses slo_attainment[shop]>=1@0.95, as does workloads[shop].replicas = 1"
    found = answered(Search(type="search", name="s", over=over, subject_to=wanted, seeds=2))
    words = AnswerWords(found, PLAN)
    said = words.shown(text)
    assert words.shown("slo_attainment[shop]>=1@0.95를 지키지 못함").endswith("in 95 % of runs를 지키지 못함")
    assert said == "misses SLO met, share of time · shop ≥ 100 % in 95 % of runs, as does shop · Replicas = 1"


def test_one_seed_has_figures_without_an_interval(panel):
    found = answered(Replicate(type="replicate", name="q", seeds=1))
    panel.show_answer(AnswerWords(found, PLAN))
    assert not any("(" in row[2].text for row in panel.figures.rows)
    assert "∞" not in sentence(AnswerWords(found, PLAN)) and any("One seed" in note for note in found.notes)


def test_the_names_of_many_plans_stand_in_several_rows_above_their_bands(panel):
    plan = PLAN.model_copy(update={"variants": tuple(SAME.model_copy(update={"name": f"v{n}"}) for n in range(6))})
    panel.show_answer(AnswerWords(run_experiment(plan, Compare(type="compare", name="q", seeds=2), Runs()), plan))
    assert panel.bands.legend.rowCount() == 2


def test_of_many_numbers_the_answer_names_those_that_matter_and_not_their_values(panel):
    over = ("nodeGroups[pool].initialSize = 1, 3", "load = 0.8..1.2", "workloads[shop].replicas = 1..3:1")
    few = {"seeds": 1, "sampling": "latinHypercube", "points": 3, "trajectories": 2, "base_samples": 4}
    found = answered(Vary.model_validate({"type": "vary", "name": "v", "over": over, "sensitivity": True} | few))
    ranked = [one["path"] for one in found.more["sensitivity"]["screening"]["cost"] if one["importance"] > 0.0]
    said, words = sentence(AnswerWords(found, PLAN)), AnswerWords(found, PLAN)
    assert len(ranked) >= 1 and said.startswith(f"Cost depends most on {words.path(ranked[0])}")
    assert (", then on " in said) is (len(ranked) > 1) and ("=" in said) is (len(ranked) <= 2)
