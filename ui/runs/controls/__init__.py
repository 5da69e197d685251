"""Controls that start, pace and end runs."""
