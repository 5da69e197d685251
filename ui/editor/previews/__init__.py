"""Loads and reactions drawn while they are edited."""
