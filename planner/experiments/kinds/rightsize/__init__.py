"""Right-sizing: requests that follow from use, and what they do to the plan."""
