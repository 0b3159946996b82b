"""What holds for tests of running it."""

collect_ignore = ["faults.py"]  # another clock and a full disk, for the server that imports it
