"""Removing nodes: which are not needed, which may go, and when."""
