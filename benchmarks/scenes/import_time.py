"""How much `import autograph` adds to `import numpy`, each in a fresh process."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.harness import Contender, Scene
from benchmarks.peer import Peer

_TIMER = """
import time
{before}
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""


def scene(_: Peer | None) -> Scene:
    """Import times, in seconds of one import."""
    return Scene(
        "import",
        [
            _contender("numpy"),
            _contender("autograph", after="import numpy"),
            _contender("runtime", after="import numpy"),
        ],
        "autograph adds at most 60 ms to numpy",
    )


def _contender(module: str, after: str = "") -> Contender:
    program = _TIMER.format(module=module, before=after)

    def seconds() -> float:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  # our own text
        return float(done.stdout)

    return Contender(f"{module} {after.replace('import', 'after')}".strip(), seconds)
