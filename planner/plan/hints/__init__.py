"""Hints on values that are valid but probably not intended."""
