"""Korean particles whose form depends on the last sound of the word before them.

A translation writes both forms, as in "{name}을(를)"; once the name is known, only one is right.
"""

import re

_FORMS = {
    "을(를)": ("을", "를"),
    "이(가)": ("이", "가"),
    "은(는)": ("은", "는"),
    "과(와)": ("과", "와"),
    "(으)로": ("으로", "로"),
}
"""After a consonant, after a vowel."""
_PATTERN = re.compile(r"(\S)([)\]'\"”’]*)(" + "|".join(map(re.escape, _FORMS)) + ")")
_FIRST, _LAST, _FINALS, _FINAL_L = ord("가"), ord("힣"), 28, 8
_OPEN, _CLOSED, _CLOSED_BY_L = "2459adiorsuxyz", "036mn", "178l"
"""Digits as they are read, and letters after which the sound of an English word is known; 일 칠
팔 end in ㄹ, and 로 needs no vowel after ㄹ."""


def with_particles(text: str) -> str:
    """The text with the one form of each particle that its word takes; both stay where the sound is not known."""
    return _PATTERN.sub(_chosen, text) if "(" in text else text


def _chosen(found: "re.Match[str]") -> str:
    last, between, both = found.groups()
    sound = _final(last)
    if sound is None:
        return found.group()
    after_consonant, after_vowel = _FORMS[both]
    is_open = sound == 0 or (both == "(으)로" and sound == _FINAL_L)
    return last + between + (after_vowel if is_open else after_consonant)


def _final(letter: str) -> int | None:
    """The number of the final consonant in the order of Unicode, 0 for none; None if the sound is not known."""
    if _FIRST <= ord(letter) <= _LAST:
        return (ord(letter) - _FIRST) % _FINALS
    letter = letter.lower()
    if letter in _CLOSED_BY_L:
        return _FINAL_L
    if letter in _CLOSED:
        return 1
    return 0 if letter in _OPEN else None
