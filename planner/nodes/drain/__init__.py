"""Drains, upgrades and graceful shutdown of nodes."""
