"""``python -m benchmarks [SCENE …] [--tensorflow-python PATH] [--rounds N]``.

``python -m benchmarks eager`` prints what eager calls cost beyond NumPy's, function by function.
``python -m benchmarks slowdown`` compares converted code with the original, over packages of other people:
``pip install autograph-runtime[corpora]``.
``python -m benchmarks nesting`` prints how long random programs and nested statements take to their result.
``python -m benchmarks new_functions`` prints what the first call of a small function takes, beside others.
``python -m benchmarks native`` compares loops as machine code with plain Python, and with Numba where that is
installed.
``python -m benchmarks rivals [PROGRAM …]`` does so for more programs, or some of them, with Numba, JAX,
TensorFlow, torch.compile and gcc, each in a process of its own, where these are there: in this Python, or in
those that AUTOGRAPH_RIVALS names as in PATH.
``python -m benchmarks.accuracy`` prints how far the functions of machine code are from the true results.
``python -m benchmarks programs`` says what of the tests' programs machine code calls Python for.
``python -m benchmarks inside`` does so for calls without tensors that a traced function makes.
``python -m benchmarks statements`` prints what each line of a random program costs, by its length.
``python -m benchmarks threads`` compares large loops of machine code on one thread and on several.
``python -m benchmarks recursion`` prints what it takes to trace functions that call themselves.
``python -m benchmarks later_calls`` compares later calls of functions as people write them on their first day
with plain Python.
``python -m benchmarks passed_lists`` does so for functions that are passed lists of lists.
``python -m benchmarks draws`` compares loops that draw random numbers with Python's, and Numba's.
``python -m benchmarks lookups`` compares dicts and sets of the graph with Python's.
``python -m benchmarks printing`` compares loops in programs that print with Python's.
``python -m benchmarks products`` compares loops that multiply matrices with Python's, and JAX's.
``python -m benchmarks sweeps`` compares loops over whole arrays with NumPy.
``python -m benchmarks rolling`` prints what it takes to trace long loops of Python that are rolled.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import platform
import sys

import numpy as np

from benchmarks.harness import measure, table
from benchmarks.peer import Peer

SCENES = (
    *(
        "import_time",
        "conversion",
        "trivial_call",
        "guards",
        "tracing",
        "power",
        "collatz",
        "filling",
        "lists",
    ),
    "optimise",
)
REPORTS = (
    ["draws"],
    ["eager"],
    ["first_calls"],
    ["inside"],
    ["later_calls"],
    ["lookups"],
    ["native"],
    ["nesting"],
    ["new_functions"],
    ["passed_lists"],
    ["printing"],
    ["products"],
    ["programs"],
    ["recursion"],
    ["rivals"],
    ["rolling"],
    ["slowdown"],
    ["statements"],
    ["sweeps"],
    ["threads"],
)


def main() -> None:
    """Runs the scenes and prints their table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Timed scenes; least times count."
    )
    scenes = f"of {', '.join(SCENES)}"
    reports = f"or one that prints a table of its own: {', '.join(name for (name,) in REPORTS)}"
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"{scenes}; all by default; {reports}")
    parser.add_argument(
        "--tensorflow-python",
        default=os.environ.get("AUTOGRAPH_PEERS_PYTHON", _own_tensorflow()),
        help="a Python that has TensorFlow, to compare with (AUTOGRAPH_PEERS_PYTHON; this one, if it has it)",
    )
    parser.add_argument("--rounds", type=int, default=15, help="turns that each contender takes")
    options = parser.parse_args()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}\n"
    if options.scenes in REPORTS or options.scenes[:1] == ["rivals"]:
        print(versions)
        name, *programs = options.scenes
        print(importlib.import_module(f"benchmarks.{name}").report(options.rounds, *programs))
        return
    unknown = set(options.scenes) - set(SCENES)
    if unknown:
        parser.error(f"there is no scene called {', '.join(sorted(unknown))}")
    peer = Peer(options.tensorflow_python) if options.tensorflow_python else None
    results = []
    for name in options.scenes or SCENES:
        scene = importlib.import_module(f"benchmarks.scenes.{name}").scene(peer)
        results.append(measure(scene, options.rounds))
    if peer is not None:
        peer.close()
    print(versions)
    print(table(results))


def _own_tensorflow() -> str | None:
    return sys.executable if importlib.util.find_spec("tensorflow") else None


if __name__ == "__main__":
    main()
