"""Steps of a generator of congruences, several in a turn, each from what the turn began with.

::

    for i in range(n):                          for i in range(n):
        x = (s * 1103515245 + 12345) % 2**31        x = (s * 1103515245 + 12345) % 2**31
        y = (x * 1103515245 + 12345) % 2**31  ⇒     y = (s * 1117952617 + 1406932606) % 2**31
        s = y                                       s = y

Products and sums of whole numbers wrap around, so that what two steps leave modulo a power of two is what one
leaves with other numbers. A turn then waits for one product in place of two. LLVM does so where nobody else
asks for the number in the middle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from autograph_base.dataclass import dataclass
from runtime.core.dtypes import DType, int32, int64, uint32, uint64
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    For,
    Function,
    Number,
    Set,
    Statement,
    Variable,
    While,
)
from runtime.executors.native.language.walking import bottom_up, changed_in, changes_of, with_blocks

__all__ = ["from_the_beginning"]

_BITS = {int32: 32, uint32: 32, int64: 64, uint64: 64}


@dataclass(frozen=True)
class _Step:
    """A number that is, modulo a power of two, so many times another one and one more.

    Attributes
    ----------
    root : Variable
        The other one.
    times, more : int
    bits : int
        Of the power of two.
    products : int
        How many are multiplied on the way.
    """

    root: Variable
    times: int = 1
    more: int = 0
    bits: int = 64
    products: int = 0

    def then(self, times: int, more: int, bits: int) -> _Step:
        """The same, multiplied and added to."""
        bits = min(bits, self.bits)
        size = 1 << bits
        products = self.products + (times not in {1, -1})
        return _Step(self.root, self.times * times % size, (self.more * times + more) % size, bits, products)


def from_the_beginning(function: Function) -> Function:
    """A function whose loops take such steps from what turns began with."""
    return bottom_up(function, _statement)


def _statement(statement: Statement) -> Statement:
    match statement:
        case For(_, _, body) | While(_, _, body):
            return with_blocks(statement, lambda block: _turn(block) if block is body else block)
    return statement


def _turn(body: Sequence[Statement]) -> list[Statement]:
    known: dict[str, _Step] = {}
    carried, found = changed_in(body), list[Statement]()
    for each in body:
        if not isinstance(each, Set):
            _forget(known, changes_of(each))
            found.append(each)
            continue
        variable, step = each.variable, _step_of(each.value, known)
        short = None if step is None or step.root.name not in carried else _short(each.value, step)
        found.append(each if short is None else Set(variable, short))
        _forget(known, {variable.name})
        if step is not None and step.root != variable:
            known[variable.name] = step
    return found


def _forget(known: dict[str, _Step], changed: AbstractSet[str]) -> None:
    for name in [name for name, step in known.items() if name in changed or step.root.name in changed]:
        del known[name]


def _step_of(value: Expression, known: Mapping[str, _Step]) -> _Step | None:
    bits = _BITS.get(value.dtype)
    if bits is None:
        return None
    match value:
        case Variable(name):
            return known.get(name, _Step(value, bits=bits))
        case Apply(function, (one, Number(number))) | Apply(function, (Number(number), one)) if (
            one.dtype is value.dtype and (isinstance(value.arguments[1], Number) or function in _EITHER_WAY)
        ):
            before, change = _step_of(one, known), _change_of(function, int(number), bits)
            return None if before is None or change is None else before.then(*change)
    return None


_EITHER_WAY = frozenset({"add", "multiply", "bitwise_and"})


def _change_of(function: str, number: int, bits: int) -> tuple[int, int, int] | None:
    """What a number is multiplied by, what is added, and of how many bits the result tells."""
    match function:
        case "add":
            return 1, number, bits
        case "subtract":
            return 1, -number, bits
        case "multiply":
            return number, 0, bits
        case "remainder" | "bitwise_and":
            size = number + (function == "bitwise_and")
            return (1, 0, size.bit_length() - 1) if size > 0 and not size & (size - 1) else None
    return None


def _short(value: Expression, step: _Step) -> Expression | None:
    """A number from what the turn began with; None where that takes no fewer products, or says too little."""
    dtype, bits = value.dtype, step.bits
    if step.products < 2:
        return None
    is_part = isinstance(value, Apply) and value.function in {"remainder", "bitwise_and"}
    if bits != (_part_of(value) if is_part else _BITS[dtype]):
        return None
    times, more = _number(step.times, dtype), _number(step.more, dtype)
    whole = Apply("add", (Apply("multiply", (step.root, times), dtype), more), dtype)
    return Apply("bitwise_and", (whole, _number((1 << bits) - 1, dtype)), dtype) if is_part else whole


def _part_of(value: Expression) -> int:
    """How many bits are left of a number."""
    assert isinstance(value, Apply), "it is a part of one"
    known = [each for each in value.arguments if isinstance(each, Number)]
    change = _change_of(value.function, int(known[-1].value), 0)
    assert change is not None, "it was one"
    return change[2]


def _number(value: int, dtype: DType) -> Number:
    """A number modulo what a dtype holds."""
    size = 1 << _BITS[dtype]
    value %= size
    return Number(value - size if dtype.kind == "i" and 2 * value >= size else value, dtype)
