"""The JSON schema of plan files, for editors and other programs; kept in resources/plan.schema.json.

`python -m planner.plan.files.json_schema > resources/plan.schema.json` regenerates it.
"""

import json
import sys
from typing import Any

from planner.plan.model.plan import SCHEMA_VERSION, Plan


def plan_json_schema() -> dict[str, Any]:
    """JSON schema (draft 2020-12) of a plan file of today's version."""
    schema = Plan.model_json_schema(by_alias=True, mode="validation")
    version = {**schema["properties"]["schemaVersion"], "const": SCHEMA_VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://headroom.example/plan-{SCHEMA_VERSION}.schema.json",
        **schema,
        "title": "Headroom plan",
        "properties": schema["properties"] | {"schemaVersion": version},
        "required": sorted({*schema.get("required", ()), "schemaVersion"}),
    }


def plan_json_schema_text() -> str:
    """The schema as its file holds it."""
    return json.dumps(plan_json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(plan_json_schema_text())
