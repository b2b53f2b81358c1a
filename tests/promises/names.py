"""Programs about the names of containers: what they know, and what they are called with."""

import copy
from collections import deque
from dataclasses import dataclass

import numpy as np

import autograph as ag
from tests.promises.kit import function_of

__all__ = ["check"]

CALLS = [(np.float64(1.0), np.int64(2)), (np.float64(-1.0), np.int64(3)), (np.float64(2.0), np.int64(0))]


@dataclass
class Point:
    """A dataclass that changes."""

    a: float = 0.0
    b: object = None


class Box:
    """An object with an attribute."""

    def __init__(self, v):
        self.v = v

    def add(self, x):
        self.v.append(x)
        return self


def check(text):
    """The body of a function of `x` and `n` does in a graph what it does in Python."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    f = function_of(f"def f(x, n):\n{lines}", Point=Point, Box=Box, deque=deque, copy=copy)
    ag.check(f, *CALLS[0], then=CALLS[1:], executors=["numpy"])
