"""What a typed text means, and what it may have meant."""

import pytest

from ui.editor.finding.matching import Findable, matching, nearest

THINGS = [
    Findable("Simulation · Record interval", 0, "recordInterval"),
    Findable("File · Import · A folder…", 1),
    Findable("File · Export · Report…", 2),
    Findable("Workloads · shop · Replicas", 3, "replicas spec.replicas"),
    Findable("Replicas", 4),
]


@pytest.mark.parametrize(("text", "found"), [
    ("replicas", [4, 3]), ("shop rep", [3]), ("spec.rep", [3]), ("FOLDER import", [1]), ("report html", []), (" ", []),
])  # fmt: skip
def test_every_word_is_a_part_of_what_is_found(text, found):
    assert [thing.target for thing in matching(text, THINGS)] == found


@pytest.mark.parametrize(("text", "found"), [("report html", [2]), ("shp replcas", [3]), ("zzqqxx", [])])
def test_a_word_that_something_has_weighs_more_than_one_that_is_spelled_alike(text, found):
    assert [thing.target for thing in nearest(text, THINGS)] == found
