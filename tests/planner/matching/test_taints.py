"""Which tolerations match which taints, and for how long."""

from typing import NamedTuple

import pytest

from planner.matching.taints import NodeTaint, TaintEffect, no_execute_delay_us, tolerates, tolerates_hard_taints

SECOND = 1_000_000
NO_EXECUTE = TaintEffect.NO_EXECUTE


class Toleration(NamedTuple):
    """A toleration with any operator and any time, also those no plan accepts."""

    key: str
    operator: str
    value: str
    effect: str | None
    toleration_us: int | None


def toleration(key="a", operator="Equal", value="", effect=None, seconds=None):
    return Toleration(key, operator, value, effect, None if seconds is None else seconds * SECOND)


@pytest.mark.parametrize(
    ("given", "value", "matches"),
    [
        (toleration(value="x"), "x", True),
        (toleration(value="x"), "y", False),
        (toleration(operator="Exists", value="y"), "x", True),
        (toleration(key="b", operator="Exists"), "x", False),
        (toleration(key="", operator="Exists"), "x", True),
        (toleration(key="", value="x"), "x", True),
        (toleration(key="", value="y"), "x", False),
        (toleration(operator="Exists", effect="NoSchedule"), "x", True),
        (toleration(operator="Exists", effect="NoExecute"), "x", False),
        (toleration(operator="Sometimes", value="x"), "x", False),
    ],
)
def test_matching(given, value, matches):
    assert tolerates(given, NodeTaint("a", value, TaintEffect.NO_SCHEDULE)) is matches


@pytest.mark.parametrize(
    ("operator", "limit", "value", "matches"),
    [
        ("Gt", "100", "950", True),
        ("Gt", "950", "950", False),
        ("Lt", "100", "-3", True),
        ("Lt", "0100", "50", False),
        ("Lt", "+100", "50", False),
        ("Gt", "-0", "5", False),
        ("Gt", "1", "9.5", False),
        ("Lt", "9223372036854775808", "5", False),
    ],
)
def test_numbers_are_compared(operator, limit, value, matches):
    taint = NodeTaint("a", value, TaintEffect.NO_SCHEDULE)
    given = toleration(operator=operator, value=limit)
    assert tolerates(given, taint) is matches


def test_soft_taints_never_rule_a_node_out():
    assert tolerates_hard_taints((), (NodeTaint("a", "", TaintEffect.PREFER_NO_SCHEDULE),))


@pytest.mark.parametrize(
    ("tolerations", "keys", "seconds"),
    [
        ([], "", None),
        ([], "a", 0),
        ([toleration()], "a", None),
        ([toleration(seconds=300)], "a", 300),
        ([toleration(seconds=300)], "ab", 0),
        ([toleration(seconds=300), toleration(seconds=5)], "a", 300),
        ([toleration(seconds=300), toleration(key="b", seconds=5)], "ab", 5),
        ([toleration(seconds=300), toleration(key="b")], "ab", 300),
        ([toleration(seconds=-5)], "a", 0),
    ],
)
def test_time_until_no_execute_taints_delete_a_pod(tolerations, keys, seconds):
    delay_us = no_execute_delay_us(tolerations, [NodeTaint(key, "", NO_EXECUTE) for key in keys])
    assert delay_us == (None if seconds is None else seconds * SECOND)
