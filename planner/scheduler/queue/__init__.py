"""The scheduling queue: order, back-off, and what wakes a waiting pod."""
