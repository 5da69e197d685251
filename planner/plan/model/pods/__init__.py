"""What a workload's pods look like."""
