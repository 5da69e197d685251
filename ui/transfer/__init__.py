"""Export to files for other programs."""
