"""Generic event simulation: a queue with a total order, named random streams, a loop. No cluster word."""
