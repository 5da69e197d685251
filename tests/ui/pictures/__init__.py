"""Draws the pictures of the documents; not run by the tests."""
