"""One autoscaler alone, played against a step or spike of load."""
