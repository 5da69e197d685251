"""Messages of values fall into a problem and a remedy in every language."""

import pytest

from planner.errors import PlanProblem, problem_and_remedy
from planner.language.translation import use_language
from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("'x' is no minute; write a number", ("'x' is no minute", "write a number")),
        ("'61'은(는) 분이(가) 아닙니다. 0부터 적으십시오", ("'61'은(는) 분이(가) 아닙니다", "0부터 적으십시오")),
        ("it is wrong", ("it is wrong", "")),
    ],
)
def test_a_remedy_follows_a_semicolon_or_in_a_translation_the_first_sentence(message, parts):
    assert problem_and_remedy(message) == parts


def test_a_wrong_schedule_is_told_in_korean_without_an_empty_sentence():
    use_language("ko")
    event = {"type": "change", "schedule": "61 * * * *", "timeZone": "UTC", "changes": ["x = 1"], "duration": "1h"}
    with pytest.raises(PlanProblem) as refused:
        replace_at(Plan(), ("events",), [event])
    assert "분" in refused.value.problem and "minute" not in refused.value.problem
    assert refused.value.remedy.strip(". ") and not str(refused.value).endswith(". .")
