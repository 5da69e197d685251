"""Annotations of pods that Karpenter reads."""

import pytest

from planner.karpenter.pods.annotations import deletion_cost


@pytest.mark.parametrize(("text", "cost"), [
    ("70", 70), ("-3", -3), ("+4.5", 4.5), ("2E3", 2000), (".5", 0.5), ("6.", 6),
    ("", 0), (" 70", 0), ("70 ", 0), ("7_0", 0), ("seven", 0), ("0x7", 0), ("\u0667", 0),
])  # fmt: skip
def test_a_deletion_cost_counts_only_if_all_of_it_is_a_number(text, cost):
    assert deletion_cost(text) == cost
