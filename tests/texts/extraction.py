"""Finds every text that is translated, with the place where it is written."""

import ast
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import click
from pydantic import BaseModel

from planner.cli.command_line import SHORT_HELP, commands
from planner.cli.exit_codes import IN_WORDS
from planner.cli.loading import command
from planner.cli.spoken_help import paragraphs
from planner.plan.files.places import model_tag
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.values.fields import PlanModel
from planner.record.decisions import Verdict
from planner.record.text.wording import spelled_out
from ui.start.samples import head_of

ROOT = Path(__file__).parents[2]
LOOKED_UP = (
    "tr", "_tr", "translate", "translated", "marked", "phrase", "QT_TRANSLATE_NOOP", "plan_text",
)  # fmt: skip
"""Functions and methods that take a text as their only or last text."""
_TEMPLATE = re.compile(r"""\btr\((["'])(.+?)\1\)""")
_SPOKEN = re.compile(r"[A-Za-z]{2,}")


class Text(NamedTuple):
    """One English text, with its plural where it has one."""

    one: str
    many: str = ""


def texts() -> dict[Text, list[str]]:
    """All texts with the places where they are, in order of first appearance."""
    found: dict[Text, list[str]] = defaultdict(list)
    for text, place in (
        *_in_code(),
        *_in_templates(),
        *_in_plan_models(),
        *_in_events(),
        *_in_commands(),
        *_in_samples(),
        *_in_verdicts(),
    ):
        if _SPOKEN.search(text.one) and place not in found[text]:
            found[text].append(place)
    return dict(found)


def _in_code() -> Iterator[tuple[Text, str]]:
    for path in sorted([*ROOT.glob("planner/**/*.py"), *ROOT.glob("ui/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from ((text, str(path.relative_to(ROOT))) for text in _of_call(node))


def _of_call(call: ast.Call) -> Iterator[Text]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("tr_count", "phrase_count"):
        one, many = (list(_constants(part)) for part in call.args[:2])
        yield from (Text(*pair) for pair in zip(one, many, strict=True))
    elif name == "counted" and len(call.args) == 2:
        yield from (Text(f"{{count}} {noun}", f"{{count}} {noun}s") for noun in _constants(call.args[1]))
    elif name in LOOKED_UP and call.args:
        yield from (Text(text) for text in _constants(call.args[min(len(call.args), _position(name)) - 1]))


def _position(name: str) -> int:
    """Which argument is the text: after the context of Qt, where there is one."""
    return 2 if name in ("translate", "QT_TRANSLATE_NOOP", "marked") else 1


def _constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_constants(node.body), *_constants(node.orelse))
    elif isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from _constants(part)


def _in_templates() -> Iterator[tuple[Text, str]]:
    for path in sorted(ROOT.glob("resources/report/*.html")):
        for found in _TEMPLATE.finditer(path.read_text(encoding="utf-8")):
            yield Text(found[2]), str(path.relative_to(ROOT))


def _in_plan_models() -> Iterator[tuple[Text, str]]:
    """Titles, help and units of the fields of the plan."""
    for path in sorted((ROOT / "planner" / "plan" / "model").rglob("*.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    models = [one for one in _models(PlanModel) if one.__module__.startswith("planner.plan.model")]
    for model in sorted(models, key=lambda one: (one.__module__, one.__qualname__)):
        place = str(Path(inspect.getfile(model)).relative_to(ROOT))
        for name, info in model.model_fields.items():
            extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
            for text in (info.title or name.replace("_", " ").capitalize(), info.description, extra.get("unit")):
                if text:
                    yield Text(str(text)), place


def _models(root: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in root.__subclasses__():
        yield model
        yield from _models(model)


def _in_events() -> Iterator[tuple[Text, str]]:
    """Events are called by their type, in words."""
    for model in get_args(get_args(PlanEvent)[0]):
        yield Text(spelled_out(model_tag(model) or "").capitalize()), "planner/plan/model/events/plan_event.py"


def _in_commands() -> Iterator[tuple[Text, str]]:
    for name in ("", *SHORT_HELP):
        found: click.Command = command(name) if name else commands
        place = str(Path(inspect.getfile(inspect.unwrap(found.callback))).relative_to(ROOT))
        for text in (SHORT_HELP.get(name, ""), *paragraphs(found.help or ""), *_helps(found)):
            if text:
                yield Text(text), place
    for paragraph in paragraphs(IN_WORDS):
        yield Text(paragraph), "planner/cli/exit_codes.py"


def _helps(found: click.Command) -> Iterator[str]:
    for parameter in found.params:
        text = getattr(parameter, "help", None)
        if text:
            yield text


def _in_samples() -> Iterator[tuple[Text, str]]:
    """Heading and first sentence of the sample plans, as the start page shows them."""
    for notes in sorted(ROOT.glob("scenarios/*/notes.md")):
        yield from ((Text(text), str(notes.relative_to(ROOT))) for text in head_of(notes))


def _in_verdicts() -> Iterator[tuple[Text, str]]:
    yield from ((Text(verdict.value), "planner/record/decisions.py") for verdict in Verdict)


def placeholders(text: str) -> list[str]:
    """What is filled in, such as {name}, in the order of the alphabet."""
    return sorted(re.findall(r"(?<!\{)\{[A-Za-z0-9_]*(?:[!:][^{}]*)?\}", text))
