"""What a function takes and gives, as TensorFlow has printed it since its release 2.16."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, Signature
from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.structure import Structure, flatten

__all__ = ["FunctionType"]


class FunctionType:
    """The parameters of a concrete function, with the type of each, and the type of what it returns.

    Parameters
    ----------
    signature : Signature
        Of the function.
    args, kwargs : tuple and dict
        A `TensorSpec` for each tensor, and Python's values as they are.
    result : nest
        Likewise.
    captured : mapping of str to TensorSpec
        What it takes beside its arguments.
    """

    def __init__(
        self,
        signature: Signature,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        result: Any,
        captured: Mapping[str, TensorSpec],
    ) -> None:
        bound = signature.bind_partial(*args, **kwargs).arguments
        self.parameters = {name: (signature.parameters[name], value) for name, value in bound.items()}
        self.result = result
        self.captured = dict(captured)

    def __str__(self) -> str:
        parts, stars = [], False
        for name, (parameter, value) in self.parameters.items():
            if parameter.kind is Parameter.KEYWORD_ONLY and not stars:
                parts.append("*")
                stars = True
            parts.append(f"{name}: {_text(value)}")
        return f"({', '.join(parts)}) -> {_text(self.result)}"

    __repr__ = __str__

    def listed(self) -> str:
        """A line for each parameter, for the result, and for each thing that is captured."""
        inputs = [
            f"  {name} ({parameter.kind.name}): {_text(value)}"
            for name, (parameter, value) in self.parameters.items()
        ]
        captured = [f"  {name}: {spec}" for name, spec in self.captured.items()]
        lines = ["Input Parameters:", *inputs, "Output Type:", f"  {_text(self.result)}"]
        return "\n".join([*lines, "Captures:", *(captured or ["  None"])])


_NAMES: dict[Any, str] = {list: "List", tuple: "Tuple"}


def _text(value: Any) -> str:
    """The type of a nest of specs and values."""
    leaves, structure = flatten(value)
    rest = iter(leaves)
    return _nest(structure, lambda: next(rest))


def _nest(structure: Structure, leaf: Callable[[], Any]) -> str:
    if structure.kind is None:
        found = leaf()
        return repr(found) if isinstance(found, TensorSpec) else f"Literal[{found!r}]"
    if structure.kind is type(None):
        return "Literal[None]"
    inside = [_nest(child, leaf) for child in structure.children]
    if structure.kind is dict:
        return (
            f"Dict[{_joined(f'[{key!r}, {each}]' for key, each in zip(structure.keys, inside, strict=True))}]"
        )
    name = _NAMES.get(structure.kind, structure.kind.__name__)
    return f"{name}[{_joined(inside)}]"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)
