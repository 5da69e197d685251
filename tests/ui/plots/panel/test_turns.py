"""While a run goes, plots are drawn in turn; none is forgotten."""

from ui.plots.panel.turns import Turns


def test_each_comes_to_its_turn_within_two_frames():
    turns, drawn = Turns(), []
    for _frame in range(6):
        for name in "abcd":
            turns.add(name)
        due = turns.take(everyone=False)
        assert len(due) == 2
        drawn.append(due)
    assert drawn == [["a", "b"], ["c", "d"]] * 3


def test_a_lone_one_is_drawn_in_every_frame():
    turns = Turns()
    for _frame in range(3):
        turns.add("a")
        assert turns.take(everyone=False) == ["a"]


def test_all_are_drawn_when_the_run_rests():
    turns = Turns()
    for name in "abc":
        turns.add(name)
    assert turns.take(everyone=True) == ["a", "b", "c"] and turns.take(everyone=True) == []


def test_what_was_left_over_is_drawn_without_news():
    turns = Turns()
    for name in "abc":
        turns.add(name)
    assert turns.take(everyone=False) + turns.take(everyone=False) == ["a", "b", "c"]
