"""Words and signs of a formula.

Source: github.com/expr-lang/expr 1.17.6, parser/lexer.
"""

import re

from planner.language.translation import tr

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d_]*(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?!\w)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\*\*|&&|\|\||==|!=|<=|>=|\?\?|\.\.|[-+*/%^<>!?:(),\[\]{}#|;=]))"
)
_WORDS = {"and": "&&", "or": "||", "not": "!"}


def tokens_of(text: str) -> list[str]:
    """The words and signs, the words of logic as signs. Raises ValueError, written "problem; remedy"."""
    found, at = [], 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(
                tr(
                    "{strip!r} is not understood in a formula; use numbers, names and operators",
                    strip=text[at:].strip()[:20],
                )
            )
        found.append(_WORDS.get(token[0].strip(), token[0].strip()))
        at = token.end()
    return found


def is_number(token: str) -> bool:
    """Whether a token is a number."""
    return token[:1].isdigit() or (token[:1] == "." and token != "..")


def is_name(token: str) -> bool:
    """Whether a token is a name."""
    return token[:1].isalpha() or token[:1] == "_"


def number(token: str) -> int | float:
    """The number that a token is, whole if it is written without point and exponent. Raises ValueError."""
    text = token.replace("_", "")
    value = float(text) if set(text) & set(".eE") else int(text)
    if abs(value) == float("inf") or (isinstance(value, int) and value >= 2**63):
        raise ValueError(tr("{token} is too large for a formula; write a smaller number", token=token))
    return value
