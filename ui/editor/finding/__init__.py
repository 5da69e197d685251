"""One search over everything that can be edited or done."""
