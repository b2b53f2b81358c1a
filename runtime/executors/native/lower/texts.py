"""What texts say, read from their code points: integers in digits."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import bool_, int64
from runtime.executors.native.beyond import Beyond, Unsupported
from runtime.executors.native.language.loops import Apply, Cast, Number, Set, add, multiply
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Lowered, Scalar
from runtime.graph.graph import Node
from runtime.ops.texts import WholeOf

_MOST = 18
"""Digits of which every number has room in 64 bits."""


@lowers(WholeOf)
def _whole_of(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    """Reads digits alone: another program says what a sign is, a space, and all that is no number."""
    if lowering.shared.beyond is not Beyond.ANOTHER:
        raise Unsupported("only Python knows what a text is that is no row of digits")
    text = lowering.in_memory(node.inputs[0])
    (count,) = text.dims
    whole, are_digits = lowering.variable(int64, "whole"), lowering.variable(bool_, "digits")
    some = Apply("greater", (count, Number(0, int64)), bool_)
    few = Apply("less_equal", (count, Number(_MOST, int64)), bool_)
    is_short = lowering.name(Apply("logical_and", (some, few), bool_))
    lowering.give_up_unless(is_short, node, "ValueError", "")
    lowering.emit(Set(whole, Number(0, int64)))
    lowering.emit(Set(are_digits, Number(True, bool_)))
    with lowering.loop(count) as index:
        digit = lowering.name(add(Cast(text.at([index]), int64), -ord("0")))
        low = Apply("greater_equal", (digit, Number(0, int64)), bool_)
        inside = Apply("logical_and", (low, Apply("less", (digit, Number(10, int64)), bool_)), bool_)
        lowering.emit(Set(are_digits, Apply("logical_and", (are_digits, inside), bool_)))
        lowering.emit(Set(whole, add(multiply(10, whole), digit)))
    lowering.give_up_unless(lowering.name(are_digits), node, "ValueError", "")
    return [Scalar(whole)]
