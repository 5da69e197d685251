"""A recording made by chance is one of several outcomes; only an outcome of some listing order agrees with it."""

import random

from tests.conformance.listing_orders import explaining_orders

NODES = ("a", "b", "c")


def replay(orders):
    """Two loops that each delete the first node they list."""
    found, left = [], list(NODES)
    for t in (0.0, 10.0):
        listed = list(left)
        if orders.get(t, 0):
            random.Random(orders[t]).shuffle(listed)
        left.remove(listed[0])
        found.append({"t": t, "deleted": [listed[0]]})
    return found


def loops(*deleted):
    return [{"t": t, "deleted": [node]} for t, node in zip((0.0, 10.0), deleted, strict=True)]


def test_the_usual_order_is_kept_where_it_explains_the_recording():
    assert explaining_orders(replay, loops("a", "b")) == {}


def test_each_loop_gets_the_first_order_that_explains_it():
    recorded = loops("c", "a")
    orders = explaining_orders(replay, recorded)
    assert replay(orders) == recorded
    assert set(orders) <= {0.0, 10.0}


def test_no_order_explains_what_the_rules_cannot_decide():
    impossible = loops("a", "a")
    assert replay(explaining_orders(replay, impossible)) != impossible


def test_an_impossible_loop_does_not_hide_that_later_ones_are_possible():
    recorded = loops("z", "c")
    assert replay(explaining_orders(replay, recorded))[1] == recorded[1]
