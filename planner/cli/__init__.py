"""The command line without a screen. Exit codes: see `exit_codes`."""

from planner.cli.command_line import main

__all__ = ["main"]
