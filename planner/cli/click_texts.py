"""The words of click itself, such as "Usage:" and "Missing option", in the chosen language.

click 8.5 looks them up with `gettext`, in a catalogue that it does not bring: that of the program takes its place.
"""

from types import ModuleType

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from planner.language.translation import marked, tr, tr_count

_MODULES: tuple[ModuleType, ...] = (
    click.core, click.decorators, click.exceptions, click.formatting, click.parser, click.types,
)  # fmt: skip
_TEXTS = (
    marked("Usage:"), marked("Options"), marked("Commands"), marked("Show this message and exit."),
    marked("default: {default}"), marked("required"), marked("Error: {message}"),
    marked("Try '{command} {option}' for help."), marked("Missing command."), marked("Missing argument"),
    marked("Missing option"), marked("Missing parameter"), marked("Choose from:\n\t{choices}"),
    marked("Invalid value: {message}"), marked("Invalid value for {param_hint}: {message}"),
    marked("No such option {name!r}."), marked("No such command {name!r}."),
    marked("Did you mean {possibility}?"), marked("(Did you mean one of: {possibilities}?)"),
    marked("Got unexpected extra argument ({args})"), marked("Got unexpected extra arguments ({args})"),
    marked("Option {name!r} does not take a value."), marked("Option {name!r} requires an argument."),
    marked("Option {name!r} requires {nargs} arguments."), marked("Argument {name!r} takes {nargs} values."),
    marked("{value!r} is not {choice}."), marked("{value!r} is not one of {choices}."),
    marked("{value!r} is not a valid {number_type}."), marked("{value} is not in the range {range}."),
    marked("Could not open file {filename!r}: {message}"), marked("unknown error"),
    marked("file"), marked("directory"), marked("path"), marked("{name} {filename!r} does not exist."),
    marked("{name} {filename!r} is a file."), marked("{name} {filename!r} is a directory."),
    marked("{name} {filename!r} is not readable."), marked("{name} {filename!r} is not writable."),
)  # fmt: skip
"""Those that this program can show."""


def translate_click() -> None:
    """From now on click says its texts in the language that is chosen when it says them."""
    for module in _MODULES:
        for name, look_up in (("_", _text), ("ngettext", tr_count)):
            if hasattr(module, name):
                setattr(module, name, look_up)


def _text(text: str) -> str:
    return tr(text)
