"""Whole recorded runs."""
