"""What containers use in a run, as distributions."""
