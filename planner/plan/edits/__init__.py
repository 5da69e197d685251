"""Edits of the frozen plan, each of which returns a new plan, and what differs between two plans."""
