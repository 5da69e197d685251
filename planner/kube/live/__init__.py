"""A running cluster, read through the user's own kubectl."""
