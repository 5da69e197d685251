"""Where the packaged program begins; the installed command begins in `ui.launch` itself."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # first: a child process of the packaged program starts here as well
    from ui.launch import main

    sys.exit(main())
