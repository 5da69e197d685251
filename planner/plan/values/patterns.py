"""Regular expressions in Go's RE2 syntax, as Kubernetes components use them, matched in linear time."""

import re2

from planner.language.translation import tr

MAX_PATTERN_LENGTH = 1_000
_MAX_SHOWN = 60


class GoPattern:
    """A compiled RE2 pattern."""

    def __init__(self, pattern: str) -> None:
        options = re2.Options()
        options.log_errors = False
        self._compiled = re2.compile(pattern, options)

    def search(self, text: str) -> bool:
        """Whether the pattern occurs anywhere in the text."""
        return self._compiled.search(text) is not None


def compile_go_pattern(pattern: str) -> GoPattern:
    """The pattern, ready for `search`. Raises ValueError when Go would refuse it."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(
            tr(
                "the regular expression is longer than {max_pattern_length} characters",
                max_pattern_length=MAX_PATTERN_LENGTH,
            )
        )
    try:
        return GoPattern(pattern)
    except re2.error as error:
        raise ValueError(
            tr(
                "'{pattern}' is not a regular expression: {text_of}",
                pattern=pattern[:_MAX_SHOWN],
                text_of=_text_of(error),
            )
        ) from error


def _text_of(error: Exception) -> str:
    """The library gives its messages as bytes."""
    first = error.args[0] if error.args else ""
    return first.decode("utf-8", errors="replace") if isinstance(first, bytes) else str(first)
