"""What experiments have found, kept in one file beside the plan."""
