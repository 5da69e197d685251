"""Sentences of checks and hints name fields by their keys in a plan file; the window says what its forms call them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pydantic import BaseModel

from planner.plan.files.places import Path, Place
from planner.plan.model.plan import Plan
from planner.record.text.wording import event_name
from ui.editor.values.text import plan_text
from ui.editor.values.where import DOT, path_of, words_at

_KEY = re.compile(r"(?<![\w\"“.'/-])[a-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*(?![\w/\[-]|:\w)", re.ASCII)
_IS_KEY = re.compile(r"[A-Z.]")
"""One plain word is left as it is: `replicas` reads well, and most words are no keys."""


def with_titles(text: str, path: Path = ()) -> str:
    """A sentence about a place of the plan, with “Maximum” instead of maxReplicas."""
    return _KEY.sub(lambda key: _title(key[0], path) if _IS_KEY.search(key[0]) else key[0], text)


def in_words(where: str, problem: str, remedy: str, plan: Plan) -> str:
    """A problem with its place, all in the words of the screen."""
    path = path_of(where)
    return f"{words_at(path, plan) or where}: {with_titles(f'{problem} {remedy}'.strip(), path)}"


def _title(key: str, path: Path) -> str:
    for owner in reversed(_owners(path)):
        found = _titles(owner, key)
        if found is not None:
            is_beside = owner is Plan and len(found) > 1 and _python_key(path) == key.partition(".")[0]
            return _quoted(found[1:] if is_beside else found)
    kind = event_name(key)
    return _quoted(_titles_anywhere(key)) or (kind if kind == key else f"“{kind}”")


def _quoted(titles: Sequence[str]) -> str:
    return f"“{DOT.join(map(plan_text, titles))}”" if titles else ""


def _python_key(path: Path) -> str:
    """The file's key of the part of the plan that a path begins with."""
    info = Plan.model_fields.get(str(path[0])) if path else None
    return "" if info is None else info.alias or str(path[0])


def _owners(path: Path) -> tuple[type[BaseModel], ...]:
    """The models that a path leads through, from the plan inwards."""
    place, owners = Place(Plan), list[type[BaseModel]]([Plan])
    for step in path:
        children = (Place(model).child(step) for model in place.models) if place.models else (place.child(step),)
        found = next((child for child in children if child is not None), None)
        if found is None:
            break
        owners.extend(found.models)
        place = found
    return tuple(owners)


@cache
def _titles(owner: type[BaseModel], key: str) -> tuple[str, ...] | None:
    """The titles on the way from a model to the field of a dotted key; None if it has none such."""
    place, titles = Place(owner), list[str]()
    for step in key.split("."):
        found = next((child for model in place.models if (child := Place(model).child(step)) is not None), None)
        found = place.child(step) if found is None and not place.models else found
        if found is None:
            return None
        titles.append((found.info.title if found.info is not None else None) or step)
        place = found
    return tuple(titles)


@cache
def _titles_anywhere(key: str) -> tuple[str, ...]:
    """The titles of a key that every model which has it calls alike; none where they differ."""
    found = {titles for model in _models() if (titles := _titles(model, key)) is not None}
    return next(iter(found)) if len(found) == 1 else ()


@cache
def _models() -> tuple[type[BaseModel], ...]:
    seen: dict[type[BaseModel], None] = {}
    _gather(Place(Plan), seen)
    return tuple(seen)


def _gather(place: Place, seen: dict[type[BaseModel], None]) -> None:
    for model in place.models:
        if model not in seen:
            seen[model] = None
            for child in _children(model):
                _gather(child, seen)


def _children(model: type[BaseModel]) -> Iterator[Place]:
    for name in model.model_fields:
        child = Place(model).child(name)
        while child is not None:
            yield child
            child = child.child(0) or child.child("key") if not child.models else None
