"""Label selectors in text form."""

import pytest

from planner.hpa.selector import parse_selector, selects


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("app=web", {"app": "web"}, True),
        ("app==web", {"app": "api"}, False),
        ("app!=web", {}, True),
        ("app = web , tier in (a, b)", {"app": "web", "tier": "b"}, True),
        ("tier notin (a,b)", {"tier": "a"}, False),
        ("tier", {"tier": ""}, True),
        ("!tier", {"tier": ""}, False),
        ("size>3", {"size": "4"}, True),
        ("size<3", {"size": "many"}, False),
        ("app=", {"app": ""}, True),
        ("app=,x", {"app": "", "x": "1"}, True),
        ("example.com/app=web", {"example.com/app": "web"}, True),
    ],
)
def test_matching(text, labels, expected):
    assert selects(parse_selector(text), labels) is expected


@pytest.mark.parametrize("text", ["app in (web", "app in web", "=web", "app=web api=x", "a,,b", "app=(", "size>x", "!"])
def test_unreadable_text_is_refused(text):
    with pytest.raises(ValueError):
        parse_selector(text)
