#!/usr/bin/env python
"""Django's commands, for this project."""

import os
import sys

from django.core.management import execute_from_command_line

from scoresheet.messages import compile_stale


def main() -> None:
    """Run one command, with the translations as they stand in the .po files."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoresheet.settings")
    compile_stale()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
