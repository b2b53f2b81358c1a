"""What takes longer than tests may: ``python -m tests.stress functions [COUNT]`` or ``threads [SECONDS]``.

The first makes 10,000 functions, each of which is compiled to machine code, called and dropped, and prints by
how many objects and bytes the process has grown. The second has threads trace, compile and call at once for a
minute.
"""

from __future__ import annotations

import os
import sys

from tests.stress import test_memory, test_threads

_WARM = 130
"""Functions before anything is measured: a linker holds the code of 64."""


def main() -> None:
    """Does what the command line asks for."""
    what, *rest = sys.argv[1:] or ["functions"]
    if what == "functions":
        os.environ["AUTOGRAPH_CACHE"] = "off"
        count = int(rest[0]) if rest else 10_000
        program = test_memory.FUNCTIONS.replace("EXECUTOR", "native")
        objects, bytes_each = test_memory.growth(program, _WARM, count)
        print(f"{count:,} functions: {objects} objects more, {bytes_each:,} bytes for each")
    elif what == "threads":
        test_threads.SECONDS = float(rest[0]) if rest else 60.0
        test_threads.test_threads_trace_compile_and_call_at_once()
        print(f"{test_threads.THREADS} threads, {test_threads.SECONDS:g} seconds: all as plain Python")
    else:
        sys.exit(f"there is no {what}: {__doc__}")


if __name__ == "__main__":
    main()
