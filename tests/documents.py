"""The examples in a document, run, each document in a process of its own.

`python -m tests.documents` is where these begin: it has loaded our packages, and has run nothing.
"""

import contextlib
import io
import linecache
import os
import re
import sys
import traceback
from pathlib import Path

__all__ = ["EXAMPLE", "executed"]

EXAMPLE = re.compile(r"(```python\n)(.*?)(```)(?:(\s*```text\n)(.*?)(```))?", re.DOTALL)


def executed(document):
    """The text of a document with what its examples print below each."""
    namespace = {"__name__": "__main__"}
    count = 0

    def run(match):
        nonlocal count
        code = match[2]
        filename = f"<{document.name} {count}>"
        count += 1
        linecache.cache[filename] = len(code), None, code.splitlines(keepends=True), filename
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, filename, "exec"), namespace)
        output = "" if match[4] is None else match[4] + printed.getvalue().rstrip() + "\n" + match[6]
        return match[1] + code + match[3] + output

    return EXAMPLE.sub(run, document.read_text(encoding="utf-8"))


def _serve():
    """Forks for each document that a line of the standard input names, and for the file to write into."""
    for line in sys.stdin:
        document, found = map(Path, line.rstrip("\n").split("\t"))
        child = os.fork()
        if child == 0:
            try:
                found.write_text(executed(document), encoding="utf-8")
                os._exit(0)
            except BaseException:  # noqa: BLE001  # whatever it is, the parent alone goes on
                traceback.print_exc()
                os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    import autograph
    import runtime

    assert callable(autograph.function)  # which loads what traces
    assert runtime.__all__
    _serve()
