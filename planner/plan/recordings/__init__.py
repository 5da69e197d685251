"""Recorded load and use: text, what its figures mean, and the profile that follows from it."""
