"""The calls of a function whose graphs are compared with plain Python, by their keys."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

from runtime.core.tensor import Tensor
from runtime.functions.as_written import AsWritten, comparable
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.fast_key import FastKey
from runtime.functions.kept import MOST_GRAPHS, unknown_dims

__all__ = ["Compared"]


class Compared:
    """What compares graphs of one function with it, as it is written.

    Parameters
    ----------
    function : callable
    served : c_ssize_t
        Becomes 1 where a call is served.
    by_graph : WeakMethod
        Gives what the graph gives for arguments, and keyword arguments.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        served: ctypes.c_ssize_t,
        by_graph: WeakMethod[Callable[..., Any]],
    ) -> None:
        self._function = function
        self._served = served
        self._by_graph = by_graph
        self._by_key: dict[FastKey | None, AsWritten] = {}

    def of(self, key: FastKey | None) -> AsWritten | None:
        """What compares calls with such a key; None where nothing does."""
        return self._by_key.get(key)

    def add(self, key: FastKey, concrete: ConcreteFunction) -> None:
        """Has calls with such a key be compared, where the graph may be."""
        if concrete.as_written is None and not unknown_dims(concrete) and comparable(concrete):
            concrete.as_written = AsWritten(self._function, concrete, Tensor, self._served, self._by_graph)
        if concrete.as_written is not None:
            if len(self._by_key) >= MOST_GRAPHS:
                self._by_key.clear()
            self._by_key[key] = concrete.as_written
