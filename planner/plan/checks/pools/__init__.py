"""Checks of node pools and of what changes their size."""
