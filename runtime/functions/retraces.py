"""Explains retraces: each trace compared with the nearest one before it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from autograph_base.dataclass import dataclass
from runtime.core.spec import ArraySpec, Spec
from runtime.core.structure import Structure
from runtime.functions.key import ContainerKey, Key, PassedSpec
from runtime.graph.location import Location

__all__ = ["Difference", "Retraces", "TraceLog", "Traced"]

_REMEMBERED = 512
"""Traces whose reasons are kept, the oldest of them forgotten first."""
_COMPARED = 64
"""Earlier traces that a new one is compared with, the latest of them."""


@dataclass(frozen=True)
class Difference:
    """One thing in which the arguments of a trace differ from those of an earlier one.

    Attributes
    ----------
    argument : str
        As a user would write it: ``x``, ``config['rate']``.
    what : str
        "shape", "dtype", "value" (of a number), "constant" (a text, a date, a set of these), "any value" (of
        a number or a list that has changed before, and is an input from now on), "type", "object" or
        "structure"; of what the function reads outside of its arguments "outside" or "type outside".
    before, now : str
    refused : str
        Why no graph serves any other value of the argument: what the function raised when it was traced for
        that. Empty where it was not, or where such a graph is there.
    """

    argument: str
    what: Literal[
        "shape",
        "dtype",
        "value",
        "any value",
        "constant",
        "type",
        "object",
        "structure",
        "outside",
        "type outside",
    ]
    before: str
    now: str
    refused: str = ""

    @property
    def way_out(self) -> str:
        """How to have one graph for both."""
        if self.refused:
            serves = f"see to it that one graph may serve any `{self.argument}`"
            return f"{serves}: a trace of it raised {self.refused}"
        match self.what:
            case "shape":
                return "`reduce_retracing=True`, or an `input_signature` with None for the length"
            case "dtype":
                return "cast it before the call, or give an `input_signature`"
            case "value":
                return "pass a tensor where the number may change"
            case "any value":
                return "no other one is traced for it: it is an input of this graph"
            case "constant":
                return "keep to few of them, since each has a graph of its own, or pass numbers, as a tensor"
            case "type":
                return "pass the same type in every call"
            case "object":
                return "make the object once, and pass it in every call"
            case "outside":
                return f"pass `{self.argument}` as an argument, or keep it in an `rt.Variable`"
            case "type outside":
                return f"keep one type of value in `{self.argument}`"
        return "pass containers of one structure, or a tensor"

    def __str__(self) -> str:
        if self.what in {"outside", "type outside"}:
            return f"`{self.argument}` was {self.before} and then {self.now}"
        what = "" if self.what in {"value", "any value", "constant"} else f" (another {self.what})"
        return f"argument `{self.argument}` was {self.before} and then {self.now}{what}"


@dataclass(frozen=True)
class Traced:
    """One trace, and why it was made.

    Attributes
    ----------
    number : int
        Counted from 1.
    signature : str
        ``step(x: f64[2], n=3)``
    filename : str
    line : int
        The call that asked for it.
    seconds : float
        How long tracing took; 0 for a trace that was refused.
    nearest : int or None
        The number of the earlier trace with the fewest differences; None for the first.
    differences : tuple of Difference
        From that trace.
    """

    number: int
    signature: str
    filename: str
    line: int
    seconds: float = 0.0
    nearest: int | None = None
    differences: tuple[Difference, ...] = ()

    def __str__(self) -> str:
        place = f'{self.number}  {self.signature}\n     File "{self.filename}", line {self.line}'
        if self.nearest is None:
            return f"{place}\n     the first"
        if not self.differences:
            return f"{place}\n     as trace {self.nearest}, whose graph is gone or belongs to another graph"
        reasons = [
            f"     unlike trace {self.nearest}, {each}\n       → {each.way_out}" for each in self.differences
        ]
        return "\n".join([place, *reasons])


@dataclass(frozen=True)
class Retraces:
    """Every trace of a function that is remembered, and why each was made. Prints as text.

    Attributes
    ----------
    name : str
    traces : tuple of Traced
    count : int
        How often it was traced, those that are forgotten included.
    """

    name: str
    traces: tuple[Traced, ...]
    count: int

    def to_dict(self) -> dict[str, Any]:
        """Everything as dicts, lists, strings and numbers."""
        traces = [
            dataclasses.asdict(each) | {"differences": [*map(dataclasses.asdict, each.differences)]}
            for each in self.traces
        ]
        return {"name": self.name, "count": self.count, "traces": traces}

    def __str__(self) -> str:
        header = f"{self.name}() was traced {'once' if self.count == 1 else f'{self.count} times'}"
        return "\n\n".join([header, *map(str, self.traces)])

    def __len__(self) -> int:
        return len(self.traces)


class TraceLog:
    """What is remembered of the traces of one function.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._entries: list[tuple[Traced, Key, Sequence[str]]] = []
        self._refused: dict[str, str] = {}

    def reason(
        self, key: Key, paths: Sequence[str], where: Location, outside: tuple[Difference, ...] = ()
    ) -> Traced:
        """A trace that is about to be made, for arguments that no graph was made for.

        `outside` is what has changed outside, since the last trace for such arguments.
        """
        compared = [
            (traced.number, differences_between(before, names, key, paths))
            for traced, before, names in reversed(self._entries[-_COMPARED:])
        ]
        nearest, differences = min(compared, key=lambda pair: len(pair[1]), default=(None, ()))
        traced = Traced(
            number=self._count + 1,
            signature=f"{self._name}({', '.join(map(_argument, paths, key.leaves))})",
            filename=where.filename,
            line=where.line,
            nearest=nearest,
            differences=differences or outside,
        )
        return self._with_refusals(traced)

    def add(self, traced: Traced, key: Key, paths: Sequence[str]) -> None:
        """Keeps a trace that was made."""
        self._count += 1
        self._entries.append((traced, key, paths))
        if len(self._entries) > _REMEMBERED:
            del self._entries[0]

    def refuse(self, arguments: Iterable[str], error: Exception) -> None:
        """Keeps why no graph serves any other value of these arguments: what such a trace raised."""
        said = f"{type(error).__name__}: {error}".partition("\n")[0]
        self._refused.update(dict.fromkeys(arguments, said))

    def explanation(self, *refused: Traced) -> Retraces:
        """All of them; at the end a trace that was not made."""
        traces = [*[traced for traced, _, _ in self._entries], *refused]
        return Retraces(self._name, tuple(map(self._with_refusals, traces)), self._count)

    def _with_refusals(self, traced: Traced) -> Traced:
        """A trace, with what is known by now of a graph for all values of what differs."""
        if not self._refused:
            return traced
        differences = [
            dataclasses.replace(each, refused=self._refused.get(each.argument, ""))
            if each.what in _VARIES
            else each
            for each in traced.differences
        ]
        return dataclasses.replace(traced, differences=tuple(differences))


_VARIES = frozenset({"value", "structure", "object"})
"""In what arguments differ that one graph serves, where the function can be traced so."""


def differences_between(
    before: Key, old_paths: Sequence[str], now: Key, paths: Sequence[str]
) -> tuple[Difference, ...]:
    """Where two keys differ, leaf by leaf; where the nests differ, argument by argument."""
    if before.structure != now.structure:
        return tuple(_other_structures(before, old_paths, now, paths))
    return tuple(
        [
            _other_leaf(path, old, new)
            for path, old, new in zip(paths, before.leaves, now.leaves, strict=True)
            if old != new
        ]
    )


def _other_structures(
    before: Key, old_paths: Sequence[str], now: Key, paths: Sequence[str]
) -> list[Difference]:
    """The arguments whose nests differ."""
    old, new = _by_argument(before, old_paths), _by_argument(now, paths)
    containers = {paths[index] for index in now.containers()}
    return [
        Difference(
            name,
            "any value" if name in containers else "structure",
            old.get(name, "not given"),
            new.get(name, "not given"),
        )
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    ]


def _by_argument(key: Key, paths: Sequence[str]) -> dict[str, str]:
    """The structure of each argument, as text."""
    args, kwargs = key.structure.children
    shown: dict[str, str] = {}
    start = 0
    children: list[tuple[Any, Structure]] = [
        *enumerate(args.children),
        *zip(kwargs.keys, kwargs.children, strict=True),
    ]
    for position, child in children:
        end = start + child.leaf_count
        leaves = paths[start:end]
        name = _argument_name(leaves[0]) if leaves else str(position)
        leaf = key.leaves[start] if child.kind is None else None
        single = str(leaf) if isinstance(leaf, ContainerKey) else "a single value"
        shown[name] = str(child) if child.kind is not None else single
        start = end
    return shown


def _argument_name(path: str) -> str:
    """The parameter that a path starts from."""
    return path.partition("[")[0].partition(".")[0]


def _other_leaf(path: str, before: Any, now: Any) -> Difference:
    """How a leaf differs: in shape, dtype, type, value or identity."""
    if isinstance(before, ArraySpec) and isinstance(now, ArraySpec):
        what: Any = "shape" if before.dtype is now.dtype else "dtype"
        return Difference(path, what, str(before), str(now))
    if isinstance(now, PassedSpec) and getattr(before, "kind", None) is now.number:
        return Difference(path, "any value", _shown(before), str(now))
    if isinstance(before, Spec) or isinstance(now, Spec):
        return Difference(path, "type", _shown(before), _shown(now))
    kinds = getattr(before, "kind", None), getattr(now, "kind", None)
    if kinds[0] is kinds[1] is None:
        return Difference(path, "object", _shown(before), _shown(now))
    if kinds[0] is not kinds[1]:
        return Difference(path, "type", _shown(before), _shown(now))
    return Difference(path, "value" if kinds[0] in _NUMBERS else "constant", _shown(before), _shown(now))


_NUMBERS = frozenset({bool, int, float, complex})


def _shown(leaf: Any) -> str:
    """A leaf of a key in words; an object by its class, for its `repr` is the user's code."""
    if isinstance(leaf, Spec):
        return f"{leaf.noun} {leaf}"
    if isinstance(leaf, ContainerKey):
        return str(leaf)
    if hasattr(leaf, "kind"):
        return repr(leaf)
    value = leaf.value
    return "an object that is gone" if value is None else f"a {type(value).__name__}"


def _argument(path: str, leaf: Any) -> str:
    if isinstance(leaf, Spec | ContainerKey):
        return f"{path}: {leaf}"
    return f"{path}={leaf!r}" if hasattr(leaf, "kind") else f"{path}=<{type(leaf.value).__name__}>"
