"""The window and what it is composed of."""
