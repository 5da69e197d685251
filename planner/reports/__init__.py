"""Output of a run: CSV files, and the summary as text and as JSON."""
