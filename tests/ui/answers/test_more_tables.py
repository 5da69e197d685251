"""Tables of what only some kinds of experiments find: their headings are words of the reader's language."""

import pytest
from PySide6.QtWidgets import QLabel

from planner.experiments.answers.answer import ExperimentAnswer, TitledTable
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.language.phrases import phrase
from planner.language.translation import in_language
from planner.plan.model.experiments.experiment import Replicate
from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import SimulationSettings
from tests.planner.experiments.small_plans import a_small_plan
from ui.answers.more_tables import HEADINGS, MoreTables, heading_of, records
from ui.answers.words.answer_words import AnswerWords

PLAN = a_small_plan(
    simulation=SimulationSettings(duration="60s", seed=11), uncertain_inputs=("load ~ uniform(0.5, 1.5)",)
)
SPACE = ("nodeGroups[pool].initialSize = 1, 3",)


@pytest.mark.parametrize(
    "experiment",
    [
        Replicate(type="replicate", name="bands", seeds=8),
        Vary(type="vary", name="space", over=SPACE, sensitivity=True, trajectories=2, base_samples=4, seeds=1),
        Search(type="search", name="cheapest", over=SPACE, seeds=2, subject_to=("slo_attainment[shop]>=0.1",)),
        Grow(type="grow", name="growth", seeds=1, months=1, rate=900.0),
    ],
    ids=lambda one: one.type,
)
def test_all_tables_and_columns_have_headings(experiment):
    found = list(records(run_experiment(PLAN, experiment, Runs()).more))
    keys = {key for title, rows in found for key in (title, *(key for row in rows for key in row))}
    assert keys and {key for key in keys if not key[1:].isdigit()} <= HEADINGS.keys()


def test_a_quantile_is_headed_by_its_share():
    assert heading_of("p95") == "95 %"


def test_a_table_of_texts_is_in_the_language_of_the_reader(theme, qtbot):
    tables = MoreTables(theme)
    qtbot.addWidget(tables)
    table = TitledTable(phrase("Requests and use of containers"), ((phrase("Container"),), (phrase("no change"),)))
    answer = ExperimentAnswer("rightsize", (), {}, (11,), 0.95, tables=(table,))
    with in_language("ko"):
        tables.show_answer(AnswerWords(answer, PLAN))
    shown = [*(label.text() for label in tables.widget().findChildren(QLabel))]
    shown += [tables.tables[0].table.columns[0].title, tables.tables[0].table.rows[0][0].text]
    assert "Requests and use of containers" not in shown and all(not one.isascii() for one in shown if one), shown
