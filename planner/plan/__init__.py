"""What the user wants: the frozen plan, its file format and its checks."""
