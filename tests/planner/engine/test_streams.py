"""Named random streams."""

from planner.engine.streams import Streams, random_stream


def test_a_stream_depends_on_seed_and_purpose_only() -> None:
    assert random_stream(1, "a").random() == random_stream(1, "a").random()
    assert random_stream(1, "a").random() != random_stream(1, "b").random()
    assert random_stream(1, "a").random() != random_stream(2, "a").random()


def test_a_new_purpose_shifts_no_other() -> None:
    alone, beside = Streams(3), Streams(3)
    beside["new"].random()
    assert alone["old"].random() == beside["old"].random()


def test_a_stream_goes_on_where_it_was() -> None:
    streams = Streams(3)
    assert streams["x"].random() != streams["x"].random()
