"""The examples in a document, run; a process that runs them loads nothing else."""

import contextlib
import io
import linecache
import re

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
