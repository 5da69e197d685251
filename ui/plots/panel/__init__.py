"""The tab of plots: rows, views, legends, choosers, and plots as files."""
