"""The same object in two files is one object: two dumps of a cluster, or a manifest beside a dump."""

from typing import Any

_DEFAULT_NAMESPACE = "default"


class SeenObjects:
    """Objects that were met, by kind, namespace and name."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, str], None] = {}

    def double(self, kind: str, value: Any) -> str | None:
        """What an object is called that was met before; None for the first one, and for objects without a name."""
        metadata = value.get("metadata") if isinstance(value, dict) else None
        name = metadata.get("name") if isinstance(metadata, dict) else None
        if not isinstance(metadata, dict) or not isinstance(name, str):
            return None
        namespace = metadata.get("namespace")
        key = (kind, namespace if isinstance(namespace, str) and namespace else _DEFAULT_NAMESPACE, name)
        if key in self._seen:
            return f"{namespace}/{name}" if isinstance(namespace, str) else name
        self._seen[key] = None
        return None
