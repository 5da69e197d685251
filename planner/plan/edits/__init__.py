"""Edits of the frozen plan, each of which returns a new plan, and the differences between two plans."""
