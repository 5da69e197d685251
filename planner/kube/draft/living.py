"""What a dump shows of the living pods of controllers."""

from dataclasses import dataclass, field
from typing import Any

from planner.kube.files.source import Source


@dataclass(slots=True)
class LivingShape:
    """Pods with equal containers and requests."""

    manifest: Any
    """The first one of them."""
    source: Source
    youngest: str
    """Latest creation time (RFC 3339); empty where the dump has none."""
    needs: tuple[Any, ...]
    """What makes its pods equal."""
    count: int = 0


@dataclass(slots=True)
class Revision:
    """Living pods of one template of a controller."""

    first: str
    """Earliest creation time (RFC 3339); empty where the dump has none."""
    shapes: dict[str, LivingShape] = field(default_factory=dict)
    latest: LivingShape | None = None
    """That of its last pod, as its next one mostly is."""
