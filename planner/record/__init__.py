"""What happened: decisions as codes and numbers, series as columns, the result and its digest."""
