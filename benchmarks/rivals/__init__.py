"""Programs on our executors and on those of others: each rival has a process; what is installed takes part.

All processes are pinned to one core, and take turns; what they give is compared before anything is timed, in
seconds of the processor. A rival is looked for in this Python, then in those that the environment variable
AUTOGRAPH_RIVALS names, one after the other as in PATH.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.rivals.programs import Program, first_calls, new_process, programs

__all__ = ["Rival", "report", "rival"]

RIVALS: Mapping[str, tuple[str, str]] = {
    "machine code": ("by_us", "compiled"),
    "NumPy program": ("by_us", "as_numpy_program"),
    "Python on NumPy": ("by_numpy", "as_written"),
    "Numba": ("by_numba", "compiled"),
    "JAX": ("by_jax", "compiled"),
    "TF graph": ("by_tensorflow", "as_graph"),
    "TF XLA": ("by_tensorflow", "by_xla"),
    "torch.compile": ("by_torch", "compiled"),
    "gcc -O3": ("by_gcc", "compiled"),
}
"""Under the names of their columns: a file beside this one, and its function that compiles a program."""
_WORKER = Path(__file__).with_name("worker.py")
_LONG = 1.0
"""Seconds; what takes longer is done once, not in every round."""


@dataclass
class Rival:
    """A process that times its own side when it is asked to.

    Attributes
    ----------
    name, version : str
    command, environment : sequence of str, mapping
        What it was started with.
    cannot : list of str
        What it could not do, and why.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[str]
    version: str = ""
    cannot: list[str] = field(default_factory=list)

    def ask(self, what: str, *question: object) -> str | None:
        """The answer to a question about `what`; None where it is no."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\t".join(map(str, question)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        if not answer:
            raise RuntimeError(f"{self.name}: the process ended without an answer to {question}")
        if answer.split()[0] != "no":
            return answer
        if answer != "no":
            self.cannot.append(f"{what}: {answer[3:]}")
        return None


@contextmanager
def rival(name: str, pythons: Sequence[str], cache: str) -> Iterator[Rival | None]:
    """The process of a rival, while it is needed; None where no Python has the rival."""
    environment = os.environ | {
        "AUTOGRAPH_CACHE": f"{cache}/autograph",
        "NUMBA_CACHE_DIR": f"{cache}/numba",
        "JAX_COMPILATION_CACHE_DIR": f"{cache}/jax",
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONUTF8": "1",
    }
    for python in pythons:
        command = [python, str(_WORKER), *RIVALS[name]]
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(  # noqa: S603  # the Pythons that the caller names
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                encoding="utf-8",
                env=environment,
            )
            with process:
                try:
                    found = Rival(name, command, environment, process)
                    found.version = found.ask("start", "version") or ""
                except (RuntimeError, BrokenPipeError):
                    process.wait()
                    said.seek(0)
                    why = said.read()
                    if "ModuleNotFoundError" not in why:
                        raise RuntimeError(f"{name} does not start under {python}:\n{why}") from None
                    continue
                yield found
                return
    yield None


def report(rounds: int, *names: str) -> str:
    """A row for each program: the time of our machine code, and how many times as long the others take.

    Parameters
    ----------
    rounds : int
        Turns that each rival takes.
    *names : str
        The programs that are wanted; all of them by default, with first calls and new processes.
    """
    wanted = [number for number, each in enumerate(programs()) if not names or each.run.__name__ in names]
    if not wanted:
        raise SystemExit(f"there is no program called {', '.join(names)}")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    pythons = [sys.executable, *filter(None, os.environ.get("AUTOGRAPH_RIVALS", "").split(os.pathsep))]
    with ExitStack() as stack:
        cache = stack.enter_context(tempfile.TemporaryDirectory())
        found = {name: stack.enter_context(rival(name, pythons, cache)) for name in RIVALS}
        rivals = [each for each in found.values() if each is not None]
        absent = [name for name, each in found.items() if each is None]
        rows = [programs()[number] for number in wanted]
        tables = [("a call", rows, _timed_runs(rivals, wanted, rounds))]
        if not names:
            tables.append(("first call", first_calls(), _timed_first_calls(rivals, rounds)))
            tables.append(("new process", [new_process()], _timed_processes(rivals, rounds)))
        shown = [_table(title, rivals, rows, seconds) for title, rows, seconds in tables]
    versions = ", ".join(dict.fromkeys(each.version for each in rivals))
    cannot = [f"{each.name}, {line}" for each in rivals for line in each.cannot]
    last = [f"Not installed: {', '.join(absent)}."] if absent else []
    return "\n\n".join([versions, *shown, *last, *dict.fromkeys(cannot)])


Seconds = list[dict[str, float]]
"""For each program, what the rivals take by their names."""


def _timed_runs(rivals: Sequence[Rival], wanted: Sequence[int], rounds: int) -> Seconds:
    able = {number: _compared(rivals, number, programs()[number]) for number in wanted}
    asks = [{each.name: _asked(each, "run", number) for each in of} for number, of in able.items()]
    return _in_turns(asks, rounds)


def _compared(rivals: Sequence[Rival], number: int, program: Program) -> list[Rival]:
    """The rivals that have a program, whose results are near each other."""
    able, wanted = [], None
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/result.npy"
        for each in sorted(rivals, key=lambda rival: rival.name != "Python on NumPy"):
            if each.ask(program.title, "result", number, file) is None:
                continue
            given = np.load(file)
            wanted = given if wanted is None else wanted
            rtol = 1e-3 if wanted.dtype == np.float32 else 1e-6
            if given.shape == wanted.shape and np.allclose(given, wanted, rtol=rtol, atol=rtol * 1e-2):
                able.append(each)
                continue
            differs = f"{program.title}: gives {_least(given)} where NumPy gives {_least(wanted)}"
            if RIVALS[each.name][0] == "by_us":
                raise AssertionError(f"{each.name}, {differs}")
            each.cannot.append(differs)
    return [each for each in rivals if each in able]


def _least(array: np.ndarray) -> str:
    """The first of its numbers, and what it is."""
    return f"{array.flat[0]} ({array.dtype}{list(array.shape)})"


def _timed_first_calls(rivals: Sequence[Rival], rounds: int) -> Seconds:
    rows = range(len(first_calls()))
    return _in_turns(
        [{each.name: _asked(each, "first", number) for each in rivals} for number in rows], rounds
    )


def _asked(each: Rival, word: str, number: int) -> Callable[[], float]:
    return lambda: float(each.ask(f"{word} {number}", word, number) or math.inf)


def _timed_processes(rivals: Sequence[Rival], rounds: int) -> Seconds:
    """Of processes that import, compile what a cache has not kept, and call."""

    def seconds(each: Rival) -> Callable[[], float]:
        return lambda: _of_process(each.command, each.environment)

    able = _compared(rivals, len(programs()), new_process())
    return _in_turns([{each.name: seconds(each) for each in able}], rounds)


def _of_process(command: Sequence[str], environment: Mapping[str, str]) -> float:
    process = subprocess.Popen([*command, "once"], env=environment)  # noqa: S603  # our own worker
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def _in_turns(rows: Sequence[Mapping[str, Callable[[], float]]], rounds: int) -> Seconds:
    least: Seconds = [dict.fromkeys(row, math.inf) for row in rows]
    for turn in range(rounds):
        for row, taken in zip(rows, least, strict=True):
            for name, ask in row.items():
                if turn == 0 or taken[name] < _LONG:
                    taken[name] = min(taken[name], ask())
    return least


def _table(title: str, rivals: Sequence[Rival], rows: Sequence[Program], seconds: Seconds) -> str:
    names = [each.name for each in rivals]
    lines = [f"| {title} | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    for program, taken in zip(rows, seconds, strict=True):
        first = taken[names[0]]
        cells = [_time(first), *[_ratio(taken.get(name, math.inf), first) for name in names[1:]]]
        lines.append(f"| {program.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    factor, unit = (1e6, "µs") if seconds < 0.01 else (1e3, "ms")
    return f"{float(f'{seconds * factor:.3g}'):,g} {unit}"


def _ratio(seconds: float, first: float) -> str:
    ratio = seconds / first
    if math.isinf(ratio):
        return ""
    return f"{ratio:,.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×"
