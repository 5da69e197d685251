"""Since when messages wait: a queue hands out the oldest first."""

from collections import deque


class WaitingMessages:
    """The messages of one queue as spans of arrivals, evenly spread over each. Times are microseconds."""

    def __init__(self, messages: float = 0.0) -> None:
        """`messages` have arrived at the start of the run."""
        self._spans: deque[tuple[float, float, float]] = deque()
        if messages > 0.0:
            self._spans.append((0.0, 0.0, messages))

    def add(self, start_us: float, end_us: float, messages: float) -> None:
        """More that arrived in between, later than all others."""
        if messages > 0.0:
            self._spans.append((start_us, end_us, messages))

    def give_back(self, messages: float, now_us: float) -> None:
        """Messages that pods had fetched are the oldest again; they count as new if no others wait."""
        if messages > 0.0:
            oldest_us = self._spans[0][0] if self._spans else now_us
            self._spans.appendleft((oldest_us, oldest_us, messages))

    def leave(self, waiting: float) -> None:
        """The oldest go until so many are left."""
        spans = self._spans
        surplus = sum(span[2] for span in spans) - waiting if waiting > 0.0 else 0.0
        if waiting <= 0.0:
            spans.clear()
        while surplus > 0.0 and spans:
            start_us, end_us, messages = spans.popleft()
            if messages > surplus:
                spans.appendleft((start_us + (end_us - start_us) * surplus / messages, end_us, messages - surplus))
            surplus -= messages

    def oldest_us(self, now_us: float) -> float:
        """When the oldest one arrived; now if none waits."""
        return self._spans[0][0] if self._spans else now_us
