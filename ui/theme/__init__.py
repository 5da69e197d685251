"""Colours and style of the window, light and dark."""
