"""The thread of a run, and the messages between it and the window."""
