"""The store of time series: what goes in comes out, whatever is packed, and wherever it is kept."""

import tempfile

import numpy as np
import pytest
from hypothesis import given, settings, strategies

from planner.record import series
from planner.record.series import SeriesStore

NAMES = ("still", "moving", "missing", "zeros")


def rows(count):
    """One that stays, one that moves, one that is not a number, and one whose zeros change their sign."""
    at = np.arange(count, dtype=np.float64)
    return np.stack([np.full(count, 7.5), np.sin(at), np.full(count, np.nan), np.where(at % 2, -0.0, 0.0)])


def filled(count, budget_bytes=series.BUDGET_BYTES):
    store = SeriesStore(NAMES, budget_bytes)
    store.extend(rows(count))
    return store


def same_bits(one, other):
    return np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes()


@given(strategies.integers(0, 1200), strategies.sampled_from([0, 1 << 12, 1 << 30]))
@settings(max_examples=30)
def test_every_series_comes_out_bit_for_bit(count, budget_bytes):
    store = filled(count, budget_bytes)
    assert store.rows == count and list(store) == list(NAMES)
    assert all(same_bits(store[name], column) for name, column in zip(NAMES, rows(count), strict=True))


@given(strategies.integers(0, 1200), strategies.integers(0, 1200), strategies.integers(1, 300))
@settings(max_examples=30)
def test_blocks_and_what_is_new_join_to_the_whole(count, first, most):
    store, whole = filled(count), rows(count)
    blocks = list(store.blocks(most))
    assert all(0 < block.shape[1] <= most for block in blocks)
    assert same_bits(np.concatenate([np.empty((4, 0)), *blocks], axis=1), whole)
    first = min(first, count)
    assert same_bits(store.since(first), whole[:, first:])


def test_what_was_handed_out_does_not_change_with_later_rows():
    store = filled(3)
    new, moving = store.since(1), store["moving"]
    kept = new.copy(), moving.copy()
    store.extend(rows(900))
    assert same_bits(new, kept[0]) and same_bits(moving, kept[1])


def test_single_values():
    store = filled(600)
    assert store.value("moving", 599) == np.sin(599.0) and store.value("moving", 3) == np.sin(3.0)
    assert store.value("still", 0) == 7.5
    with pytest.raises(IndexError):
        store.value("still", 600)
    with pytest.raises(KeyError):
        store.value("unknown", 0)


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="broadcast"):
        SeriesStore(NAMES).append([1.0, 2.0])


def test_beyond_its_budget_a_store_takes_no_more_memory():
    small, large = filled(600, 0), filled(60_000, 0)
    assert large.memory_bytes < small.memory_bytes + 60_000 < filled(60_000).memory_bytes


def test_a_disk_that_refuses_costs_memory_only(monkeypatch):
    def refuse(**_):
        raise OSError("no space left")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert same_bits(filled(1100, 0)["moving"], rows(1100)[1])


@settings(deadline=None, max_examples=40)
@given(strategies.integers(0, 1300), strategies.integers(0, 1300), strategies.integers(0, 1400))
def test_a_part_is_what_the_whole_has_there(count, first, end):
    store, whole, first = filled(count), rows(count), min(first, count)
    for column, name in enumerate(NAMES):
        assert same_bits(store.part(name, first, end), whole[column, first:end])


@settings(deadline=None, max_examples=40)
@given(
    strategies.integers(0, 1300),
    strategies.integers(0, 1300),
    strategies.integers(0, 1400),
    strategies.lists(strategies.integers(0, len(NAMES) - 1), max_size=5),
)
def test_parts_of_several_series_are_those_of_each(count, first, end, columns):
    store = filled(count)
    parts = store.parts(np.array(columns, np.intp), first, end)
    assert len(parts) == len(columns)
    for column, part in zip(columns, parts, strict=True):
        assert same_bits(part, store.part(NAMES[column], first, end))
