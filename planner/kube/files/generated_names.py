"""Names for objects with `generateName`: the API server would add random letters, an import numbers them."""

from typing import Any

from planner.kube.files.source import Source


def named(objects: list[tuple[Source, Any]]) -> list[tuple[Source, Any]]:
    """The objects, each with a name where the API server would give it one."""
    counts: dict[tuple[str, str, str], int] = {}
    return [(source, _named(value, counts)) for source, value in objects]


def _named(value: Any, counts: dict[tuple[str, str, str], int]) -> Any:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if not isinstance(metadata, dict) or metadata.get("name") or not isinstance(metadata.get("generateName"), str):
        return value
    prefix = metadata["generateName"]
    key = (str(value.get("kind")), str(metadata.get("namespace")), prefix)
    counts[key] = counts.get(key, 0) + 1
    separator = "" if not prefix or prefix.endswith(("-", ".")) else "-"
    return {**value, "metadata": {**metadata, "name": f"{prefix}{separator}{counts[key]}"}}
