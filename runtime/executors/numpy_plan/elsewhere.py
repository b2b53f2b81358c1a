"""`Elsewhere`: a node of a NumPy program that another program runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.core.spec import Spec
from runtime.executors.program import Program, Step
from runtime.graph.graph import Node
from runtime.graph.op import Effects, Failures, Op

__all__ = ["Elsewhere", "run_elsewhere", "steps_elsewhere"]


def run_elsewhere(program: Program, values: Sequence[Any]) -> Any:
    """What another program gives for values of a NumPy program."""
    try:
        return program.entry(*map(_as_array, values))
    except Exception as error:
        explained = program.explain(error)
        if explained is error:
            raise
        raise explained from None


def steps_elsewhere(program: Program, depth: int) -> Sequence[Step]:
    """How another program runs a part of a NumPy program, at this depth."""
    return [replace(step, depth=step.depth + depth) for step in program.report().steps]


def _as_array(value: Any) -> Any:
    """A value of a NumPy program as others take it the fastest."""
    return np.asarray(value) if isinstance(value, np.generic) else value


class Elsewhere(Op, abstract=True):
    """What a node computes, by a program of its own.

    Executors make it when they compile: no graph is kept with it.
    """

    program: Program
    """Takes the values of the node's inputs that are not known, each once, in order."""
    node: Node
    places: tuple[int, ...]
    """Which inputs of the node the program takes."""

    @property
    def name(self) -> str:
        return self.node.op.name

    @property
    def effects(self) -> Effects:
        return self.node.op.effects & ~Effects.MARKS  # the cells that it marks are its own

    def infer(self, *_: Spec) -> Spec | tuple[Spec, ...]:
        specs = self.node.specs
        return specs[0] if len(specs) == 1 else specs

    def raises(self, *specs: Spec) -> Failures:
        return self.node.op.raises(*specs)

    def kernel(self, *values: Any) -> Any:
        return run_elsewhere(self.program, [values[place] for place in self.places])

    def steps(self, depth: int) -> Sequence[Step]:
        """How the other program runs it, at this depth."""
        return steps_elsewhere(self.program, depth)

    def __repr__(self) -> str:
        return f"Elsewhere({id(self):x})"
