"""Pods that wait are gathered for a while before a round begins.

Source: Karpenter 1.13, pkg/controllers/provisioning/batcher.go.
"""

from collections.abc import Hashable


class Batcher:
    """A window opens with the first trigger and closes when none has come for a while, or at the latest."""

    def __init__(self, idle_us: int, longest_us: int) -> None:
        self._idle_us = idle_us
        self._longest_us = longest_us
        self._opened_us: int | None = None
        self._last_us = 0
        self._known: dict[Hashable, None] = {}

    def trigger(self, identity: Hashable, now_us: int) -> None:
        """A pod or node asks for a round; one that did so in this window changes nothing."""
        if self._opened_us is None:
            self._opened_us = now_us
        elif identity in self._known:
            return
        self._known[identity] = None
        self._last_us = now_us

    @property
    def closes_us(self) -> int | None:
        """When the window closes, as far as is known now; None while none is open."""
        if self._opened_us is None:
            return None
        return min(self._last_us + self._idle_us, self._opened_us + self._longest_us)

    def close(self) -> None:
        """The window is over."""
        self._opened_us = None
        self._known.clear()
