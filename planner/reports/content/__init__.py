"""What a report says, in whatever format it is written."""
