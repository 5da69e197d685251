"""The HPA controller of a run: when it evaluates, what it remembers and records."""
