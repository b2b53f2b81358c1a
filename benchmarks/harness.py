"""Fair timing: contenders take turns round after round, and each one's least time counts.

The least time is what the work costs when nothing else disturbs the machine; taking turns keeps a slow minute
from being blamed on one contender.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Contender", "Result", "Scene", "measure", "measure_in_turns", "table", "timed"]


@dataclass(frozen=True)
class Contender:
    """One way to do the work of a scene.

    Attributes
    ----------
    name : str
    seconds : callable
        One round: the seconds that one unit of work took.
    """

    name: str
    seconds: Callable[[], float]


@dataclass(frozen=True)
class Scene:
    """Work that several contenders do.

    Attributes
    ----------
    title : str
    contenders : sequence of Contender
        The others are compared with the first.
    goal : str
        What was promised, in words.
    """

    title: str
    contenders: Sequence[Contender]
    goal: str = ""


@dataclass(frozen=True)
class Result:
    """The least seconds of each contender of a scene, in order."""

    scene: Scene
    seconds: tuple[float, ...]


def timed(
    work: Callable[[], object], least: float = 0.02, clock: Callable[[], float] = time.perf_counter
) -> Callable[[], float]:
    """A round of a contender: `work`, done so often that the clock can tell, at least `least` seconds.

    Work that takes long once, as where a function gets better code, does not count for how often.
    """
    number = 0

    def seconds() -> float:
        nonlocal number
        if not number:
            work()
            number = 1
            while min(_elapsed(work, number, clock) for _ in range(2)) < least:
                number *= 2
        return _elapsed(work, number, clock) / number

    return seconds


def _elapsed(work: Callable[[], object], number: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(number):
        work()
    return clock() - start


def measure(scene: Scene, rounds: int) -> Result:
    """The least time of each contender in so many rounds."""
    taken = [[contender.seconds() for contender in scene.contenders] for _ in range(rounds)]
    return Result(scene, tuple(map(min, zip(*taken, strict=True))))


def measure_in_turns(scenes: Sequence[Scene], rounds: int) -> list[Result]:
    """As `measure`, for scenes so short that a slow second of the machine would hold all rounds of one."""
    taken = [[measure(scene, 1).seconds for scene in scenes] for _ in range(rounds)]
    least = [tuple(map(min, *of_scene)) for of_scene in zip(*taken, strict=True)]
    return [Result(scene, seconds) for scene, seconds in zip(scenes, least, strict=True)]


def table(results: Sequence[Result]) -> str:
    """The results as text that a person reads, and Markdown shows as a table."""
    rows = [("scene", "contender", "time", "ratio", "goal"), ("---",) * 5]
    for result in results:
        first = result.seconds[0]
        for place, (contender, seconds) in enumerate(
            zip(result.scene.contenders, result.seconds, strict=True)
        ):
            title, goal = (result.scene.title, result.scene.goal) if place == 0 else ("", "")
            rows.append((title, contender.name, _shown(seconds), f"{seconds / first:.2f}", goal))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.ljust(width, "-" if cell == "---" else " ") for cell, width in zip(row, widths, strict=True)
    ]
    return f"| {' | '.join(cells)} |"


def _shown(seconds: float) -> str:
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
