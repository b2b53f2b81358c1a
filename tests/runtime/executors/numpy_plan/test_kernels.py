"""A kernel becomes an expression or a helper function; what it uses from outside comes along."""

from __future__ import annotations

import ast
import math

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec
from runtime.errors import CheckFailed
from runtime.executors.numpy_plan.kernels import Helpers, snake_case, write_kernel
from runtime.executors.numpy_plan.literals import Unwritable
from runtime.executors.numpy_plan.plan import plan
from runtime.executors.numpy_plan.printer import printed
from runtime.executors.numpy_plan.syntax import parsed
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Effects, Op
from tests.runtime.executors.tracing import traced

LIMIT = 3


def _halved(x):
    """Half of it, unless it is small."""
    if x < LIMIT:
        raise CheckFailed("too small")
    return math.floor(x / 2)


class Kept(Op):
    """An op whose kernel changes from test to test."""

    axis: int = 1
    dtype: rt.DType = rt.float32

    def kernel(self, x):
        return x


del REGISTRY["Kept"]


def written(kernel, count=1, effects=Effects.NONE):
    """How `kernel` is written, and the helpers that it needs."""
    kind = type("Kept", (Kept,), {"kernel": kernel, "effects": effects, "__annotations__": {}})
    del REGISTRY["Kept"]
    helpers = Helpers(lambda wish: wish)
    return write_kernel(kind(), count, helpers), helpers


def shown(form, *operands):
    """A form over these operands, as text."""
    return ast.unparse(form.fill(list(map(parsed, operands))))


def test_fields_become_literals():
    def kernel(self, x):
        return np.sum(x, axis=(self.axis,), dtype=self.dtype.numpy)

    assert shown(written(kernel)[0], "a") == "np.sum(a, axis=(1,), dtype=np.float32)"


def test_a_call_of_a_ufunc_on_the_operands_is_known_as_such():
    def kernel(self, x, y):
        return np.add(x, y)

    assert written(kernel, 2)[0].ufunc == "add"
    assert written(np.hypot, 2)[0].ufunc == "hypot"


def test_operands_stand_in_parentheses_only_where_they_must():
    def kernel(self, x, y):
        return np.where(x, y, x.real) * 2

    text = shown(written(kernel, 2)[0], "a + b", "c")
    assert text == "np.where(a + b, c, (a + b).real) * 2"


def test_variadic_operands_are_spelled_out():
    def spread(self, x, *rest):
        return np.block([x, *rest]) if self.axis else np.stack(rest)

    def starred(self, *arrays):
        return np.hypot(*arrays)

    assert shown(written(starred, 2)[0], "a", "b") == "np.hypot(a, b)"
    assert shown(written(spread, 3)[0], "a", "b", "c").endswith("np.stack((b, c))")


def test_a_longer_kernel_becomes_a_function_and_brings_its_helpers():
    def kernel(self, x):
        result = _halved(x)
        return np.asarray(result, self.dtype.numpy)

    form, helpers = written(kernel)
    assert shown(form, "a") == "kept(a, dtype_numpy=np.float32)"
    assert helpers.modules == {"math"}
    assert helpers.exceptions == {"CheckFailed": CheckFailed}
    assert list(helpers.functions) == ["halved", "kept"]
    halved = ast.unparse(ast.fix_missing_locations(helpers.functions["halved"]))
    assert "if x < 3:" in halved
    assert '"""' not in halved


def test_names_of_its_own_keep_a_kernel_from_being_written_inside_another_expression():
    def kernel(self, x):
        return np.stack([row for row in x])

    assert shown(written(kernel)[0], "row") == "kept(row)"


def test_a_live_object_becomes_a_global():
    class Live:
        name = "counter"
        value = 3

    live = Live()

    def kernel(self, x):
        return np.add(x, self.axis.value)

    kind = type("Kept", (Kept,), {"kernel": kernel, "effects": Effects.READS, "__annotations__": {}})
    del REGISTRY["Kept"]
    helpers = Helpers(lambda wish: wish)
    assert shown(write_kernel(kind(live), 1, helpers), "a") == "np.add(a, counter.value)"
    assert helpers.objects == {"counter": live}


def test_what_has_no_source_is_refused():
    outside = 3

    def closure(self, x):
        return x + outside

    def whole(self, x):
        return print(self, x)

    for kernel in (closure, whole, eval("lambda self, x: x"), print):
        with pytest.raises(Unwritable):
            written(kernel)


@pytest.mark.parametrize(
    ("name", "snake"),
    [("AddV2", "add_v2"), ("StridedSlice", "strided_slice"), ("LogicalAnd", "logical_and"), ("FFT", "fft")],
)
def test_ops_are_named_as_python_names_functions(name, snake):
    assert snake_case(name) == snake


def test_equal_constants_share_a_name_and_negative_zero_does_not():
    vector = ArraySpec((3,), rt.float32)
    program = plan(Module(traced(lambda x: (x * 2.0 + 0.0, x - 2.0, x * -0.0), vector)))
    assert sorted(program.constants) == ["FLOAT32_0_0", "FLOAT32_2_0", "FLOAT32_minus_0_0".upper()]


def test_one_line_of_the_users_is_one_statement():
    def f(x, y):
        z = (x + y) * (x - y)
        return -z

    scalar = ArraySpec((), rt.float64)
    lines = list(printed(plan(Module(traced(f, scalar, scalar))).functions[-1].body))
    assert [line for line in lines if " = " in line and "#" not in line] == [
        "z = (x + y) * (x - y)",
        "result = -z",
    ]
