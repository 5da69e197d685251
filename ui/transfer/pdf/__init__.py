"""Reports as PDF, drawn by Qt without a screen."""
