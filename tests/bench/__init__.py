"""Speed figures: `python -m tests.bench`."""
