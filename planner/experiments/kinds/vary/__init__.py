"""Vary: numbers of the plan take values from a space."""
