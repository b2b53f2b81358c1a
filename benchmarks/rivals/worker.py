"""One rival in a process of its own: ``python worker.py MODULE FUNCTION`` answers lines until there are none.

A line is a word and the number of a program; the answer to it is one line, too:

    version             what it is
    result NUMBER FILE  writes what the program gives into a file of NumPy's
    run NUMBER          seconds of the processor that a call takes
    first NUMBER        seconds of the processor from a function that is new to its result

What a rival cannot do is answered by ``no``, and why. With ``once`` after the names of the rival, the process
runs a small program, and ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.harness import timed
from benchmarks.rivals.programs import Program, first_calls, new_process, programs

Compile = Callable[[Program], "Callable[[], Any] | None"]


class Worker:
    """A rival, and the programs that it has compiled."""

    def __init__(self, version: str, compiled: Compile) -> None:
        self._version, self._compiled = version, compiled
        self._programs = [*programs(), new_process()]
        self._calls: dict[int, Callable[[], Any]] = {}
        self._rounds: dict[int, Callable[[], float]] = {}

    def answer(self, word: str, *given: str) -> str:
        """What is said to one line."""
        match word, given:
            case "version", []:
                return self._version
            case "result", [number, file]:
                return self._result(int(number), file)
            case "run", [number]:
                return str(self._rounds[int(number)]())
            case "first", [number]:
                return self._first(first_calls()[int(number)])
        raise ValueError(f"no question: {word}")

    def _result(self, number: int, file: str) -> str:
        call = self._compiled(self._programs[number])
        if call is None:
            return "no"
        np.save(file, np.asarray(call()))
        self._rounds[number] = timed(call, clock=time.process_time)
        return "yes"

    def _first(self, program: Program) -> str:
        start = time.process_time()
        call = self._compiled(program)
        if call is None:
            return "no"
        call()
        return str(time.process_time() - start)


def _answers(worker: Worker, replies: TextIO) -> None:
    for line in sys.stdin:
        try:
            reply = worker.answer(*line.rstrip("\n").split("\t"))
        except Exception as error:  # noqa: BLE001  # what a rival cannot do is printed with the table
            reply = f"no {type(error).__name__}: {' '.join(str(error).split())[:200]}"
        print(reply, file=replies, flush=True)


def main() -> None:
    """Answers, on what was standard output: rivals print there, too."""
    module, function, *once = sys.argv[1:]
    rival = import_module(f"benchmarks.rivals.{module}")
    compiled: Compile = getattr(rival, function)
    if once:
        call = compiled(new_process())
        assert call is not None
        call()
        return
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _answers(Worker(rival.VERSION, compiled), replies)


if __name__ == "__main__":
    main()
