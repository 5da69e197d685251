"""The screen and the way into the program; may import planner, never the reverse."""
