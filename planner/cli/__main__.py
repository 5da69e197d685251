"""python -m planner.cli"""

import sys

from planner.cli.command_line import main

sys.exit(main())
