"""A function that became a graph is called as the function was."""

from typing import assert_type

import autograph as ag
import runtime as rt


@ag.function
def scaled(x: rt.Tensor, factor: float = 1.0, *, negate: bool = False) -> rt.Tensor:
    if rt.sum(x) > 0:
        x = x * factor
    return -x if negate else x


assert_type(scaled(rt.ones(3)), rt.Tensor)
assert_type(scaled(rt.ones(3), 2.0, negate=True), rt.Tensor)
scaled()  # type: ignore[call-arg]
scaled(rt.ones(3), negat=True)  # type: ignore[call-arg]
scaled(rt.ones(3), "2")  # type: ignore[arg-type]


@ag.function(reduce_retracing=True, max_traces=3, on_max_traces="raise")
def pair(x: rt.Tensor) -> tuple[rt.Tensor, dict[str, rt.Tensor]]:
    return x, {"twice": x + x}


first, rest = pair(rt.asarray(1))
assert_type(first, rt.Tensor)
assert_type(rest["twice"], rt.Tensor)
pair(1, 2)  # type: ignore[call-arg, arg-type]


def plain(x: rt.Tensor) -> rt.Tensor:
    return x


with_options = ag.function(plain, jit_compile=False, name="plain")
assert_type(with_options(rt.asarray(1)), rt.Tensor)
ag.function(plain, jit_compile="yes")  # type: ignore[call-overload]
ag.function(plain, on_max_traces="stop")  # type: ignore[call-overload]

half = ag.function(lambda x: x / 2)
half(rt.asarray(3.0))


# ── looking at it ──

assert_type(scaled.get_concrete_function(rt.TensorSpec((None,)), 2.0), ag.ConcreteFunction)
assert_type(scaled.concrete_functions, list[ag.ConcreteFunction])
assert_type(scaled.explain_retraces().traces[0].differences[0].way_out, str)
assert_type(scaled.experimental_get_tracing_count(), int)
assert_type(scaled.pretty_printed_concrete_signatures(), str)
scaled.python_function(rt.ones(3), factor=2.0)
scaled.python_function(rt.ones(3), fraction=2.0)  # type: ignore[call-arg]

concrete = scaled.get_concrete_function(rt.ones(3))
assert_type(concrete.to_python(), str)
assert_type(concrete.graph.text(), str)
assert_type(str(ag.explain(scaled, rt.ones(3))), str)
ag.check(plain, rt.ones(3))
kept: ag.PolymorphicFunction[[rt.Tensor], rt.Tensor] = ag.function(plain)
