"""Putting it together: compile a plan, wire the controllers, run."""
