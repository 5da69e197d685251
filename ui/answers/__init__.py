"""What an experiment has found, as sentences, tables and plots."""
