"""How a moment becomes pixels: places, stacks, colours."""
