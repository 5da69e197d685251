"""The texts of the program that people read: `python -m tests.texts` brings their translations up to date."""
