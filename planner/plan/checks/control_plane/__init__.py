"""Checks of what concerns the control plane as a whole."""
