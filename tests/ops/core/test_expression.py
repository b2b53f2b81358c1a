"""Scalar expressions: text to tree and back, dtypes, values."""

import numpy as np
import pytest

import runtime as rt
from runtime.errors import DTypeError, GraphError
from runtime.ops.core.expression import Apply, Convert, Literal, Operand, dtype_of, evaluate, parse, to_text

TEXTS = [
    "x0",
    "x0 + x1 * x2",
    "(x0 + x1) * x2",
    "-x0 ** x1",
    "~(x0 < x1)",
    "select(x0 == x1, f32(0.5), f32(-inf))",
    "i32(floor(x0)) // i32(2)",
    "f64(nan) - f64(-1)",
    "bool(True) | x0",
    "exp(-logaddexp(f32(0), -x0))",
]


@pytest.mark.parametrize("text", TEXTS)
def test_an_expression_is_printed_as_it_was_read(text):
    assert to_text(parse(text)) == text


def test_calls_of_operators_are_printed_as_operators():
    assert to_text(parse("multiply(add(x0, x1), negative(x0))")) == "(x0 + x1) * -x0"


def test_an_expression_is_a_tree():
    tree = parse("T(0) + f64(x1)", rt.float32)
    assert tree == Apply("add", (Literal(0, rt.float32), Convert(rt.float64, Operand(1))))


@pytest.mark.parametrize(
    "text", ["x", "exp(x0, x1)", "f32('a')", "x0 < x1 < x2", "open(x0)", "x0 +", "1.0", "x0.y"]
)
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(GraphError, match="no scalar expression"):
        parse(text)


def test_nothing_is_promoted():
    tree = parse("x0 + x1")
    assert dtype_of(tree, (rt.int32, rt.int32)) is rt.int32
    with pytest.raises(DTypeError, match="`add` does not compute in int32 and float32"):
        dtype_of(tree, (rt.int32, rt.float32))


def test_an_expression_has_the_value_that_numpy_gives():
    x = np.array([-1.5, 0.0, 2.0], np.float32)
    found = evaluate(parse("select(x0 > T(0), x0, T(0.25) * exp(x0))", rt.float32), [x])
    np.testing.assert_array_equal(found, np.where(x > 0, x, np.float32(0.25) * np.exp(x)), strict=True)
