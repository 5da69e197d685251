"""Advice on what is valid but probably not intended."""
