"""Values that may be missing: a validity bit beside a value, checked where the value is used.

A variable that only one branch of a staged `if` assigns, or that a staged loop assigns for the first time,
is a `MaybeUndefined`; a value that is None on some paths is a `MaybeNone`. Both are made by joining two
outcomes, carry the bit through further statements, and raise when the graph runs what Python would raise.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.backends.tensors.choices import choose
from autograph.staging.heap import leads_on
from autograph.staging.state import Undefined
from runtime import ops
from runtime.core.structure import register
from runtime.core.tensor import Operators, Tensor
from runtime.graph.build import as_tensor, current_builder, is_symbolic
from runtime.graph.graph import Graph
from runtime.ops.control_flow.tracing import ABSENT, predicate
from runtime.ops.validity import require

__all__ = ["MaybeNone", "MaybeUndefined"]


class _Checked:
    """Where a validity bit was checked already: from then on it holds in that graph, and in those inside."""

    __slots__ = ("_graphs",)

    def __init__(self) -> None:
        self._graphs: list[Graph] = []

    def require(self, valid: Any, error: type[Exception], message: str) -> None:
        """Checks the bit unless the graph has done so."""
        builder = current_builder()
        here = [] if builder is None else [each.graph for each in (builder, *builder.ancestors())]
        if not any(graph is checked for graph in here for checked in self._graphs):
            require(valid, error, message)
            self._graphs += here[:1]


class _Maybe(Operators):
    """A value that may be missing. Whoever computes with it means the value."""

    __slots__ = ()
    valid: Any
    value: Any

    @abstractmethod
    def present(self) -> Any:
        """The value; the graph raises where it is missing."""

    def __tensor__(self) -> Tensor:
        return as_tensor(self.present())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.present(), name)

    def __getitem__(self, index: Any) -> Any:
        return self.present()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.present())

    def __len__(self) -> int:
        return len(self.present())

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.present()(*arguments, **options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


@leads_on
class MaybeUndefined(Undefined, _Maybe):
    """A variable, or an attribute, that has a value on some paths only.

    Parameters
    ----------
    name : str
        The variable.
    valid : Tensor of one bool
        Whether it has one.
    value : nest of tensors
        Its value there.
    missing : type of exception
        What reading it raises where it has none.
    """

    __slots__ = ("_checked", "missing", "valid", "value")

    def __init__(
        self, name: str, valid: Any, value: Any, missing: type[Exception] = UnboundLocalError
    ) -> None:
        super().__init__(name)
        self.valid = valid
        self.value = value
        self.missing = missing
        self._checked = _Checked()

    def present(self) -> Any:
        if self.missing is AttributeError:
            message = f"the attribute `{self.name}` has no value here"
        else:
            message = f"cannot access local variable '{self.name}' where it is not associated with a value"
        self._checked.require(self.valid, self.missing, message)
        return self.value

    def read(self) -> Any:
        """The value; the graph raises UnboundLocalError where there is none."""
        return self.present()

    def read_from_inner_function(self) -> Any:
        """The value; the graph raises NameError where there is none."""
        message = (
            f"cannot access free variable '{self.name}' where it is not associated with a value"
            " in enclosing scope"
        )
        self._checked.require(self.valid, NameError, message)
        return self.value


@leads_on
class MaybeNone(_Maybe):
    """A value that is None on some paths.

    Parameters
    ----------
    valid : Tensor of one bool
        Whether it is something else than None.
    value : nest of tensors
        What it is there.
    """

    __slots__ = ("_checked", "valid", "value")

    def __init__(self, valid: Any, value: Any) -> None:
        self.valid = valid
        self.value = value
        self._checked = _Checked()

    def present(self) -> Any:
        self._checked.require(self.valid, TypeError, "a number or a container is needed here, not None")
        return self.value

    def each(self, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the value, or for None."""
        return choose(self.valid, lambda: use(self.value), lambda: use(None))

    def truth(self) -> Any:
        """Whether the value is true; None is not."""
        return ops.logical_and(self.valid, predicate(self.value, "if"))


def _known(valid: Any) -> bool | None:
    """The bit, once the graph has run."""
    if current_builder() is not None or valid is ABSENT or is_symbolic(valid):
        return None
    return bool(valid)


def _build_undefined(
    kind: type, keys: Sequence[Any], children: Sequence[Any], extra: tuple[str, type[Exception]]
) -> Any:
    del kind, keys
    valid, value = children
    name, missing = extra
    match _known(valid):
        case None:
            return MaybeUndefined(name, valid, value, missing)
        case True:
            return value
    return Undefined(name)


def _build_none(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: None) -> Any:
    del kind, keys, extra
    valid, value = children
    match _known(valid):
        case None:
            return MaybeNone(valid, value)
        case True:
            return value
    return None


_PARTS = ("valid", "value")
register(
    MaybeUndefined,
    lambda maybe: (_PARTS, (maybe.valid, maybe.value), (maybe.name, maybe.missing)),
    _build_undefined,
)
register(MaybeNone, lambda maybe: (_PARTS, (maybe.valid, maybe.value), None), _build_none)
