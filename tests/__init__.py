"""Tests; a regular package, so that `python -m tests.conformance` and `python -m tests.bench` work."""
