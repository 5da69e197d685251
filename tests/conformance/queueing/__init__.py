"""Values of the textbook queue."""
