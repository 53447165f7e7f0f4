"""``python -m tamis`` and the command ``tamis`` of the package, the same as that of ``cargo install``."""

from __future__ import annotations

import signal
import sys

from ._tamis import run_command


def main() -> int:
    """Run the command with the arguments of the process."""
    # Python would handle Ctrl-C only after the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["tamis", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
