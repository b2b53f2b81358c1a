"""Truth values that are nothing else: a graph holds the bool, and not the value that Python would have."""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.staging.spoken import called
from runtime.core.tensor import Operators
from runtime.errors import StateDisagrees

__all__ = ["OnlyTruth"]


@called("bool")
class OnlyTruth(Operators):
    """`items and x > 0`: true or false, where no graph can hold the list and the number in one variable.

    Parameters
    ----------
    truth : Tensor of one bool
    error : StateDisagrees
        Raised by whoever wants the value itself.
    """

    __slots__ = ("error", "truth")

    def __init__(self, truth: Any, error: StateDisagrees) -> None:
        self.truth = truth
        self.error = error

    def __tensor__(self) -> NoReturn:
        raise self.error

    def __getattr__(self, name: str) -> NoReturn:
        raise self.error if not name.startswith("__") else AttributeError(name)
