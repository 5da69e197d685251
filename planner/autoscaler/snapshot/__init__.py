"""The simulated cluster of one loop of the autoscaler, and placement on it."""
