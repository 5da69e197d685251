"""Turns pydantic's errors into problems a user understands: where, what is wrong, and how to fix it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from planner.errors import PlanProblem, problem_and_remedy
from planner.language.translation import marked, tr
from planner.plan.files.nearest import nearest
from planner.plan.files.places import Path, Place, model_tag, place_at, unknown_child
from planner.plan.values.fields import Misfit, Spelling

_MAX_SHOWN, _MAX_PLACE = 60, 400
MOST_LISTED = 100
"""Of more problems than these only the number is given."""
_NAME_RULE = marked("Use lower case letters, digits, '-' and '.', beginning and ending with a letter or digit.")
_TYPES = {
    "int_type": (marked("a whole number"), marked("Write a whole number without quotes or fraction, for example 3.")),
    "int_from_float": (marked("a whole number"), marked("Write a whole number without fraction, for example 3.")),
    "int_parsing": (marked("a whole number"), marked("Write a whole number, for example 3.")),
    "int_parsing_size": (marked("a whole number within the allowed range"), marked("Write a smaller number.")),
    "float_type": ("a number", marked("Write a number without quotes, for example 2.5.")),
    "float_parsing": ("a number", marked("Write a number, for example 2.5.")),
    "finite_number": (marked("a finite number"), marked("Write an ordinary number, for example 2.5.")),
    "bool_type": (marked("true or false"), marked("Write true or false without quotes.")),
    "bool_parsing": (marked("true or false"), marked("Write true or false.")),
    "string_type": ("text", marked("Write it in double quotes.")),
    "string_unicode": (marked("valid text"), marked("Retype it; it contains an invalid character.")),
    "tuple_type": ("a list", marked("Put it between [ and ].")),
    "list_type": ("a list", marked("Put it between [ and ].")),
    "dict_type": ("a map", marked("Write pairs of key and value between { and }.")),
    "model_type": (marked("a group of settings"), marked("Write settings between { and }.")),
    "model_attributes_type": (marked("a group of settings"), marked("Write settings between { and }.")),
    "dataclass_type": (marked("a group of settings"), marked("Write settings between { and }.")),
}


def shown(value: object) -> str:
    """A value as the file would write it, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "..."


def problems_from(
    error: ValidationError, root: type[BaseModel], base: Path = (), data: object = None
) -> list[PlanProblem]:
    """As `problems_and_count`."""
    return problems_and_count(error, root, base, data)[0]


def problems_and_count(
    error: ValidationError, root: type[BaseModel], base: Path = (), data: object = None
) -> tuple[list[PlanProblem], int]:
    """The problems of a failed validation, at most MOST_LISTED, and how many there are.

    `root` and `base`: the model at the top and the path from it to what was validated; `data`: the value at the top,
    if known. A list that is "too short" only because its items are wrong is not reported twice.
    """
    found = error.errors(include_url=False)
    above = {tuple(detail["loc"][:length]) for detail in found for length in range(len(detail["loc"]))}
    details = [detail for detail in found if detail["type"] != "too_short" or tuple(detail["loc"]) not in above]
    problems = list[PlanProblem]()
    for detail in details[:MOST_LISTED]:
        path = base + tuple(detail["loc"]) + _steps_of_misfit(detail)
        is_extra = detail["type"] == "extra_forbidden"  # shown as written, even if it is Python's name of a field
        place = unknown_child(place_at(root, path[:-1], data), path[-1]) if is_extra else place_at(root, path, data)
        problems.append(_problem(dict(detail), place))
    return problems, len(details)


def _steps_of_misfit(detail: Mapping[str, Any]) -> Path:
    """Where within the validated value a model's own check found the fault."""
    fault = detail.get("ctx", {}).get("error")
    return fault.steps if isinstance(fault, Misfit) else ()


def _problem(detail: dict[str, Any], place: Place) -> PlanProblem:
    kind, value, context = detail["type"], detail.get("input"), detail.get("ctx", {})
    if kind in _TYPES:
        what, remedy = map(tr, _TYPES[kind])
        problem = tr("{shown} is not {what}.", shown=shown(value), what=what)
    else:
        problem, remedy = _SENTENCES.get(kind, _other)(value, context, place, detail)
    return PlanProblem(_short(place.where) or "plan", problem, remedy)


def _short(where: str) -> str:
    """Places end with the key they are about; only an absurd key makes one longer than this."""
    return where if len(where) <= _MAX_PLACE else where[: _MAX_PLACE - 3] + "..."


_Sentence = Callable[[Any, dict[str, Any], Place, dict[str, Any]], tuple[str, str]]


def _missing(_value: Any, _context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    about = f"{place.info.title}: {place.info.description}" if place.info else ""
    return tr("This value is missing."), tr("Add it. {about}", about=about).strip()


def _unknown_key(_value: Any, _context: dict[str, Any], place: Place, detail: dict[str, Any]) -> tuple[str, str]:
    key = str(detail["loc"][-1])
    known = [info.alias or name for name, info in place.model.model_fields.items()] if place.model else []
    guess = nearest(key, known)
    remedy = tr("Remove it; the known keys are {known}.", known=", ".join(known)) if known else tr("Remove it.")
    return tr("{key} is not a known key here.", key=shown(key)), tr(
        "Did you mean {guess}?", guess=shown(guess)
    ) if guess else remedy


def _below(value: Any, context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    text = _amount(value, place)
    if "ge" in context:
        return tr("{text} is too small.", text=text), tr(
            "The smallest value allowed is {bound}.", bound=_bound(context["ge"], place)
        )
    return tr("{text} is too small.", text=text), tr("It must be above {bound}.", bound=_bound(context["gt"], place))


def _above(value: Any, context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    text = _amount(value, place)
    if "le" in context:
        return tr("{text} is too large.", text=text), tr(
            "The largest value allowed is {bound}.", bound=_bound(context["le"], place)
        )
    return tr("{text} is too large.", text=text), tr("It must be below {bound}.", bound=_bound(context["lt"], place))


def _amount(value: Any, place: Place) -> str:
    """A number as the file would write it; the validator sees those with a unit already parsed."""
    if place.spelling is None or type(value) is not int:
        return shown(value)
    text = f"-{place.spelling.format(-value)}" if value < 0 else place.spelling.format(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "..."


def _bound(bound: Any, place: Place) -> str:
    if place.spelling is not None:
        return place.spelling.format(int(bound))
    return f"{bound:.15g}"


def _too_long(value: Any, context: dict[str, Any], _place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    most = context["max_length"]
    if isinstance(value, str):
        return tr("{shown} is too long ({count} characters).", shown=shown(value), count=len(value)), tr(
            "Use at most {most} characters.", most=most
        )
    return tr("There are too many entries."), tr("Keep at most {most}.", most=most)


def _too_short(value: Any, context: dict[str, Any], _place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    least = context["min_length"]
    if isinstance(value, str):
        problem = tr("{shown} is too short.", shown=shown(value)) if value else tr("The text is empty.")
        return problem, tr("Use at least {least} character(s).", least=least)
    return tr("There are too few entries."), tr("Give at least {least}.", least=least)


def _pattern(value: Any, context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    if context["pattern"].startswith("^[a-z0-9]"):
        return tr("{shown} is not a valid name.", shown=shown(value)), tr(_NAME_RULE)
    if place.info is not None and place.info.description:
        return tr("{shown} is not accepted here.", shown=shown(value)), tr(
            "Expected: {description}", description=place.info.description
        )
    return tr("{shown} is not accepted here.", shown=shown(value)), tr(
        "It must match {context}.", context=context["pattern"]
    )


def _choice(value: Any, context: dict[str, Any], _place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    choices = re.findall(r"'([^']*)'", context["expected"]) or re.findall(r"[\w.-]+", context["expected"])
    choices = [choice for choice in choices if choice != "or"]
    guess = nearest(value, choices) if isinstance(value, str) else None
    suggestion = tr("Did you mean {guess}? ", guess=guess) if guess else ""
    return tr("{shown} is not allowed here.", shown=shown(value)), tr(
        "{suggestion}Choose one of {choices}.", suggestion=suggestion, choices=", ".join(choices)
    )


def _tag(value: Any, context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    tags = [tag for tag in map(model_tag, place.models) if tag is not None]
    if "tag" not in context:
        return tr('The "type" is missing.') if isinstance(value, dict) else tr(
            "{shown} is not a group of settings.", shown=shown(value)
        ), (tr('Add "type" with one of {tags}.', tags=", ".join(tags)))
    guess = nearest(str(context["tag"]), tags)
    suggestion = tr("Did you mean {guess}? ", guess=guess) if guess else ""
    return tr("{context} is not a known type.", context=shown(context["tag"])), tr(
        "{suggestion}Choose one of {tags}.", suggestion=suggestion, tags=", ".join(tags)
    )


def _value_error(value: Any, context: dict[str, Any], place: Place, _detail: dict[str, Any]) -> tuple[str, str]:
    if isinstance(fault := context.get("error"), Misfit):
        return _sentence(fault.problem), _sentence(fault.remedy)
    if place.spelling is not None and not isinstance(value, str):
        return _not_text(value, place.spelling)
    return sentences(str(context.get("error", "The value is wrong")))


def _not_text(value: object, spelling: Spelling) -> tuple[str, str]:
    problem = tr("{shown} is not a {what}.", shown=shown(value), what=spelling.what)
    return problem, tr('Write it as text with its unit, for example "{example}".', example=spelling.example)


def sentences(message: str) -> tuple[str, str]:
    """Problem and remedy of a message written "problem; remedy"."""
    problem, remedy = problem_and_remedy(message)
    return _sentence(problem), _sentence(remedy) if remedy else tr("Correct the value.")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _other(value: Any, _context: dict[str, Any], _place: Place, detail: dict[str, Any]) -> tuple[str, str]:
    return tr("{shown} is not accepted ({detail}).", shown=shown(value), detail=detail["msg"]), tr("Correct the value.")


_SENTENCES: dict[str, _Sentence] = {
    "missing": _missing,
    "extra_forbidden": _unknown_key,
    "greater_than": _below,
    "greater_than_equal": _below,
    "less_than": _above,
    "less_than_equal": _above,
    "string_too_long": _too_long,
    "too_long": _too_long,
    "string_too_short": _too_short,
    "too_short": _too_short,
    "string_pattern_mismatch": _pattern,
    "enum": _choice,
    "literal_error": _choice,
    "union_tag_invalid": _tag,
    "union_tag_not_found": _tag,
    "value_error": _value_error,
}


def raw_number_problems(root: type[BaseModel], data: object) -> Iterator[PlanProblem]:
    """Bare numbers of file data where the plan wants text with a unit: 90 may be seconds or minutes.

    Zero is the same in every unit and is let through; what is no number is left to validation.
    """
    waiting: list[tuple[Place, object]] = [(Place(root), data)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, dict | list):
            steps = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
            children = [(place.child(step, value), part) for step, part in steps if _may_hold_number(part)]
            waiting.extend((child, part) for child, part in reversed(children) if child is not None)
        elif place.spelling is not None and type(value) is int and value:
            yield PlanProblem(place.where, *_not_text(value, place.spelling))


def _may_hold_number(value: object) -> bool:
    return isinstance(value, dict | list) or (type(value) is int and value != 0)
