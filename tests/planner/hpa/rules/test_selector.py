"""Label selectors in text form."""

import pytest

from planner.hpa.rules.selector import parse_selector, selects


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
        ("size<3", {"size": "+-2"}, False),
        ("size<3", {"size": "\u00b2"}, False),
        ("size>3", {}, False),
        ("tier in ()", {"tier": ""}, True),
        ("tier in (,a)", {"tier": ""}, True),
        ("tier notin ()", {}, True),
        ("in in (in)", {"in": "in"}, True),
        ("!tier,app", {"app": ""}, True),
        ("app=", {"app": ""}, True),
        ("app=,x", {"app": "", "x": "1"}, True),
        ("example.com/app=web", {"example.com/app": "web"}, True),
    ],
)
def test_matching(text, labels, expected):
    assert selects(parse_selector(text), labels) is expected


@pytest.mark.parametrize(
    "text",
    [
        "app in (web",
        "app in web",
        "=web",
        "app=web api=x",
        "a,,b",
        "app=(",
        "size>x",
        "!",
        "app in (a b)",
        "app in (a,b c)",
        "size>-1",
        "size<\u00b2",
        "app,",
        ",app",
        "!app=web",
        "app==web==api",
    ],
)
def test_unreadable_text_is_refused(text):
    with pytest.raises(ValueError):
        parse_selector(text)
