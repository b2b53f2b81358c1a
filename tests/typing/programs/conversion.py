"""Conversion alone: the function keeps its type."""

from typing import assert_type

import autograph as ag


@ag.convert
def larger(a: int, b: int) -> int:
    return a if a > b else b


@ag.convert(recursive=False)
def smaller(a: int, b: int) -> int:
    return a if a < b else b


@ag.do_not_convert
def same(a: str) -> str:
    return a


assert_type(larger(1, 2), int)
assert_type(smaller(1, b=2), int)
assert_type(same("a"), str)
assert_type(ag.convert(same, recursive=False)("a"), str)
assert_type(ag.to_graph(larger)(1, 2), int)
assert_type(ag.to_code(larger), str)
assert_type(ag.is_converted(larger), bool)
larger("1", 2)  # type: ignore[arg-type]
same(1)  # type: ignore[arg-type]
larger(1)  # type: ignore[call-arg]
