"""`Symbol`: a tensor of a graph, and what it says when it is asked for a value that it does not have."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NoReturn

from runtime.core.dtypes import DType
from runtime.core.shapes import Shape, text
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.tensor import Tensor, print_options
from runtime.core.text import Slot, mark, require_converted
from runtime.core.tracing import tracing
from runtime.errors import LeakedTensor, NoConcreteValue, NotASequence, RefusedType
from runtime.graph.graph import Graph, Value
from runtime.graph.location import runs_generator
from runtime.graph.refusals import note_refusal

__all__ = ["Symbol", "refuse_leak", "set_repeat", "set_value"]


_REPEATED = frozenset({list, tuple, str})
_OF_BYTES = frozenset({bytes, bytearray, array})

_repeat: Any = None


def set_repeat(repeat: Callable[[Any, Any], Any]) -> None:
    """Says what a list, a tuple or a text is that a tensor repeats; until then they are arrays."""
    global _repeat  # noqa: PLW0603  # set once, by who has such lists
    _repeat = repeat


class Symbol(Tensor):
    """A tensor of a graph: it has a shape and a dtype, but its value only exists when the graph runs."""

    __slots__ = ("value",)
    value: Value

    def __init__(self, value: Value) -> None:
        set_value(self, value)  # `x.value = 1` of a program is not this

    @property
    def spec(self) -> Spec:
        return self.value.spec

    @property
    def dtype(self) -> DType:
        value = self.value
        spec = value.node.specs[value.index]
        return spec.dtype if type(spec) is ArraySpec else as_array_spec(spec).dtype

    @property
    def static_shape(self) -> Shape:
        return self.value.array_spec.shape

    @property
    def ndim(self) -> int:
        rank = self.value.array_spec.rank
        if rank is None:
            raise NoConcreteValue(
                "the rank of a tensor of unknown shape was asked for",
                origin=self.value.origin(),
                why="The number of its axes is only known when the graph runs.",
                way_out="Give it as many axes on all paths, or the function an `input_signature` with a "
                "shape; `rt.size(x)` does without.",
            )
        return rank

    @property
    def graph(self) -> Graph:
        """The graph it belongs to."""
        return self.value.node.graph

    def __mul__(self, other: Any) -> Any:
        return _repeat(other, self) if self._repeats(other) else super().__mul__(other)

    def __rmul__(self, other: Any) -> Any:
        return _repeat(other, self) if self._repeats(other) else super().__rmul__(other)

    def _repeats(self, other: Any) -> bool:
        """Whether `other * self` is a list or a tuple repeated, by a number, or a text, also by an array."""
        if type(other) in _OF_BYTES and self.static_shape == ():
            kind = type(other).__name__
            raise NoConcreteValue(
                f"a tensor of a graph was to say how often `{kind}` items are repeated",
                origin=self.value.origin(),
                why=f"How long an object of type `{kind}` is has to be known while the graph is traced.",
                way_out="Multiply it with an int of Python's, or fill a list, `[0] * n`, or an array, "
                "`np.zeros(n, np.uint8)`.",
            )
        if type(other) not in _REPEATED or self.static_shape != ():
            return False
        builder = tracing.builder
        if _repeat is None or builder is None or not builder.effects_run:
            return False
        return type(other) is str or not builder.arrays.is_array(self.value)

    def _refuse(self, wanted: str, way_out: str, known_as: str = "") -> NoReturn:
        """Raises what a tensor without a value has to say; `known_as` are TensorFlow's words for it."""
        builder = tracing.builder
        is_known = bool(known_as) and builder is not None and builder.defaults.static_shapes
        error = NoConcreteValue(
            known_as if is_known else f"a tensor of a graph was used as {wanted}",
            origin=self.value.origin(),
            way_out=way_out,
        )
        raise note_refusal(error)

    def __hash__(self) -> int:
        raise NoConcreteValue(
            "unhashable type: a tensor of a graph has no hash",
            origin=self.value.origin(),
            why="Equal values have equal hashes, and its value only exists when the graph runs.",
            way_out="Compare with `==`, or hash what the function returns.",
        )

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # it has no value to give
        if tracing.builder is not None and tracing.builder.strict:
            raise RefusedType(
                "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.",
                origin=self.value.origin(),
                way_out="Let AutoGraph convert the function, or write `rt.cond` or `rt.where`.",
            )
        self._refuse(
            "a Python bool",
            "Who asked is not converted. Of a library: put an `if` around the call, with a call in each "
            "branch. Your own: let AutoGraph convert it (no `do_not_convert` on the way; where it could "
            "not, a ConversionWarning says why), or write `rt.cond`, `rt.where` or `rt.while_loop`.",
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.",
        )

    def numpy(self) -> NoReturn:
        self._refuse("a NumPy array", "Call NumPy on what the function returns, or use the function of `rt`.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        self._refuse(
            "a NumPy array",
            "Use the function of `rt` in place of NumPy's; beside an array, make one of a list or tuple: "
            "`a + np.array([x, y])`.",
        )

    def __int__(self) -> NoReturn:
        self._refuse(
            "a Python int", "Write `rt.astype(x, rt.int64)`, or convert the function with AutoGraph."
        )

    def __index__(self) -> NoReturn:  # noqa: PLE0305  # it has no value to give
        if runs_generator():
            self._refuse(
                "a Python int",
                "Python runs this generator as it is: AutoGraph converts one that is not marked "
                "`do_not_convert`, and whose every `yield` is a statement outside of `with`, `finally` and "
                "handlers of exceptions. Write it so, or fill a list and return that.",
            )
        self._refuse(
            "a Python int",
            "Let AutoGraph convert the function, or compute with tensors: `rt.take` has items by index, "
            "`rt.arange` counts.",
        )

    def __float__(self) -> NoReturn:
        self._refuse(
            "a Python float", "Write `rt.astype(x, rt.float64)`, or convert the function with AutoGraph."
        )

    def __complex__(self) -> NoReturn:
        self._refuse("a Python complex", "Write `rt.astype(x, rt.complex128)`.")

    def __contains__(self, item: object) -> NoReturn:
        self._refuse("the right side of `in`", "Write `rt.any(x == item)`.")

    def __len__(self) -> int:
        shape = self.static_shape
        if shape == ():
            raise NotASequence("a tensor without axes has no len()")
        if shape is None or not isinstance(shape[0], int):
            self._refuse(
                "the argument of len()",
                "Write `rt.shape(x)[0]`, or convert the function with AutoGraph.",
                "len is not well defined for a symbolic Tensor. Please call `x.shape` rather than `len(x)` "
                "for shape information.",
            )
        return shape[0]

    def __iter__(self) -> Any:
        shape = self.static_shape
        if shape == ():
            raise NotASequence("a tensor without axes has nothing to iterate over")
        if shape is None or not isinstance(shape[0], int):
            self._refuse(
                "an iterable of Python",
                "Its length is not known before the run: let AutoGraph convert the `for`, "
                "or use `rt.while_loop`.",
                "Iterating over a symbolic `tf.Tensor` is not allowed.",
            )
        return (self[index] for index in range(shape[0]))

    def _marked(self, function: str, *arguments: str) -> str | None:
        builder = tracing.builder
        slot = None if builder is None else Slot(is_number=self.value in builder.context.weak)
        if builder is not None and function == "repr" and tracing.marks is not None:
            builder.arrays.require_one_class(self.value)
            slot = builder.slot_of(self.value)
            if self.value in builder.arrays.of_lists:
                builder.note_array_told()
        marked = mark(self, function, *arguments, slot=slot)
        if marked is None:
            require_converted()
        return marked

    def __format__(self, spec: str) -> str:
        marked = self._marked("format", spec)
        if marked is None and spec:
            self._refuse("formatted text", "Print it with `rt.print`, which runs with the graph.")
        return self._shown("str") if marked is None else marked

    def __str__(self) -> str:
        return self._marked("str") or self._shown("str")

    def __repr__(self) -> str:
        return self._marked("repr") or self._shown("repr")

    def _shown(self, function: str) -> str:
        """What it is called while it has no value."""
        name = f"{print_options.prefix}Tensor"
        known = self.spec
        shown = str(known)
        if isinstance(known, ArraySpec):
            shown = f"shape={text(known.shape)}, dtype={known.dtype}"
        shown = f"<{name}: {shown}, in graph `{self.graph.name}`>"
        tracing.shown[id(shown)] = shown, self, function
        return shown

    def __reduce__(self) -> NoReturn:
        self._refuse("pickled data", "Save what the function returns.")


set_value: Callable[[Symbol, Value], None] = Symbol.__dict__["value"].__set__
"""Has a symbol stand for a value."""


def refuse_leak(value: Value, graph: Graph | None) -> NoReturn:
    """Says that a value is used in a graph, or in eager code, that cannot see it."""
    here = f"in the graph `{graph.name}`" if graph else "in eager code, outside of all graphs"
    raise LeakedTensor(
        f"a tensor of the graph `{value.node.graph.name}` is out of scope and cannot be used here, {here}",
        origin=value.origin(),
        why="It was made while the graph was traced, and has no value of its own.",
        way_out="Return it from the function, or write it to a variable, instead of keeping it in a list, an "
        "attribute or a global.",
    )


Symbol.__name__ = Symbol.__qualname__ = "Tensor"  # as Python's own errors name the class
