"""A plan in the making: parts with the place they came from."""
