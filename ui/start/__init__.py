"""What is shown before a plan is open."""
