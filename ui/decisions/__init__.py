"""The table of what the controllers decided, and why."""
