"""Tests of what users get: the built program and its Debian package."""
