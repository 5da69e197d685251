"""While a run goes, plots are drawn in turn; none is forgotten."""

from ui.plots.panel.turns import Turns


def test_each_plot_is_drawn_within_two_frames():
    turns, drawn = Turns(), []
    for _frame in range(6):
        for name in "abcd":
            turns.add(name)
        due = turns.take(everyone=False)
        assert len(due) == 2
        drawn.append(due)
    assert drawn == [["a", "b"], ["c", "d"]] * 3


def test_a_single_plot_is_drawn_in_every_frame():
    turns = Turns()
    for _frame in range(3):
        turns.add("a")
        assert turns.take(everyone=False) == ["a"]


def test_all_plots_are_drawn_when_no_run_is_going():
    turns = Turns()
    for name in "abc":
        turns.add(name)
    assert turns.take(everyone=True) == ["a", "b", "c"] and turns.take(everyone=True) == []


def test_skipped_plots_are_drawn_even_without_new_data():
    turns = Turns()
    for name in "abc":
        turns.add(name)
    assert turns.take(everyone=False) + turns.take(everyone=False) == ["a", "b", "c"]
