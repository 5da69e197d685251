"""Use of pods over time, edited in the form."""

import pytest


@pytest.mark.parametrize("name", ["cpu", "memory"])
def test_use_over_time_can_be_edited_in_the_form(hand, name):
    hand.field("workloads[0].use").click()
    hand.field(f"workloads[0].use.{name}").click()
    hand.choose(f"workloads[0].use.{name}.type", "step")
    hand.type(f"workloads[0].use.{name}.to", "3000000000")
    use = hand.value("workloads[0].use")
    assert getattr(use, name).type == "step"
    assert getattr(use, name).to_rate == 3e9
