"""Kinds that run pods."""
