"""The commands, one a file; `planner.cli.command_line` lists them."""
