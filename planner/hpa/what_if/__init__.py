"""What-if simulation of a single autoscaler under a step or spike of load."""
