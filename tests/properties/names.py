"""The names of our own classes, which no message may have."""

import importlib
import pkgutil
import re

import autograph.backends.tensors
import autograph.staging
import runtime.graph
import runtime.ops.control_flow

__all__ = ["OURS"]

ROOMS = (autograph.backends.tensors, autograph.staging, runtime.graph, runtime.ops.control_flow)
"""Where values of a graph, and what stands for objects, are made."""

TOLD = frozenset({"TensorArray"})
"""Names of these rooms that users know."""


def _classes():
    for room in ROOMS:
        for found in pkgutil.iter_modules(room.__path__):
            module = importlib.import_module(f"{room.__name__}.{found.name}")
            yield from (
                name
                for name, value in vars(module).items()
                if isinstance(value, type) and value.__module__ == module.__name__
            )


_COMPOUND = re.compile(r"_?[A-Z][a-z]+[A-Z]\w+")
"""Names of two words: those of one may be words of a message."""

_NAMES = sorted({"ABSENT", "Symbol", *filter(_COMPOUND.fullmatch, _classes())} - TOLD)

OURS = re.compile(rf"\b({'|'.join(_NAMES)})\b")
