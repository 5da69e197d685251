"""Phrases are English for programs, and in the reader's language where they are shown."""

import json
import pickle

import pytest

from planner.errors import PlanProblem, RunStopped
from planner.language.phrases import joined, phrase, phrase_count, said
from planner.language.translation import use_language

SEEDS = phrase_count("1 seed", "{count} seeds", 3, count=3)
ANSWER = joined("; ", (phrase("the SLO of {name}", name="shop"), phrase("there are no constraints"), "50 %"))


@pytest.fixture
def korean():
    use_language("ko")
    yield
    use_language("en")


def test_a_phrase_is_its_english_text_in_files_for_programs(korean):
    assert json.dumps([SEEDS, ANSWER]) == '["3 seeds", "the SLO of shop; there are no constraints; 50 %"]'


@pytest.mark.parametrize(
    ("text", "korean_text"),
    [
        (SEEDS, "시드 3개"),
        (ANSWER, "shop의 SLO; 제약 없음; 50 %"),
        (phrase("{name} cannot be told from it", name="x"), "x cannot be told from it"),  # not in the catalogue
        (phrase("All runs are alike: every figure is the same in every one of {seeds}.", seeds=SEEDS),
         "모든 실행이 같습니다: 시드 3개 모두에서 모든 수치가 같습니다."),
        ("a name of the plan", "a name of the plan"),
    ],
)  # fmt: skip
def test_a_phrase_is_said_with_all_its_parts_in_the_chosen_language(korean, text, korean_text):
    assert said(text) == korean_text


def test_phrases_stay_phrases_on_their_way_between_processes(korean):
    assert said(pickle.loads(pickle.dumps(ANSWER))) == said(ANSWER) != ANSWER


def test_braces_of_values_and_separators_are_left_alone():
    assert joined(" {", ("{a}", "b")) == "{a} {b" == said(joined(" {", ("{a}", "b")))


def test_what_ends_a_run_is_told_in_the_language_of_its_reader(korean):
    stopped = RunStopped(phrase("at {time:g} s", time=5.0), phrase("The run was cancelled."), "")
    assert stopped.message == "at 5 s: The run was cancelled."
    assert str(stopped) == "5초: 실행을 취소했습니다."


def test_a_problem_is_written_with_its_place_and_its_remedy():
    assert str(PlanProblem("a.b", "It is wrong.", "Mend it.")) == "a.b: It is wrong. Mend it."
