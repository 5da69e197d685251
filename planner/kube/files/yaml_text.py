"""YAML documents as Kubernetes reads them: JSON values only, with a message for every limit.

Built from the events of the C parser, which never nests calls, so that depth and aliases are bounded before
anything is built. Dates stay text and only true/false words of YAML 1.1 are booleans, as in kubectl.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from planner.kube.files.source import Unreadable
from planner.language.translation import tr

MAX_YAML_BYTES = 64 << 20
MAX_DEPTH = 64
MAX_ALIAS_NODES = 100_000
_MAX_DIGITS = 40
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_OCTAL = re.compile(r"[-+]?0o?[0-7]+\Z")
_HEX = re.compile(r"[-+]?0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_TRUE, _FALSE = ("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), (
    "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF",
)  # fmt: skip
_WORDS: dict[str, Any] = dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False)
_WORDS |= dict.fromkeys(("", "~", "null", "Null", "NULL"))
_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = (f"{_TAG}str", "!", f"{_TAG}timestamp")
_PLAIN_TAGS = tuple(f"{_TAG}{name}" for name in ("int", "float", "bool", "null"))


def yaml_documents(text: str) -> Iterator[Any]:
    """The values of all documents, None for empty ones. Raises Unreadable."""
    events = yaml.parse(text, Loader=yaml.CSafeLoader)
    builder = _Builder()
    try:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                builder = _Builder()
            elif isinstance(event, yaml.DocumentEndEvent):
                yield builder.root
            elif not isinstance(event, yaml.StreamStartEvent | yaml.StreamEndEvent):
                builder.take(event)
    except yaml.YAMLError as error:
        raise _syntax_error(error, text) from None


class _Builder:
    """One document, built from its events."""

    def __init__(self) -> None:
        self.root: Any = None
        self._open: list[_Part] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._alias_nodes = 0

    def take(self, event: yaml.Event) -> None:
        """The next event of the document."""
        if isinstance(event, yaml.ScalarEvent):
            self._close_value(_scalar(event), event.anchor, 1, event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            _refuse_tag(event)
            if len(self._open) >= MAX_DEPTH:
                problem = tr("The document is nested more than {most} deep.", most=MAX_DEPTH)
                raise Unreadable(_at(event), problem, tr("No manifest needs that; flatten or remove it."))
            self._open.append(_Part(event.anchor, isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.AliasEvent):
            self._close_value(*self._alias(event), event)
        else:
            part = self._open.pop()
            self._close_value(part.value, part.anchor, part.nodes, event)

    def _alias(self, event: yaml.AliasEvent) -> tuple[Any, None, int]:
        anchor = str(event.anchor)
        if anchor not in self._anchors:
            problem = tr("The alias *{anchor} has no anchor, or refers to itself.", anchor=anchor[:40])
            raise Unreadable(_at(event), problem, tr("Define the anchor before it is used."))
        value, nodes = self._anchors[anchor]
        self._alias_nodes += nodes
        if self._alias_nodes > MAX_ALIAS_NODES:
            problem = tr("Its aliases expand to more than {most} values.", most=MAX_ALIAS_NODES)
            raise Unreadable(_at(event), problem, tr("Write the values out, or split the file."))
        return value, None, nodes

    def _close_value(self, value: Any, anchor: str | None, nodes: int, event: yaml.Event) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, nodes)
        if self._open:
            self._open[-1].put(value, nodes, event)
        else:
            self.root = value


class _Part:
    """A map or list that is being filled."""

    def __init__(self, anchor: str | None, is_map: bool) -> None:
        self.anchor = anchor
        self.value: Any = {} if is_map else []
        self.nodes = 1
        self._merged: dict[str, Any] = {}
        self._key: str | None = None

    def put(self, value: Any, nodes: int, event: yaml.Event) -> None:
        """The next key or value."""
        self.nodes += nodes
        if isinstance(self.value, list):
            self.value.append(value)
        elif self._key is None:
            key = _key(value, event)
            if key in self.value and key not in self._merged:
                raise Unreadable(_at(event), tr('"{key}" is given twice.', key=key[:60]), tr("Keep one of them."))
            self._key = key
        else:
            key, self._key = self._key, None
            if key == "<<" and isinstance(event, yaml.AliasEvent | yaml.MappingEndEvent | yaml.SequenceEndEvent):
                self._merge(value, event)
            else:
                self._merged.pop(key, None)
                self.value[key] = value

    def _merge(self, value: Any, event: yaml.Event) -> None:
        """The merge key of YAML 1.1: own keys win, earlier maps win over later ones."""
        for other in value if isinstance(value, list) else [value]:
            if not isinstance(other, dict):
                raise Unreadable(
                    _at(event), tr("Only maps can be merged with <<."), tr("Refer to maps, or write the values out.")
                )
            fresh = {key: part for key, part in other.items() if key not in self.value}
            self.nodes += len(fresh)
            self.value.update(fresh)
            self._merged.update(fresh)


def _key(value: Any, event: yaml.Event) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, dict | list):
        raise Unreadable(_at(event), tr("A key is not plain text."), tr("Write text before the colon."))
    return str(value)


def _scalar(event: yaml.ScalarEvent) -> Any:
    text: str = event.value
    if event.tag is not None:
        if event.tag in _TEXT_TAGS:
            return text
        if event.tag not in _PLAIN_TAGS:
            _refuse_tag(event)
    elif not event.implicit[0]:
        return text
    return plain_value(text, event)


def plain_value(text: str, event: yaml.Event | None = None) -> Any:
    """What a word without quotes means."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    for pattern, base in ((_INT, 10), (_HEX, 16), (_OCTAL, 8)):
        if pattern.match(text):
            if len(text) > _MAX_DIGITS:
                raise Unreadable(
                    _at(event),
                    tr("{value}... is not a usable number.", value=text[:20]),
                    tr("Put it in quotes, or shorten it."),
                )
            return int(text, base)
    if _FLOAT.match(text) and len(text) <= _MAX_DIGITS:
        number = float(text)
        return number if abs(number) < float("inf") else text
    return text


def _refuse_tag(event: yaml.Event) -> None:
    tag = getattr(event, "tag", None)
    if tag is not None and tag not in ("!", f"{_TAG}map", f"{_TAG}seq"):
        raise Unreadable(
            _at(event),
            tr("The tag {tag} is not allowed.", tag=tag[:60]),
            tr("Manifests contain plain values only; remove it."),
        )


def _at(event: yaml.Event | None) -> str:
    mark = getattr(event, "start_mark", None)
    return "" if mark is None else f"line {mark.line + 1}"


def _syntax_error(error: yaml.YAMLError, text: str) -> Unreadable:
    mark = getattr(error, "problem_mark", None)
    place = "" if mark is None else f"line {mark.line + 1}, column {mark.column + 1}"
    reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or tr("it cannot be read"))
    if mark is not None and "\t" in _line(text, mark.line)[: mark.column + 1]:
        return Unreadable(place, tr("There is a tab where YAML requires spaces."), tr("Indent with spaces."))
    return Unreadable(
        place,
        tr("This is not YAML ({reason}).", reason=reason),
        tr("Correct this line; `kubectl apply --dry-run` says more."),
    )


def _line(text: str, number: int) -> str:
    start = 0
    for _ in range(number):
        start = text.find("\n", start) + 1
    return text[start:].partition("\n")[0] if number == 0 or start else ""
