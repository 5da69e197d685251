"""How a part of the figures is handed on."""

from collections.abc import Iterator

from planner.record.result import Figure

Named = Iterator[tuple[str, Figure]]
"""Figures with their names, in the order in which they are listed."""
