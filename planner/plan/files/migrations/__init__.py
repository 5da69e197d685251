"""Migrations: convert older plan files to the current schema, one version at a time.

To add one: write `from_<n>.py` with a function that takes the file's JSON object of version n and returns
that of version n + 1, and name it in `MIGRATIONS`. A field with a default needs none; a changed meaning does.
"""

from collections.abc import Callable, Mapping
from typing import Any

from planner.plan.files.migrations.from_1 import from_1
from planner.plan.files.migrations.from_2 import from_2
from planner.plan.files.migrations.from_3 import from_3

Migration = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: Mapping[int, Migration] = {1: from_1, 2: from_2, 3: from_3}
"""Version of the file -> the step to the next version."""


def migrate(data: dict[str, Any], version: int, target: int) -> dict[str, Any]:
    """The file's object in version `target`. Raises LookupError if a step is missing."""
    for step in range(version, target):
        if step not in MIGRATIONS:
            raise LookupError(f"there is no way from version {step} to {step + 1}")
        data = MIGRATIONS[step](data) | {"schemaVersion": step + 1}
    return data
