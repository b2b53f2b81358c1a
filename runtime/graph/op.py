"""`Op`: what every operation says of itself, and the registry of all of them.

An op is a frozen dataclass, in all but the decorator, which would make the import of all ops several times as
long. Its fields are its attributes, its methods are its facets, and an instance sits in the graph node. Two
nodes with equal ops and equal inputs compute the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Flag, auto
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeAlias, dataclass_transform

import numpy as np

from runtime.core.dims import Dim
from runtime.core.dtypes import DType, as_dtype
from runtime.core.shapes import Shape
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Array
from runtime.graph.dim_names import substituted
from runtime.graph.sample import Sample

if TYPE_CHECKING:
    from runtime.graph.graph import Graph
    from runtime.graph.region import Region

__all__ = [
    "ANYTHING",
    "FRESH",
    "NOTHING",
    "REGISTRY",
    "Aliases",
    "Const",
    "Effects",
    "Failures",
    "Op",
    "Placeholder",
]

Failures: TypeAlias = frozenset[type[BaseException]]
"""Classes of exceptions; each stands for those below it, too."""
NOTHING: Failures = frozenset()
ANYTHING: Failures = frozenset([Exception])

Aliases: TypeAlias = frozenset[int] | None
"""Inputs, by index, in whose memory an output may lie; None where nothing is known of its memory."""
FRESH: Aliases = frozenset()


class Effects(Flag):
    """What an op does beside computing its outputs; nodes with effects keep their order."""

    NONE = 0
    READS = auto()
    """Reads a variable: may be dropped when unused, but not moved across a write."""
    WRITES = auto()
    """Changes a variable."""
    PRINTS = auto()
    CHECKS = auto()
    """May raise for the user's own reasons (assert), so it is never dropped."""
    RANDOM = auto()
    """Advances the state of a random generator."""
    MARKS = auto()
    """Writes down how far a `try` has come, in a cell that is gone with the run."""

    @property
    def must_run(self) -> bool:
        """Whether a node with these effects runs even when nobody uses its outputs."""
        return bool(self & ~Effects.READS)

    @property
    def counts(self) -> bool:
        """Whether it makes a difference how often a node with these effects runs."""
        return bool(self & (Effects.WRITES | Effects.PRINTS | Effects.RANDOM))


REGISTRY: dict[str, type[Op]] = {}
"""Every op by the name of its class."""


@dataclass_transform(frozen_default=True)
class Op:
    """Base class of every operation.

    A subclass declares its attributes as fields and overrides the facets that its family does not give.
    ``class Family(Op, abstract=True)`` is a base class that is no op itself.
    """

    kernel: ClassVar[Callable[..., Any]]
    """``kernel(self, *arrays) -> array``, or a tuple of them where there are several outputs: plain NumPy."""
    infer: ClassVar[Callable[..., Spec | tuple[Spec, ...]]]
    """``infer(self, *specs) -> Spec`` or a tuple of them; raises ShapeError or DTypeError."""
    fields: ClassVar[tuple[str, ...]] = ()
    """The names of its fields, in order."""
    names: ClassVar[tuple[str, ...]] = ()
    """What its instances call themselves: the name of the class, unless it says otherwise."""
    takes_mixed: ClassVar[bool] = False
    """Whether the kernel promotes mixed dtypes and Python numbers itself, as NumPy's ufuncs do."""
    is_ready: ClassVar[bool] = True
    """Whether tensors go to the kernel as they are: `prepare` is not overridden."""
    samples: ClassVar[Iterable[Sample]] = ()
    """Inputs that it must handle."""
    scalar: ClassVar[str | None] = None
    """The function of `runtime.ops.scalars` that the kernel applies to each element, where it is one."""
    is_core: ClassVar[bool] = False
    """Whether it is one of those few in which all others can be written (`runtime.ops.core`)."""
    decompose: ClassVar[Callable[..., Any] | None] = None
    """``decompose(self, *tensors) -> tensor``, or a tuple of them: the op written in simpler ones.

    It is called while a graph is built. Where it is not there, or returns None, for want of what is known
    before the run, the op stays a call of NumPy (`runtime.ops.core.HostCall`).
    """
    put_back: ClassVar[Callable[..., Any] | None] = None
    """``put_back(self, output, whole, part, *rest) -> tensor``: the first operand with `part` in the place of
    what this output shows of it; of ops that give views, as NumPy does."""
    makes_arrays: ClassVar[bool] = False
    """Whether NumPy's view of a number is an array without axes (`x[...]`), and no number as `x.real` is."""
    asks_for_order: ClassVar[bool] = False
    """Whether NumPy's view is a copy where the elements of the operand do not lie in order."""
    lies_as_operands: ClassVar[bool] = False
    """Whether NumPy lays the elements in memory as those of the operands lie, and not row by row."""
    input_names: ClassVar[tuple[str, ...]] = ()
    """What TensorFlow calls the inputs; names constant operands (``Greater/y``) in an exported graph."""

    if not TYPE_CHECKING:

        def __init_subclass__(cls, *, abstract: bool = False, **options: Any) -> None:
            super().__init_subclass__(**options)
            own = [name for name, kind in cls.__annotations__.items() if not kind.startswith("ClassVar")]
            cls.fields = cls.__match_args__ = (*cls.fields, *own)
            cls.__init__ = _set_fields if cls.fields else object.__init__
            cls.is_ready = cls.prepare is Op.prepare
            if "names" not in cls.__dict__:
                cls.names = (cls.__name__,)
            if not abstract:
                assert cls.__name__ not in REGISTRY, f"two ops are called {cls.__name__}"
                REGISTRY[cls.__name__] = cls

    else:

        def __init_subclass__(cls, *, abstract: bool = False) -> None: ...

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} cannot get another {name}: an op never changes")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self!r} cannot lose {name}: an op never changes")

    def _values(self) -> tuple[Any, ...]:
        fields = self.__dict__
        return tuple([fields[name] for name in self.fields])

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values())) if self.fields else hash(type(self))

    @property
    def name(self) -> str:
        """The op's name, TensorFlow's where there is one."""
        return type(self).__name__

    @property
    def effects(self) -> Effects:
        """What it does beside computing."""
        return Effects.NONE

    @property
    def regions(self) -> tuple[Region, ...]:
        """The graphs inside of it, each with its role; such an op has `run` in place of a kernel."""
        return ()

    @property
    def settled(self) -> set[Hashable]:
        """The changes of its graphs, by name, that are known to leave them as they are."""
        return set()

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graphs of its regions."""
        return ()

    def with_graphs(self, *graphs: Graph) -> Op:
        """The same op around other graphs, one for each region."""
        assert not graphs, f"{self.name} has no regions"
        return self

    def with_results(self, indices: Sequence[int]) -> Op:
        """The same op where no other results are needed: of graphs that give these alone."""
        del indices
        return self

    @property
    def callee(self) -> str | None:
        """The function of the module that it calls by name, if it calls one."""
        return None

    def run(self, execute: Callable[[Graph, Sequence[Any]], Sequence[Any]], *operands: Any) -> Sequence[Any]:
        """What an op with regions gives, where `execute` runs a graph: arrays to arrays."""
        raise NotImplementedError(f"{self.name} has no regions")

    def caught(self, error: BaseException, *own: Any) -> Sequence[Any]:
        """What an op gives of which a region has raised `error`; `own` are the operands that no region takes.

        The error goes on where the region catches no such thing.
        """
        raise NotImplementedError(f"{self.name} catches nothing")

    def check(self, *specs: Any) -> None:
        """Raises what the op says of operands of these specs, with what lies outside as it is now.

        It is asked when a kernel has failed: what an op says of shapes is clearer than what NumPy says.
        """
        self.infer(*specs)

    def raises(self, *specs: Any) -> Failures:
        """The exceptions that the kernel may raise on inputs of these specs, as a program meets them.

        Warnings do not count, nor does memory that runs out.
        """
        del specs
        return ANYTHING

    def aliases(self, *specs: Any) -> Aliases:
        """In the memory of which inputs an output may lie, for inputs of these specs.

        `FRESH` says that each output with axes is an array of its own: nobody else holds it, it can be
        written to, and no other output shares it. A list is then a new one, with elements that may lie in
        the memory of any input.
        """
        del specs
        return None

    def found_at(self, output: int) -> Mapping[int, int]:
        """By the number of each checkpoint in a graph that it catches in, where in the cell an output is."""
        del output
        return {}

    def is_view(self, x: Any, result: Any) -> bool:
        """Whether a result shows a part of the first operand, of ops with `put_back`, for these specs."""
        del x, result
        return True

    def may_run_early(self, *specs: Any) -> bool:
        """Whether it neither raises nor warns nor has effects, whatever inputs of these specs there are.

        Then it may run before it is known that its result is wanted.
        """
        del specs
        return False

    def updates(self, *specs: Any) -> bool:
        """Whether it gives its first operand with a part changed, for operands of these specs.

        An executor that owns the first operand may change that one, in place of a copy.
        """
        del specs
        return False

    def with_meanings(self, meanings: Mapping[str, Dim]) -> Self:
        """The same op with other dims in the place of names; the graphs inside of it stay."""
        values = self._values()
        fields = substituted(values, meanings)
        return self if fields is values else type(self)(*fields)

    def prepare(self, operands: Sequence[Any]) -> Sequence[Any]:
        """The operands after promotion; called before `infer` and, unless `takes_mixed`, before `kernel`."""
        return operands

    def attributes(self) -> dict[str, Any]:
        """The fields by name."""
        return dict(zip(self.fields, self._values(), strict=True))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.attributes().items())
        return f"{self.name}({shown})"


def _set_fields(self: Op, *values: Any, **named: Any) -> None:
    names = self.fields
    if named or len(values) != len(names):
        values = tuple(_complete(type(self), values, named))
    fields = self.__dict__
    for name, value in zip(names, values):  # noqa: B905  # as many, and this runs in every eager call
        fields[name] = value


def _complete(kind: type[Op], values: Sequence[Any], named: dict[str, Any]) -> list[Any]:
    """A value for each field of an op, from those given by position or name and the defaults."""
    names = kind.fields
    given = dict(zip(names, values, strict=False))
    wrong = [name for name in named if name in given or name not in names]
    missing = [name for name in names if name not in given | named and not hasattr(kind, name)]
    if wrong or missing or len(values) > len(names):
        raise TypeError(f"{kind.__name__} has the fields {names}; it was given {tuple(values)} and {named}")
    given |= named
    return [given[name] if name in given else getattr(kind, name) for name in names]


class Placeholder(Op):
    """An input of a graph."""

    label: str
    spec: Spec

    is_core = True

    def infer(self) -> Spec:
        return self.spec

    def raises(self, *specs: ArraySpec) -> Failures:
        del specs
        return NOTHING


@cache
def _scalar_spec(dtype: np.dtype[Any]) -> ArraySpec:
    """Of what has no axes."""
    return ArraySpec((), as_dtype(dtype))


class Const(Op):
    """A value that is the same in every run."""

    value: Array

    is_core = True

    _LARGE: ClassVar[int] = 1 << 16
    """Bytes from which two constants are the same only if they are one array: comparing would cost more."""
    samples = (Sample((), {"value": np.arange(3.0)}), Sample((), {"value": np.array(True)}))

    def infer(self) -> ArraySpec:
        value = self.value
        return ArraySpec(value.shape, as_dtype(value.dtype)) if value.ndim else _scalar_spec(value.dtype)

    def raises(self, *specs: ArraySpec) -> Failures:
        del specs
        return NOTHING

    def may_run_early(self, *specs: ArraySpec) -> bool:
        del specs
        return True

    def kernel(self) -> Array:
        return self.value

    @property
    def _key(self) -> tuple[DType, Shape, object, object]:
        value = self.value
        content = id(value) if value.nbytes >= self._LARGE else value.tobytes()
        lies = value.strides if value.ndim > 1 else None  # by which products of matrices have their last bits
        return as_dtype(value.dtype), value.shape, content, lies

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        shown = np.array2string(self.value, threshold=6, edgeitems=2, separator=", ").replace("\n", "")
        return f"Const({shown})"
