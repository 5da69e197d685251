"""Arguments and options that commands share."""
