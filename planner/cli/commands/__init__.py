"""The commands, one per file; `planner.cli.command_line` lists them."""
