"""An object that a tensor chooses: a function, a string or any other object that no graph can hold.

The graph holds the number of the choice, and the tensors inside of the candidates. Whatever is done with the
object is done with each candidate, in the branches of an `if` on the number; a function of the graph gives
its caller the one that was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.staging.heap import leads_on
from autograph.staging.places import Attribute, note
from runtime.core.structure import register
from runtime.core.tensor import Operators, Tensor
from runtime.graph.build import as_tensor, current_builder, is_symbolic

__all__ = ["MOST_CANDIDATES", "OneOf", "choose", "set_chooser"]

MOST_CANDIDATES = 16
"""Objects that one variable may choose between: each of them becomes a branch wherever it is used."""


Thunk = Callable[[], Any]

_choose: Callable[[Any, Thunk, Thunk], Any] | None = None


def set_chooser(choose: Callable[[Any, Thunk, Thunk], Any]) -> None:
    """Says how an expression is chosen by a tensor; `state` knows, which in turn joins choices."""
    global _choose  # noqa: PLW0603  (set once, at import)
    _choose = choose


def choose(test: Any, body: Thunk, orelse: Thunk) -> Any:
    """The value of one of two expressions."""
    assert _choose is not None, "the backend is loaded by now"
    return _choose(test, body, orelse)


@leads_on
class OneOf(Operators):
    """One of several objects.

    Parameters
    ----------
    number : integer Tensor without axes
        Which of them.
    candidates : tuple of nest
        What is in them means something where they are chosen.
    """

    __slots__ = ("candidates", "number")

    def __init__(self, number: Any, candidates: tuple[Any, ...]) -> None:
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "candidates", candidates)

    def each(self, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the chosen object."""
        return self._each(use, 0)

    def _each(self, use: Callable[[Any], Any], first: int) -> Any:
        if first == len(self.candidates) - 1:
            return use(self.candidates[first])
        return choose(
            self.number == first, lambda: use(self.candidates[first]), lambda: self._each(use, first + 1)
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.each(lambda candidate: getattr(candidate, name))

    def __setattr__(self, name: str, value: Any) -> None:
        def use(candidate: Any) -> None:
            note(Attribute(candidate, name))
            setattr(candidate, name, value)

        self.each(use)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.each(lambda candidate: candidate(*arguments, **options))

    __hash__ = None  # type: ignore[assignment]  # which of them it is shows when the graph runs

    def __eq__(self, other: object) -> Any:
        return self.each(lambda candidate: candidate == other)

    def __ne__(self, other: object) -> Any:
        return self.each(lambda candidate: candidate != other)

    def __add__(self, other: Any) -> Any:
        return self.each(lambda candidate: candidate + other)

    def __radd__(self, other: Any) -> Any:
        return self.each(lambda candidate: other + candidate)

    def __mul__(self, other: Any) -> Any:
        return self.each(lambda candidate: candidate * other)

    def __rmul__(self, other: Any) -> Any:
        return self.each(lambda candidate: other * candidate)

    def __mod__(self, other: Any) -> Any:
        return self.each(lambda candidate: candidate % other)

    def __getitem__(self, index: Any) -> Any:
        return self.each(lambda candidate: candidate[index])

    def __iter__(self) -> Iterator[Any]:
        lengths = {len(candidate) for candidate in self.candidates}
        if len(lengths) != 1:
            raise TypeError(f"a tensor chooses between objects of different lengths: {self.candidates}")
        return iter([self[index] for index in range(lengths.pop())])

    def __tensor__(self) -> Tensor:
        return as_tensor(self.each(lambda candidate: candidate))

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(repr, self.candidates))})"


def _split(value: OneOf) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return range(1 + len(value.candidates)), (value.number, *value.candidates), None


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: None) -> Any:
    """The chosen object where the run is over, otherwise the choice."""
    del kind, keys, extra
    number, *candidates = children
    has_value = isinstance(number, (Operators, np.generic, int))  # and is no mark for a value to come
    if current_builder() is not None or not has_value or is_symbolic(number):
        return OneOf(number, tuple(candidates))
    return candidates[int(number)]


register(OneOf, _split, _build)
