"""``python -m backlot``: the command line."""

import sys

from backlot._process import run
from backlot.errors import LaunchError


def main() -> int:
    """Runs the command line with the arguments of this process. Returns its exit code."""
    try:
        return run(sys.argv[1:])
    except LaunchError as error:
        print(f"backlot: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
