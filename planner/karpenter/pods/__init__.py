"""What pods need of a node, and how their preferences are given up."""
