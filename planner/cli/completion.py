"""Completion in shells: a shell asks the program itself, through a variable of its environment."""

import os

import click

VARIABLE = "_HEADROOM_COMPLETE"


def is_wanted() -> bool:
    """Whether a shell asks how a line goes on, or for its script."""
    return bool(os.environ.get(VARIABLE))


def answer(commands: click.Command) -> int:
    """Print what the shell wants to know; the exit code."""
    from click.shell_completion import shell_complete  # late: most calls are by people

    return shell_complete(commands, {}, "headroom", VARIABLE, os.environ[VARIABLE])
