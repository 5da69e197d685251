"""What the program needs of the process and the machine: folders, settings, log, version, crash reports."""
