"""The help of commands in the chosen language."""

import copy
import inspect
from typing import TypeVar

import click

from planner.language.translation import ENGLISH, language, tr

_Command = TypeVar("_Command", bound=click.Command)


def in_language(command: _Command) -> _Command:
    """The command with its help, that of its options and its epilog in the chosen language; itself in English."""
    if language() == ENGLISH:
        return command
    spoken = copy.copy(command)
    spoken.help, spoken.epilog = _paragraphs(command.help), _paragraphs(command.epilog)
    spoken.params = [_parameter(one) for one in command.params]
    spoken._help_option = None  # made with its text when it is first needed, which was before the language was known
    return spoken


def _parameter(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    spoken = copy.copy(parameter)
    spoken.help = tr(parameter.help)
    return spoken


def _paragraphs(text: str | None) -> str | None:
    return None if text is None else "\n\n".join(map(tr, paragraphs(text)))


def paragraphs(text: str) -> list[str]:
    """Each on one line, but for those that click is told to leave as they are."""
    parts = inspect.cleandoc(text).split("\n\n")
    return [part if part.startswith("\b") else " ".join(part.split()) for part in parts]
