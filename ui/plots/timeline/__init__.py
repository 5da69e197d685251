"""The shared time axis."""
