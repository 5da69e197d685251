"""Of very many wrong rows the first hundred are listed and the others counted."""

import difflib

import pytest

from planner import cli
from planner.errors import PlanProblems
from planner.plan.checks.pods import suggestion
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_from_text, save_plan
from planner.plan.files.listed import listed
from planner.plan.files.nearest import nearest, without_suggestions
from tests.builders import a_plan, a_workload

ROWS = 3_000


def plan_with_unknown_calls(rows):
    return a_plan(
        workloads=tuple(a_workload(f"w{row}", calls=({"workload": f"x{row}"},)) for row in range(rows)),
    )


@pytest.mark.parametrize(
    ("section", "row"),
    [
        pytest.param("workloads", '{"name": "w%d", "replicas": -1}', id="a value out of bounds"),
        pytest.param("workloads", '{"name": "w%d", "replcas": 1}', id="an unknown key"),
        pytest.param("events", '{"type": "wrong%d", "at": "1m"}', id="an unknown type"),
    ],
)
def test_wrong_rows_of_a_file_are_listed_up_to_a_hundred_and_counted(section, row):
    rows = ",".join(row % number for number in range(ROWS))
    with pytest.raises(PlanProblems) as refused:
        plan_from_text(f'{{"schemaVersion": 2, "{section}": [{rows}]}}', "plan")
    assert (len(refused.value.problems), refused.value.more) == (100, ROWS - 100)


def test_a_list_that_is_too_short_for_its_wrong_items_alone_is_not_counted():
    trigger = '{"type": "series", "series": "orders", "target": "0"}'
    scaled = f'{{"name": "web", "scaleTarget": "web", "triggers": [{trigger}]}}'
    with pytest.raises(PlanProblems) as refused:
        plan_from_text(f'{{"schemaVersion": 2, "scaledObjects": [{scaled}]}}', "plan")
    assert [one.where for one in refused.value.problems] == ["scaledObjects[0].triggers[0].target"]
    assert refused.value.more == 0


def test_suggestions_are_looked_for_only_for_problems_that_are_listed(monkeypatch):
    """Looking among thousands of names for each of thousands of problems took minutes."""
    compared = []
    closest = difflib.get_close_matches

    def counted(word, words, **named):
        compared.append(len(words))
        return closest(word, words, **named)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    first, more = listed(check_plan(plan_with_unknown_calls(700)))
    assert (len(first), more) == (100, 600)
    assert len(compared) <= 101 and max(compared) <= 500


def test_the_right_name_is_suggested_among_very_many():
    names = [f"service-{number}" for number in range(2_000)] + ["checkout"]
    assert nearest("chekout", names) == "checkout"


def test_names_are_not_copied_for_problems_that_are_only_counted():
    """Copying thousands of names for each of thousands of problems took longer than all checks together."""

    class Names(tuple):
        def __iter__(self):
            raise AssertionError("the names were read")

    with without_suggestions():
        assert suggestion("chekout", Names(["checkout"]), "Name a workload.") == "Name a workload."


def test_the_command_line_counts_what_it_does_not_list(tmp_path, capsys):
    path = tmp_path / "plan.headroom"
    save_plan(plan_with_unknown_calls(150), path)
    for command in ("validate", "simulate"):
        assert cli.main([command, str(path)]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 101 and lines[-1] == "and 50 more"


@pytest.mark.parametrize(
    ("word", "meant"),
    [("1.31", "1.32"), ("1.30.4", "1.32"), ("v1.34.1", "1.34"), ("1.99", "1.36"), ("2.1", "1.32")],
)
def test_of_versions_the_nearest_number_is_meant(word, meant):
    assert nearest(word, ["1.32", "1.33", "1.34", "1.35", "1.36"]) == meant
