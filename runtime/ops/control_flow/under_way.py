"""Which calls of NumPy's are under way where a graph raises: a handler of the program's sees their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.spec import ErrorSpec, Spec
from runtime.core.tensor import Tensor
from runtime.core.tracing import tracing
from runtime.errors import Error, ShapeError
from runtime.graph.build import bind
from runtime.graph.op import Op
from runtime.ops import written_calls
from runtime.ops.facts import Sample, Samples, raising
from runtime.ops.refused_calls import Call

__all__ = ["AboutCall", "CallsUnderWay"]


class AboutCall(Op):
    """An exception that knows the call that it is about. Inputs: it, the number of the call, its numbers."""

    calls: tuple[written_calls.WrittenCall | None, ...]
    """Those that may be under way; None where NumPy cannot be asked."""

    is_core = True
    why_no_graphdef: ClassVar[str] = "its graphs catch no exceptions"
    input_names: ClassVar[tuple[str, ...]] = ("error", "number")
    raises = raising()
    samples = Samples(
        lambda: [
            Sample(
                (ShapeError("no"), np.array(1), np.array(2)),
                {"calls": (written_calls.written(Call(np.add, (np.ones(2), np.ones(3)), {})),)},
            )
        ]
    )

    def infer(self, error: Spec, *numbers: Spec) -> Spec:
        del error, numbers
        return ErrorSpec()

    def kernel(self, error: BaseException, number: Any, *known: Any) -> Any:
        are_numbers = all(np.ndim(each) == 0 for each in (number, *known))
        said = self.calls[int(number) - 1] if are_numbers and 0 < number <= len(self.calls) else None
        if isinstance(error, Error) and error.call is None and said is not None:
            call = written_calls.read(said)
            error.call = None if call is None else call.in_run([int(each) for each in known])
        return error


@dataclass
class CallsUnderWay:
    """The calls at the checkpoints of an attempt."""

    calls: list[written_calls.WrittenCall | None] = field(default_factory=list)
    _rows: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    found: Sequence[Any] = ()
    """The number of the call and its numbers behind the `Try`."""

    def note(self, number: int) -> list[Tensor]:
        """Notes which call is under way at a checkpoint; what its cell has to hold for that."""
        if tracing.call is None:
            return []
        call = tracing.call.call()
        numbers = call.numbers()
        self.calls.append(written_calls.written(call))
        self._rows[number] = (len(self.calls), *numbers)
        return [each for each in numbers if isinstance(each, Tensor)]

    def row(self, number: int | None) -> list[Any]:
        """The number of the call at a checkpoint, and its numbers; zeros where there is none."""
        width = max([len(row) for row in self._rows.values()], default=0)
        row = self._rows.get(-1 if number is None else number, ())
        return [*row, *[0] * (width - len(row))]

    def about(self, error: Tensor) -> Tensor:
        """What the `Try` has caught, and the call that it is about."""
        if not self.calls:
            return error
        return bind(AboutCall(tuple(self.calls)), error, *self.found)
