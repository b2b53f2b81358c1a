"""What a graph takes and gives, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runtime.core.shapes import text
from runtime.core.spec import ArraySpec, Spec
from runtime.core.structure import flatten, unflatten

if TYPE_CHECKING:
    from runtime.functions.concrete import ConcreteFunction

__all__ = ["header", "listed", "listing"]


def listed(concrete: ConcreteFunction) -> str:
    """A line with the name and the parameters, one for each of these, and what it returns."""
    parts = (header(concrete), listing(concrete), "  Returns:", _results(concrete))
    return "\n".join(parts).replace("\n\n", "\n")


def header(concrete: ConcreteFunction) -> str:
    """The name and the parameters."""
    shown = [
        name if has_tensor else f"{name}={value!r}" for name, value, has_tensor in _by_parameter(concrete)
    ]
    return f"{concrete.name}({', '.join(shown)})"


def listing(concrete: ConcreteFunction) -> str:
    """A line for each parameter that has tensors, with those inside of it below."""
    lines = []
    specs = [leaf for leaf in concrete.key.leaves if isinstance(leaf, Spec)]
    for name, value, has_tensor in _by_parameter(concrete):
        if isinstance(value, _Mark):
            lines.append(f"    {name}: {_tensor_text(specs[value.number - 1])}")
        elif has_tensor:
            lines.append(f"    {name}: {value!r}")
            lines += [f"      {mark!r}: {_tensor_text(specs[mark.number - 1])}" for mark in _marks(value)]
    return "\n".join(["  Args:", *lines]) if lines else ""


def _by_parameter(concrete: ConcreteFunction) -> Iterator[tuple[str, Any, bool]]:
    """Per parameter: its name, its value with a mark for each tensor, and whether there is one."""
    key = concrete.key
    numbers = iter(range(1, len(key.leaves) + 1))
    leaves = [_Mark(next(numbers)) if isinstance(leaf, Spec) else leaf for leaf in key.values]
    args, kwargs = unflatten(key.structure, leaves)
    names = concrete.argument_names(len(args))
    for name, value in [*zip(names, args, strict=True), *kwargs.items()]:
        yield name, value, any(True for _ in _marks(value))


def _results(concrete: ConcreteFunction) -> str:
    trace = concrete.trace
    specs = concrete.graph.output_specs[: trace.count]
    if trace.is_single:
        return f"    {_tensor_text(specs[0])}"
    marks = [_Mark(number) for number in range(1, len(specs) + 1)]
    shown = unflatten(trace.structure, trace.filled(list(marks)))
    lines = [f"      {mark!r}: {_tensor_text(spec)}" for mark, spec in zip(marks, specs, strict=True)]
    return "\n".join([f"    {shown!r}", *lines])


class _Mark:
    """Stands for a tensor in a printed nest."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"<{self.number}>"


def _marks(value: Any) -> Iterator[_Mark]:
    leaves, _ = flatten(value)
    return (leaf for leaf in leaves if isinstance(leaf, _Mark))


def _tensor_text(spec: Spec) -> str:
    if not isinstance(spec, ArraySpec):
        return str(spec)
    return f"{spec.dtype} Tensor, shape={text(spec.shape)}"
