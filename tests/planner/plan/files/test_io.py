import json
from pathlib import Path

import pytest

from planner.errors import PlanFileError, PlanProblems
from planner.plan.files import io
from planner.plan.files.io import load_plan, plan_from_text, plan_to_text, save_plan
from planner.plan.files.migrations import migrate
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan

GROUP = {"name": "pool", "cpu": "4", "memory": "16Gi"}


def a_file(**sections):
    return {"schemaVersion": SCHEMA_VERSION, **sections}


def deep_profile(depth):
    profile = {"type": "constant", "rate": 1}
    for _ in range(depth):
        profile = {"type": "sum", "profiles": [profile]}
    return profile


def problems_of(text):
    with pytest.raises(PlanProblems) as caught:
        plan_from_text(text, "text")
    assert all(problem.problem.endswith(".") and problem.remedy for problem in caught.value.problems)
    return {problem.where: f"{problem.problem} {problem.remedy}" for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b" \n\t", "empty", id="only blanks"),
        pytest.param(b'\xef\xbb\xbf{"schemaVersion": 1}', "byte order mark", id="byte order mark"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "binary", id="binary"),
        pytest.param(b'{"name": "\n\xff"}', "Line 2 is not UTF-8", id="not UTF-8"),
        pytest.param('{"a": 1}'.encode("utf-16"), "UTF-16", id="UTF-16"),
        pytest.param('{"a": 1}'.encode("utf-16-le"), "UTF-16", id="UTF-16 without mark"),
        pytest.param(b'{"schemaVersion": 1, "nodeGro', "ends too early", id="cut inside a text"),
        pytest.param(b'{"schemaVersion": 1,', "ends too early", id="cut between values"),
        pytest.param(b'{"schemaVersion": 1, nodeGroups: []}', "not valid JSON", id="syntax"),
        pytest.param(b"apiVersion: v1\nkind: Pod\n", "not a plan file", id="a manifest"),
        pytest.param(b"[1, 2]", "does not contain an object", id="another JSON value"),
        pytest.param(b"{}", '"schemaVersion" is missing', id="another JSON object"),
        pytest.param(b'{"schemaVersion": 99}', "schema version 99", id="newer"),
        pytest.param(b"[" * 100_000, "nested more than 64", id="very deep"),
        pytest.param(b'{"a":' * 70 + b"1" + b"}" * 70, "nested more than 64", id="deep"),
    ],
)
def test_a_foreign_or_broken_file_is_refused_with_place_and_remedy(tmp_path, content, message):
    path = tmp_path / "bad.headroom"
    path.write_bytes(content)
    with pytest.raises(PlanFileError) as caught:
        load_plan(path)
    assert message in caught.value.problem
    assert str(path) in caught.value.where
    assert caught.value.remedy
    assert path.read_bytes() == content


def test_a_missing_file_and_a_folder_have_different_messages(tmp_path):
    with pytest.raises(PlanFileError, match="no such file"):
        load_plan(tmp_path / "nowhere.headroom")
    with pytest.raises(PlanFileError, match="folder"):
        load_plan(tmp_path)


def test_devices_and_impossible_names_are_refused():
    with pytest.raises(PlanFileError, match="ordinary file"):
        load_plan("/dev/zero")
    with pytest.raises(PlanFileError, match="cannot be read"):
        load_plan("nul\0byte")
    with pytest.raises(PlanFileError, match="empty"):
        load_plan("")


def test_a_huge_file_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(io, "MAX_FILE_BYTES", 10)
    path = tmp_path / "huge.headroom"
    path.write_text(" " * 20 + "{}")
    with pytest.raises(PlanFileError, match="larger than"):
        load_plan(path)


@pytest.mark.parametrize(
    ("group", "where", "message"),
    [
        ({"maxSise": 3}, "nodeGroups[0].maxSise", 'Did you mean "maxSize"?'),
        ({"max_size": 3}, "nodeGroups[0].max_size", 'Did you mean "maxSize"?'),
        ({"qqq": 3}, "nodeGroups[0].qqq", "the known keys are name, minSize"),
        ({"maxSize": "3"}, "nodeGroups[0].maxSize", "without quotes"),
        ({"maxSize": True}, "nodeGroups[0].maxSize", "true is not a whole number"),
        ({"maxSize": None}, "nodeGroups[0].maxSize", "null is not a whole number"),
        ({"maxSize": 2.5}, "nodeGroups[0].maxSize", "2.5 is not a whole number"),
        ({"maxSize": -1}, "nodeGroups[0].maxSize", "The smallest value allowed is 0"),
        ({"maxSize": 10**30}, "nodeGroups[0].maxSize", "The largest value allowed is 15000"),
        ({"cpu": 4}, "nodeGroups[0].cpu", 'text with its unit, for example "250m"'),
        ({"cpu": "four"}, "nodeGroups[0].cpu", "not a quantity"),
        ({"cpu": "-4"}, "nodeGroups[0].cpu", "too small"),
        ({"cpu": "9E"}, "nodeGroups[0].cpu", "The largest value allowed is 1000000"),
        ({"provisioningDelay": 90}, "nodeGroups[0].provisioningDelay", 'for example "90s"'),
        ({"provisioningDelay": "soon"}, "nodeGroups[0].provisioningDelay", "1h30m"),
        ({"provisioningDelay": "999d"}, "nodeGroups[0].provisioningDelay", "The largest value allowed is 400d"),
        ({"name": "Pool A"}, "nodeGroups[0].name", "lower case"),
        ({"name": ""}, "nodeGroups[0].name", "empty"),
        ({"name": "a" * 64}, "nodeGroups[0].name", "at most 63"),
        ({"labels": []}, "nodeGroups[0].labels", "between { and }"),
        ({"labels": {"a": 1}}, 'nodeGroups[0].labels["a"]', "double quotes"),
        ({"taints": {}}, "nodeGroups[0].taints", "between [ and ]"),
        ({"taints": [7]}, "nodeGroups[0].taints[0]", "between { and }"),
        ({"taints": [{"key": "a"}]}, "nodeGroups[0].taints[0].effect", "missing"),
        ({"taints": [{"key": "a", "effect": "noschedule"}]}, "nodeGroups[0].taints[0].effect", "mean NoSchedule"),
        ({"pricePerHour": "1"}, "nodeGroups[0].pricePerHour", "not a number"),
    ],
)
def test_a_wrong_value_is_reported_with_place_and_remedy(group, where, message):
    found = problems_of(json.dumps(a_file(nodeGroups=[GROUP | group])))
    assert list(found) == [where]
    assert message in found[where]


@pytest.mark.parametrize(
    ("profile", "where", "message"),
    [
        ({"type": "spik"}, "", "Did you mean spike?"),
        ({"rate": 1}, "", '"type" is missing'),
        ({"type": "constant", "rate": -1}, ".rate", "too small"),
        ({"type": "step", "from": 1, "to": 2, "at": 60}, ".at", 'for example "90s"'),
        ({"type": "sum", "profiles": [{"type": "constant"}]}, ".profiles[0].rate", "missing"),
        ({"type": "clip", "profile": {"type": "constant", "rate": 1}, "min": 5, "max": 1}, ".min", "Lower it to 1"),
        ({"type": "points", "points": [{"at": "1m", "rate": 1}] * 2}, ".points[1].at", "in order of time"),
        ({"type": "points", "points": [{"at": "1m", "rate": -1}]}, ".points[0].rate", "too small"),
        ({"type": "sum", "profiles": [{"type": "points", "points": 1}]}, ".profiles[0].points", "between [ and ]"),
        (deep_profile(9), "", "into one sum"),
    ],
)
def test_a_wrong_load_profile_is_reported_with_its_place(profile, where, message):
    workload = {"name": "web", "traffic": {"profile": profile}}
    found = problems_of(json.dumps(a_file(workloads=[workload])))
    place = f"workloads[0].traffic.profile{where}"
    assert list(found) == [place]
    assert message in found[place]


@pytest.mark.parametrize(
    ("autoscaler", "where", "message"),
    [
        ({"minReplicas": 9}, ".minReplicas", "Lower it to 8 or raise maxReplicas"),
        ({"metrics": [{}]}, ".metrics[0].averageUtilization", "Write for example 60"),
        ({"metrics": [{"averageUtilization": 60, "averageValue": "1"}]}, ".metrics[0].averageValue", "Remove it"),
        ({"metrics": [{"targetType": "AverageValue"}]}, ".metrics[0].averageValue", '"300m"'),
        ({"metrics": [{"targetType": "AverageValue", "averageValue": 300}]}, ".metrics[0].averageValue", "its unit"),
        (
            {"metrics": [{"targetType": "AverageValue", "averageValue": "1", "averageUtilization": 60}]},
            ".metrics[0].averageUtilization",
            "Remove it",
        ),
        (
            {"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1, "period": "1500ms"}]}}},
            ".behavior.scaleUp.policies[0].period",
            'Write for example "2s".',
        ),
    ],
)
def test_contradictory_values_of_an_autoscaler_are_reported_at_the_one_to_change(autoscaler, where, message):
    given = {"name": "web", "scaleTarget": "web", "maxReplicas": 8}
    found = problems_of(json.dumps(a_file(horizontalPodAutoscalers=[given | autoscaler])))
    place = f"horizontalPodAutoscalers[0]{where}"
    assert list(found) == [place]
    assert message in found[place]


def test_a_broken_pattern_is_reported_in_full_with_the_position():
    tier = {"priority": 1, "groups": ["ok", "a; (b"]}
    found = problems_of(json.dumps(a_file(clusterAutoscaler={"priorityExpander": [tier]})))
    assert list(found) == ["clusterAutoscaler.priorityExpander[0].groups[1]"]
    assert "'a; (b' is not a regular expression" in next(iter(found.values()))


@pytest.mark.parametrize("field", ["maxSkew", "minDomains"])
def test_a_spread_constraint_of_absurd_size_is_refused(field):
    constraint = {"maxSkew": 1, "topologyKey": "zone"} | {field: 10**30}
    workload = {"name": "web", "pod": {"topologySpreadConstraints": [constraint]}}
    found = problems_of(json.dumps(a_file(workloads=[workload])))
    assert list(found) == [f"workloads[0].pod.topologySpreadConstraints[0].{field}"]


def test_amounts_out_of_bounds_are_shown_as_the_file_writes_them():
    found = problems_of(json.dumps(a_file(simulation={"duration": "999d"})))
    assert found == {"simulation.duration": "999d is too large. The largest value allowed is 366d."}


@pytest.mark.parametrize(("value", "text"), [(90, "90"), (True, "true"), (None, "null"), (1.5, "1.5"), ([], "[]")])
def test_a_value_that_is_not_text_with_a_unit_says_so(value, text):
    found = problems_of(json.dumps(a_file(simulation={"duration": value})))
    assert found == {
        "simulation.duration": f'{text} is not a duration. Write it as text with its unit, for example "90s".'
    }


@pytest.mark.parametrize("text", ["NaN", "-Infinity", '"\\ud800"', '{"\\ud800": 1}'])
def test_marks_at_the_top_have_a_place_too(text):
    assert list(problems_of(text)) == ["plan"]


def test_thousands_of_wrong_keys_are_reported_up_to_a_bound():
    assert len(problems_of(json.dumps(a_file(**{f"k{index}": 1 for index in range(5_000)})))) == 100


def test_an_endless_key_is_cut_where_it_is_shown():
    long = "k" * 1_000_000
    for text in (json.dumps(a_file(**{long: 1})), f'{{"schemaVersion": 1, "{long}": [NaN, NaN]}}'):
        assert all(len(place) + len(message) < 2_000 for place, message in problems_of(text).items())


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_numbers_without_value_are_refused(number):
    found = problems_of(f'{{"schemaVersion": 1, "nodeGroups": [{{"pricePerHour": {number}}}]}}')
    assert "ordinary number" in found["nodeGroups[0].pricePerHour"]


def test_a_key_given_twice_is_refused():
    found = problems_of('{"schemaVersion": 1, "simulation": {"seed": 1, "seed": 2}, "name": "a", "name": "b"}')
    assert set(found) == {"simulation.seed", "name"}
    assert "given twice" in found["name"]


def test_half_a_character_is_refused():
    assert "half a character" in problems_of('{"schemaVersion": 1, "name": "\\ud800"}')["name"]


@pytest.mark.parametrize("version", ['"1"', "0", "-1", "1.0", "true", "null", "[]"])
def test_a_version_that_is_none_is_refused(version):
    assert "is not a valid version" in problems_of(f'{{"schemaVersion": {version}}}')["schemaVersion"]


def test_all_problems_of_a_file_are_reported_at_once():
    groups = [GROUP | {"cpu": 3, "minSize": "x"}, {"name": "B"}]
    found = problems_of(json.dumps(a_file(nodeGroups=groups, nam="typo")))
    assert set(found) == {
        "nodeGroups[0].cpu",
        "nodeGroups[0].minSize",
        "nodeGroups[1].name",
        "nodeGroups[1].cpu",
        "nodeGroups[1].memory",
        "nam",
    }


def test_an_empty_plan_has_all_defaults():
    assert plan_from_text('{"schemaVersion": 1}', "text") == Plan()


def test_a_file_begins_with_the_version_and_holds_what_was_set():
    plan = a_plan(workloads=(), node_groups=(a_node_group(boot := "pool", min_size=0, provisioning_delay="90s"),))
    data = json.loads(plan_to_text(plan))
    assert list(data) == ["schemaVersion", "nodeGroups", "workloads"]
    assert data["nodeGroups"] == [
        {"name": boot, "minSize": 0, "cpu": "4", "memory": "16Gi", "provisioningDelay": "1m30s"}
    ]
    assert plan_to_text(plan).count("\n") == 13


def test_zero_needs_no_unit():
    plan = plan_from_text(json.dumps(a_file(nodeGroups=[GROUP | {"deletionDelay": 0}])), "text")
    assert plan.node_groups[0].deletion_delay == 0


def test_an_older_file_is_converted_step_by_step(monkeypatch):
    steps = {1: lambda data: data | {"b": data["a"] + 1}, 2: lambda data: data | {"c": data["b"] + 1}}
    monkeypatch.setattr("planner.plan.files.migrations.MIGRATIONS", steps)
    assert migrate({"schemaVersion": 1, "a": 1}, 1, 3) == {"schemaVersion": 3, "a": 1, "b": 2, "c": 3}
    with pytest.raises(LookupError, match="from version 3 to 4"):
        migrate({"a": 1}, 1, 4)


AUTOSCALED = {
    "schemaVersion": 2,
    "workloads": [{"name": "web"}],
    "horizontalPodAutoscalers": [{"name": "web", "scaleTarget": "web", "maxReplicas": 5}],
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, ("sampled", 15, 15, 15, 15)),
        ({"metricsPipeline": {"resolution": "30s", "phase": "0s"}}, ("sampled", 30, 30, 15, 15)),
        ({"metricsPipeline": {"sampling": "perContainer", "phase": "7s"}}, ("perContainer", 15, 7, 15, 15)),
        ({"hpaController": {"syncPeriod": "30s"}}, ("sampled", 15, 15, 30, 30)),
        ({"hpaController": {"phase": "4s"}}, ("sampled", 15, 15, 15, 4)),
    ],
)
def test_a_plan_of_version_2_keeps_its_exact_samples_and_syncs(old, new):
    plan = plan_from_text(json.dumps(AUTOSCALED | old), "text")
    pipeline, controller = plan.metrics_pipeline, plan.hpa_controller
    times = pipeline.scrape_interval, pipeline.phase, controller.sync_period, controller.phase
    assert (pipeline.sampling.value, *(time // US_PER_S for time in times)) == new
    assert controller.evaluation_time == 0
    assert plan_from_text(plan_to_text(plan), "text") == plan


def test_a_plan_of_version_2_without_autoscalers_gets_the_new_defaults():
    assert plan_from_text('{"schemaVersion": 2}', "text") == Plan()


@pytest.mark.parametrize("settings", [{}, {"simulation": {"seed": 7}}])
def test_the_load_of_a_plan_of_version_2_stays_a_fluid(settings):
    web = {"name": "web", "traffic": {"profile": {"type": "constant", "rate": 5}}}
    plan = plan_from_text(json.dumps({"schemaVersion": 2, "workloads": [web]} | settings), "text")
    assert not plan.simulation.discrete_requests
    assert plan.simulation.seed == settings.get("simulation", {}).get("seed", 1)
    assert plan_from_text(json.dumps({"schemaVersion": 3, "workloads": [web]}), "text").simulation.discrete_requests


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"cv": 1.0}),
        ({"cv": 0.5, "concurrency": 0, "threads": 0}, {"cv": 0.5}),
        ({"concurrency": 3}, {"workers": 3, "cv": 1.0}),
        ({"threads": 8, "discipline": "queue"}, {"workers": 8, "cv": 1.0, "discipline": "queue"}),
        ({"threads": 8, "concurrency": 4}, {"workers": 4, "cv": 1.0}),
    ],
)
def test_a_plan_of_version_3_keeps_its_servers_and_its_variability(old, new):
    web = {"name": "web", "traffic": {"profile": {"type": "constant", "rate": 5}}, "calls": [{"workload": "back"}]}
    silent, back = {"name": "silent"}, {"name": "back"}
    plan = plan_from_text(json.dumps({"schemaVersion": 3, "workloads": [web | {"demand": old}, silent, back]}), "text")
    demands = [one.demand.model_dump(mode="json", by_alias=True, exclude_unset=True) for one in plan.workloads]
    assert demands == [new, {}, {"cv": 1.0}]
    assert plan_from_text(plan_to_text(plan), "text") == plan


@pytest.mark.parametrize("demand", [3, {"concurrency": "many"}, {"threads": -1}, {"cv": "x"}])
def test_a_broken_demand_of_version_3_is_reported_at_its_place(demand):
    broken = {"schemaVersion": 3, "workloads": [{"name": "web", "demand": demand}]}
    assert any(place.startswith("workloads[0].demand") for place in problems_of(json.dumps(broken)))


@pytest.mark.parametrize(
    "broken",
    [{"metricsPipeline": 3}, {"hpaController": []}, {"horizontalPodAutoscalers": 1}, {"simulation": 3}],
)
def test_a_broken_plan_of_version_2_is_reported_at_its_place(broken):
    assert next(iter(broken)) in problems_of(json.dumps(AUTOSCALED | broken))


def test_a_plan_of_version_1_loads_without_the_field_that_only_served_comparisons():
    old = {"schemaVersion": 1, "name": "shop", "simulation": {"seed": 7, "referenceStandIns": True}}
    plan = plan_from_text(json.dumps(old), "text")
    assert (plan.schema_version, plan.name, plan.simulation.seed) == (SCHEMA_VERSION, "shop", 7)


@pytest.mark.parametrize("step", [lambda data: data["gone"], None])
def test_an_older_file_that_cannot_be_converted_is_refused(monkeypatch, step):
    monkeypatch.setattr("planner.plan.files.migrations.MIGRATIONS", {1: step} if step else {})
    with pytest.raises(PlanFileError, match=f"could not be converted to version {SCHEMA_VERSION}"):
        plan_from_text('{"schemaVersion": 1}', "text")


def test_saving_and_loading_gives_the_same_plan(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(name="가나다"), path)
    assert load_plan(path) == a_plan(name="가나다")


@pytest.mark.parametrize("path", sorted(Path("scenarios").glob("*/plan.headroom")), ids=lambda path: path.parent.name)
def test_a_plan_is_written_as_json_with_two_spaces_the_version_first(path):
    plan = load_plan(path)
    values = {"schemaVersion": SCHEMA_VERSION} | plan.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert plan_to_text(plan) == json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def test_a_new_plan_says_its_version():
    assert json.loads(plan_to_text(Plan(name="한국"))) == {"schemaVersion": SCHEMA_VERSION, "name": "한국"}
