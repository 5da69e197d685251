"""Variants of a plan, numbers that are not known exactly, and experiments with them."""
