from pathlib import Path

from pydantic import BaseModel

from planner.plan.files.json_schema import plan_json_schema, plan_json_schema_text
from planner.plan.files.places import Place, place_at, where_of
from planner.plan.model.plan import Plan

RESOURCE = Path(__file__).parents[4] / "resources" / "plan.schema.json"


def test_the_schema_file_is_that_of_the_models():
    remedy = "python -m planner.plan.files.json_schema > resources/plan.schema.json"
    assert RESOURCE.read_text(encoding="utf-8") == plan_json_schema_text(), f"If meant: {remedy}"


def test_the_schema_demands_the_version_and_refuses_unknown_keys():
    schema = plan_json_schema()
    assert schema["required"] == ["schemaVersion"]
    assert schema["additionalProperties"] is False


def models_below(place: Place, seen: set[type[BaseModel]]):
    for model in place.models:
        if model in seen:
            continue
        seen.add(model)
        for name, info in model.model_fields.items():
            yield model, name, info
            child = Place(model).child(name, None)
            yield from models_below(child, seen)
            for inner in (child.child(0, None), child.child("key", None)):
                if inner is not None:
                    yield from models_below(inner, seen)


def test_every_field_of_the_plan_has_title_and_help():
    for model, name, info in models_below(Place(Plan), set()):
        if name == "type" and not info.title:
            continue  # the tag that selects one of several load profiles
        assert info.title and info.description, f"{model.__name__}.{name}"


def test_places_are_spelled_as_in_the_file():
    assert where_of(Plan, ("node_groups", 0, "max_size")) == "nodeGroups[0].maxSize"
    assert where_of(Plan, ("node_groups", 0, "labels", "a.b/c")) == 'nodeGroups[0].labels["a.b/c"]'
    assert where_of(Plan, ("workloads", 1, "traffic", "profile", "step", "from")) == "workloads[1].traffic.profile.from"
    assert place_at(Plan, ("workloads", 1, "cpu_use")).spelling.example == "250m"
