"""Whatever is done to a manifest: a plan that passes its checks, or an error with a place. Never anything else."""

import copy
import json
import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.errors import ImportProblem, ImportProblems
from planner.kube.files.documents import read_documents
from planner.kube.importer import import_paths
from planner.plan.checks.validate import check_plan
from tests.planner.kube.manifests import SAMPLES, imported

OBJECTS = [value for name in sorted(SAMPLES.iterdir()) for _, value in read_documents(str(name), None, [])]
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "x", "1e9999", "-1", "99999999999Ei", "\ud800", "a" * 300, "Exists", "100%", "0", "250m"]),
    st.text(string.printable, max_size=10), st.just([]), st.just({}), st.just([None]), st.just([[]]), st.just([{}]),
    st.just({"": ""}), st.just({"cpu": {}}),
)  # fmt: skip


def places(value, path=()):
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


PLACES = [(index, path) for index, value in enumerate(OBJECTS) for path in places(value) if path]


@st.composite
def broken_objects(draw):
    """All sample objects with up to three values replaced or removed."""
    objects = copy.deepcopy(OBJECTS)
    for _ in range(draw(st.integers(1, 3))):
        index, path = draw(st.sampled_from(PLACES))
        part = objects[index]
        try:
            for step in path[:-1]:
                part = part[step]
            if draw(st.booleans()):
                part[path[-1]] = draw(VALUES)
            else:
                del part[path[-1]]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    return objects


def check(text):
    problems: tuple[ImportProblem, ...]
    try:
        plan = imported(text).plan
    except ImportProblem as problem:
        problems = (problem,)
    except ImportProblems as error:
        problems = error.problems
    else:
        problems = ()
        assert list(check_plan(plan)) == []
    for each in problems:
        assert each.where
        assert each.problem
        assert each.remedy
        str(each).encode(errors="backslashreplace")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(broken_objects())
def test_broken_values_give_a_plan_or_an_error_with_a_place(objects):
    check(json.dumps({"kind": "List", "items": objects}))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_broken_text_gives_a_plan_or_an_error_with_a_place(data):
    name = data.draw(st.sampled_from(sorted(SAMPLES.iterdir())))
    content = bytearray(name.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=3))
    check(bytes(content))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text("{}[]:,-&*!|>'\"%@ \n\tab0?#<", max_size=80).map(str.encode))
def test_noise_is_an_error(content):
    check(content)


def test_the_unbroken_samples_pass():
    assert import_paths([str(SAMPLES)]).plan.workloads
