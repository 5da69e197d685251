"""Compiles a plan into a world of arrays and templates."""
