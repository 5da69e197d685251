import pytest

from planner.plan.model.traffic import ConstantLoad, SumLoad, Traffic
from tests.builders import a_node_group, a_plan, a_workload
from ui.editor.values.where import path_of, where_at, words_at

PLAN = a_plan(
    node_groups=(a_node_group(labels={"a.b/c[0]": "d"}),),
    workloads=(
        a_workload(traffic=Traffic(profile=SumLoad(type="sum", profiles=(ConstantLoad(type="constant", rate=1),)))),
    ),
)


@pytest.mark.parametrize(("where", "path"), [
    pytest.param("nodeGroups[0].maxSize", ("node_groups", 0, "max_size"), id="field of a row"),
    pytest.param("simulation.loadStep", ("simulation", "load_step"), id="setting"),
    pytest.param("nodeGroups", ("node_groups",), id="list"),
    pytest.param('nodeGroups[0].labels["a.b/c[0]"]', ("node_groups", 0, "labels", "a.b/c[0]"), id="label"),
    pytest.param("workloads[0].pod.containers[0].requests.cpu",
                 ("workloads", 0, "pod", "containers", 0, "requests", "cpu"), id="deep"),
    pytest.param("workloads[0].traffic.profile.profiles[0].rate",
                 ("workloads", 0, "traffic", "profile", "profiles", 0, "rate"), id="inside of alternatives"),
])  # fmt: skip
def test_places_and_paths_name_the_same(where, path):
    assert path_of(where) == path
    assert where_at(path, PLAN) == where


def test_a_missing_place_resolves_to_its_nearest_existing_parent():
    assert path_of("nodeGroups[0].nothing") == ("node_groups", 0)
    assert path_of("plan") == ()


@pytest.mark.parametrize(("where", "words"), [
    ("nodeGroups[0].maxSize", "Node pools · pool · Maximum"),
    ("simulation.loadStep", "Simulation · Load step"),
    ('nodeGroups[0].labels["a.b/c[0]"]', "Node pools · pool · Labels · a.b/c[0]"),
    ("workloads[0].pod.containers[0].requests.cpu", "Workloads · web · Pod · Containers · main · Requests · CPU"),
    ("workloads[7].replicas", "Workloads · 8 · Replicas"),
    ("plan", ""),
])  # fmt: skip
def test_a_place_in_the_words_of_the_screen(where, words):
    assert words_at(path_of(where), PLAN) == words
