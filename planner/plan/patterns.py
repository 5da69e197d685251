"""Regular expressions as Go reads them, for names in the plan.

Kubernetes components use Go's RE2 syntax. The common part of both languages behaves alike under
`re.search` with ASCII classes; what RE2 refuses (look-around, back references, possessive and
atomic groups) is refused here too, and the few spellings Python lacks are rewritten.
"""

import re

MAX_PATTERN_LENGTH = 1_000
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_POSIX_CLASS = re.compile(r"\[:([a-z]+):\]")
_NOT_RE2 = re.compile(r"(?<!\\)(?:\\\\)*(\\[1-9]|\(\?(?:[=!>#(]|<[=!]|P=)|[*+?}]\+)")


def compile_go_pattern(pattern: str) -> re.Pattern[str]:
    """The pattern, ready for `search`. Raises ValueError when Go would refuse it."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(f"the regular expression is longer than {MAX_PATTERN_LENGTH} characters")
    refused = _NOT_RE2.search(pattern)
    if refused:
        raise ValueError(f"'{refused.group(1)}' is not part of Go's regular expressions")
    text = _POSIX_CLASS.sub(lambda match: _POSIX.get(match.group(1), match.group(0)), pattern)
    text = re.sub(r"(?<!\\)((?:\\\\)*)\\z", r"\1\\Z", text)
    try:
        return re.compile(text, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"'{pattern}' is not a regular expression: {error}") from error
