"""Label selectors in their text form, as the scale subresource carries them ("app=web,tier in (a,b)")."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_TOKEN = re.compile(r"\s*(==|!=|=|!|<|>|\(|\)|,|[^\s=!<>(),]+)")
_KEY = re.compile(r"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$")
_VALUE = re.compile(r"^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$")
_INTEGER = re.compile(r"^[0-9]+$")


class Requirement(NamedTuple):
    """One condition on the labels. Operators: in, notin, exists, absent, gt, lt."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels meet it; a missing label meets notin and absent."""
        value = labels.get(self.key)
        if self.operator == "in":
            return value in self.values
        if self.operator == "notin":
            return value not in self.values
        if self.operator == "exists":
            return value is not None
        if self.operator == "absent":
            return value is None
        if value is None or not _INTEGER.match(value):
            return False
        bound = int(self.values[0])
        return int(value) > bound if self.operator == "gt" else int(value) < bound


def parse_selector(text: str) -> tuple[Requirement, ...]:
    """The requirements of a selector, all of which must hold. Raises ValueError for unreadable text."""
    tokens = _tokens(text)
    requirements: list[Requirement] = []
    position = 0
    while position < len(tokens):
        if requirements:
            if tokens[position] != ",":
                raise ValueError(f"'{text}': a comma is missing before '{tokens[position]}'")
            position += 1
        requirement, position = _requirement(tokens, position, text)
        requirements.append(requirement)
    return tuple(requirements)


def selects(requirements: tuple[Requirement, ...], labels: Mapping[str, str]) -> bool:
    """Whether the labels meet every requirement."""
    return all(requirement.matches(labels) for requirement in requirements)


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"'{text}' is not a label selector")
        tokens.append(match.group(1))
        position = match.end()
    return tokens


def _requirement(tokens: list[str], position: int, text: str) -> tuple[Requirement, int]:
    def at(index: int) -> str:
        return tokens[index] if index < len(tokens) else ""

    if at(position) == "!":
        return Requirement(_key(at(position + 1), text), "absent"), position + 2
    key, operator = _key(at(position), text), at(position + 1)
    if operator in ("", ","):
        return Requirement(key, "exists"), position + 1
    if operator in ("=", "==", "!="):
        value = "" if at(position + 2) in ("", ",") else at(position + 2)
        name = "notin" if operator == "!=" else "in"
        return Requirement(key, name, (_value(value, text),)), position + (3 if value else 2)
    if operator in ("<", ">"):
        value = at(position + 2)
        if not _INTEGER.match(value):
            raise ValueError(f"'{text}': '{operator}' needs a whole number")
        return Requirement(key, "lt" if operator == "<" else "gt", (value,)), position + 3
    if operator in ("in", "notin") and at(position + 2) == "(":
        values, end = _list(tokens, position + 3, text)
        return Requirement(key, operator, values), end
    raise ValueError(f"'{text}': '{operator}' is not an operator of label selectors")


def _list(tokens: list[str], position: int, text: str) -> tuple[tuple[str, ...], int]:
    try:
        end = tokens.index(")", position)
    except ValueError:
        raise ValueError(f"'{text}': a closing parenthesis is missing") from None
    listed = tokens[position:end]
    if any(one != "," and other != "," for one, other in zip(listed, listed[1:], strict=False)):
        raise ValueError(f"'{text}': the values in parentheses are separated by commas")
    inside = "".join(listed)
    return tuple(_value(value, text) for value in inside.split(",")), end + 1


def _key(key: str, text: str) -> str:
    if not _KEY.match(key):
        raise ValueError(f"'{text}': '{key}' is not a label key")
    return key


def _value(value: str, text: str) -> str:
    if not _VALUE.match(value):
        raise ValueError(f"'{text}': '{value}' is not a label value")
    return value
