"""Every exception and warning of `runtime`.

Each exception is also the built-in one that a NumPy user would expect, so that ``except ValueError`` keeps
working::

    Error(Exception)
    ├── InvalidArgument                     a value that an operation cannot take
    │   ├── ShapeError(ValueError)          shapes that do not fit
    │   │   ├── AxisError(IndexError)       an axis that a tensor does not have
    │   │   └── MatrixError(LinAlgError)    a tensor that holds no matrices, or none that are square
    │   ├── DTypeError(TypeError)           dtypes that do not fit
    │   ├── InvalidValue(ValueError)        a number, a word or a count that a function cannot take
    │   ├── IndexOutOfRange(IndexError)     an index outside its axis
    │   ├── InvalidIndex(IndexError)        what is no index, or indices that do not fit together
    │   ├── IntTooLarge(OverflowError)      an int of Python's own beyond the 64 bits that it has in a graph
    │   └── CheckFailed(AssertionError)     a staged `assert` or a debugging check that did not hold
    ├── GraphError(RuntimeError)            a graph built or used against its rules
    │   ├── LeakedTensor                    a symbolic tensor outside the graph that it belongs to
    │   └── InvalidGraph                    `verify()` found a broken rule
    ├── NoConcreteValue(TypeError)          a symbolic tensor asked for a value that only a run can give
    ├── NotASequence(TypeError)             a tensor without axes asked for its length or its items
    ├── ImmutableTensor(TypeError)          a tensor asked to change
    ├── CannotShare(BufferError)            memory asked for that cannot be shared with another library
    ├── StateDisagrees(TypeError)           branches or iterations that leave a variable in two forms
    ├── SignatureError(TypeError)           arguments that no graph of a function takes
    ├── TooManyTraces(RuntimeError)         a function traced more often than its `max_traces`
    ├── CompileError(NotImplementedError)   a graph that machine code cannot run
    ├── Refused                             what strict mode refuses, as TensorFlow does
    │   ├── RefusedType(TypeError)          values of two dtypes or structures
    │   ├── RefusedValue(ValueError)        variables without a value, and shapes that change
    │   └── RefusedConstruct(NotImplementedError)  loops that are Python's in part, and NumPy in a graph
    └── ExportError(ValueError)             something that a foreign format cannot hold

    Notice(UserWarning)
    ├── RetracingWarning                    a function is traced again in call after call
    ├── UnrollingWarning                    a loop of Python adds its operations again with every turn
    ├── KindsMeetWarning                    numbers of several kinds become values of one dtype
    ├── CopiedViewWarning                   a view of an array that outlives the function is a copy
    ├── LargeConstantWarning                a large array became a constant of a graph
    ├── LeakWarning                         a tensor of a graph was left outside of the function
    └── LostChangesWarning                  changes outside that a graph which raised has not stored

What a message consists of is in `runtime.messages`. An error of Python's own that is raised while a graph
runs keeps its type and text, and gains a note (PEP 678) with the user's file and line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.codes import InvalidArgumentError
from runtime.messages import Error, Message, Notice

__all__ = [
    "AxisError",
    "CalledOnceWarning",
    "CannotShare",
    "CheckFailed",
    "CompileError",
    "CopiedViewWarning",
    "DTypeError",
    "Error",
    "ExportError",
    "GraphError",
    "ImmutableTensor",
    "IndexOutOfRange",
    "IntTooLarge",
    "InvalidArgument",
    "InvalidGraph",
    "InvalidIndex",
    "InvalidValue",
    "KindsMeetWarning",
    "LargeConstantWarning",
    "LeakWarning",
    "LeakedTensor",
    "LostChangesWarning",
    "MatrixError",
    "Message",
    "NoConcreteValue",
    "NotAFunction",
    "NotASequence",
    "Notice",
    "Refused",
    "RefusedConstruct",
    "RefusedType",
    "RefusedValue",
    "ResultDisagrees",
    "RetracingWarning",
    "ShapeError",
    "SignatureError",
    "StateDisagrees",
    "TooManyTraces",
    "UnknownKind",
    "UnrollingWarning",
    "as_ours",
    "as_pythons",
    "is_caught",
    "of_python",
    "only_in_graphs",
]


class InvalidArgument(Error, InvalidArgumentError):
    """A value that an operation cannot take.

    Give it one that its docstring names.
    """


class ShapeError(InvalidArgument, ValueError):
    """Shapes that do not fit together, or an axis that is named twice.

    Reshape, or let broadcasting work by axes of length 1.
    """

    identifier = "shape-error"
    why = "Shapes are matched axis by axis, as in NumPy."
    way_out = "Look at `x.shape` of each operand, and reshape the one that is not as you expect."


class AxisError(ShapeError, np.exceptions.AxisError):
    """An axis that a tensor does not have.

    Name one of those that the message lists. It is NumPy's `AxisError`, too, with its `axis` and its `ndim`.
    """

    identifier = "axis-error"
    why = "The axes of a tensor are counted from 0, or back from -1."
    way_out = "Look at `x.ndim`, and name one of its axes."
    axis: int | None = None
    ndim: int | None = None

    def __init__(
        self, happened: str = "", *, axis: int | None = None, ndim: int | None = None, **parts: Any
    ) -> None:
        super().__init__(happened, **parts)
        self.axis, self.ndim = axis, ndim


class MatrixError(ShapeError, np.linalg.LinAlgError):
    """A tensor that holds no matrices, or none that are square.

    Look at its last two axes. It is NumPy's `LinAlgError`, too.
    """

    identifier = "matrix-error"
    why = "A matrix has two axes, and a stack of matrices more."
    way_out = "Look at the last two of `x.shape`."


class DTypeError(InvalidArgument, TypeError):
    """A dtype that an operation does not accept.

    Cast with `astype` to what is meant.
    """

    identifier = "dtype-error"
    why = "An operation takes the dtypes for which it has a meaning."
    way_out = "Cast with `rt.astype` to what you mean."


class InvalidValue(InvalidArgument, ValueError):
    """A number, a word or a count that a function cannot take.

    Give it one of those that the message lists.
    """

    identifier = "invalid-value"
    why = "The function has no meaning for it."
    way_out = "Give it one that its docstring names."


class UnknownKind(InvalidValue):
    """A number for which Python's operator gives one of another kind: a negative power of an int, a float.

    Say which kind is meant, as the message shows.
    """

    identifier = "unknown-kind"
    only_in_graphs = True
    why = "A graph has to know the kind of a number before it runs."
    way_out = "Make it a float or a complex number first."


class IndexOutOfRange(InvalidArgument, IndexError):
    """An index outside the axis that it selects from.

    Check it against the length, or `rt.clip` it.
    """

    identifier = "index-out-of-range"
    why = "An index counts from 0, or back from -1, and stays inside its axis."
    way_out = "Check it against the length of the axis, or `rt.clip` it."


class InvalidIndex(InvalidArgument, IndexError):
    """Something that is no index of a tensor, or several that do not fit together.

    Index with integers, slices, None, one Ellipsis, and tensors of integers or truth values.
    """

    identifier = "invalid-index"
    why = "An index is an integer, a slice, None, an Ellipsis, or a tensor of integers or truth values."
    way_out = "Cast it with `int`, or a tensor with `rt.astype(x, rt.int64)`."


class IntTooLarge(InvalidArgument, OverflowError):
    """An int of Python's own that needs more than the 64 bits that it has in a graph.

    Compute with floats, or reduce it on the way (`k = k * 31 % 1000007`); integers of NumPy's wrap around.
    """

    identifier = "int-too-large"
    only_in_graphs = True
    why = "A graph has 64 bits for it, where Python has as many as it needs."
    way_out = "Compute with floats, reduce it by `%` early, or use NumPy's integers, which wrap around."


class CheckFailed(InvalidArgument, AssertionError):
    """A staged `assert`, or an `rt.check`, that did not hold.

    Give the check what it asks for. Its message is the program's own, and a note has the line.
    """

    identifier = "check-failed"
    verbatim = True


class GraphError(Error, RuntimeError):
    """A graph that was built or used against its rules.

    Its message says which rule, and what to write instead.
    """

    identifier = "graph-error"
    why = "A graph keeps the rules of `runtime.graph.verify`."
    way_out = "Correct what builds it."


class LeakedTensor(GraphError, TypeError):
    """A symbolic tensor that was used outside the graph that it belongs to.

    Return it from the function, or write it to a variable.
    """

    identifier = "leaked-tensor"


class InvalidGraph(GraphError):
    """A graph that breaks a rule of `runtime.graph.verify`.

    Correct what built it: the pass, or the text, that the message names.
    """

    identifier = "invalid-graph"
    why = "Passes and executors rely on the rules of `runtime.graph.verify`."
    way_out = "Correct what built it: a pass, or the text of a graph."


class NoConcreteValue(Error, TypeError):
    """A symbolic tensor was asked for a value that only a run of the graph can give.

    Let AutoGraph convert the function, use the function of `rt`, or ask the result of the call.
    """

    identifier = "no-concrete-value"
    only_in_graphs = True
    why = "Its value only exists when the graph runs, and now the graph is traced."
    way_out = "Let AutoGraph convert the function, or use the function of `rt`."


class NotASequence(Error, TypeError):
    """A tensor without axes was asked for its length or its items.

    Give it an axis, or use it as the one number that it is.
    """

    identifier = "not-a-sequence"
    why = "It holds one number, as an array of NumPy without axes does."
    way_out = "Give it an axis with `rt.reshape(x, (-1,))`, or use it as the number that it is."


class ImmutableTensor(Error, TypeError):
    """A tensor was asked to change.

    Bind the name to a new tensor instead.
    """

    identifier = "immutable-tensor"
    why = "A tensor never changes: graphs and other names may hold it."


class CannotShare(Error, BufferError):
    """Memory that a tensor cannot share with another array library in the way that was asked for.

    Copy: with `rt.asarray` what comes in, with `x.numpy()` what goes out.
    """

    identifier = "cannot-share"
    why = "A tensor is memory of the processor that nobody writes to."
    way_out = "Copy: with `rt.asarray` what comes in, with `x.numpy()` what goes out."


class StateDisagrees(Error, TypeError):
    """Branches or iterations that leave a variable in forms which one graph cannot hold.

    Give it one structure on every path, and a tensor wherever its value differs.
    """

    identifier = "state-disagrees"
    only_in_graphs = True
    why = "A graph holds every path, so what one leaves must have the form of what another leaves."
    way_out = "Give it one structure on every path."


class NotAFunction(Error, TypeError):
    """Something that cannot become a graph: a class, an async function, a generator function.

    Decorate a function that takes values and returns values.
    """

    identifier = "not-a-function"


class SignatureError(Error, TypeError):
    """Arguments that no graph of a function takes.

    Call the function itself, which traces another graph, or widen its `input_signature`.
    """

    identifier = "signature-error"


class ResultDisagrees(Error, TypeError):
    """A function of Python's that a graph calls gave something else than it was said to give.

    Say what it gives in `ag.host_call(function, *args, result=…)`.
    """

    identifier = "result-disagrees"
    why = "What a function gives is said, or learned, while the graph is made, and holds for every run."
    way_out = "Say what it gives: `ag.host_call(function, *args, result=…)`, and have it give just that."


class Refused(Error):
    """What strict mode refuses, as TensorFlow does.

    Write what TensorFlow takes, or leave out `strict=True`.
    """

    why = "Strict mode keeps to what TensorFlow's AutoGraph takes; without it, this works as in Python."


class RefusedType(Refused, TypeError):
    """Strict mode: values of two dtypes meet, or a tensor stands where TensorFlow wants a Python value.

    Cast them to one dtype, or leave out `strict=True`: then they are promoted.
    """

    identifier = "refused-type"


class RefusedValue(Refused, ValueError):
    """Strict mode: a variable has no value on some path, or a shape that changes.

    Give it a value on every path, or leave out `strict=True`: then it is checked where it is read.
    """

    identifier = "refused-value"


class RefusedConstruct(Refused, NotImplementedError):
    """Strict mode: a tensor ends a loop of Python, a loop of the graph returns, or NumPy is called.

    Loop over tensors and call `rt`, or leave out `strict=True`: then these work.
    """

    identifier = "refused-construct"


class ExportError(Error, ValueError):
    """A graph, or a part of it, that a foreign format cannot hold.

    Express the line it names in operations that the format has, or leave it out of what is exported.
    """

    identifier = "export-error"


class TooManyTraces(Error, RuntimeError):
    """A function would be traced more often than its `max_traces` allows.

    Pass numbers that change as tensors, give `reduce_retracing=True` where shapes change, or
    raise the budget. `retraces` has every trace with its reason, as `explain_retraces()` gives them.
    """

    identifier = "too-many-traces"
    why = "Each combination of dtypes, shapes and Python values has a graph of its own."

    def __init__(self, happened: str = "", *, retraces: Any = None, **parts: Any) -> None:
        super().__init__(happened, **parts)
        self.retraces = retraces


class CompileError(Error, NotImplementedError):
    """A graph was to become machine code, and there is nothing that makes it.

    Install the extra `native`, or leave out `jit_compile=True`.
    """

    identifier = "compile-error"


class RetracingWarning(Notice):
    """A function is traced again in call after call, or more often than its `max_traces` allows.

    Pass numbers that change as tensors, and give `reduce_retracing=True` where shapes change. `retraces` has
    every trace with its reason, as `explain_retraces()` gives them.
    """

    identifier = "retracing-warning"
    why = "Each combination of dtypes, shapes and Python values has a graph of its own."

    def __init__(self, happened: str = "", *, retraces: Any = None, **parts: Any) -> None:
        super().__init__(happened, **parts)
        self.retraces = retraces


class UnrollingWarning(Notice):
    """A loop of Python is unrolled: each of its many turns adds its operations to the graph.

    Loop over `rt.arange(n)` or another tensor, or until a tensor says so: the graph then holds one loop.
    """

    identifier = "unrolling-warning"
    why = (
        "Python decides how often it runs, so each turn is traced, which makes graphs that are slow to build."
    )
    way_out = "Loop over `rt.arange(n)` or another tensor: the graph then has one loop."


class CalledOnceWarning(Notice):
    """A function of a library was called once, while a graph was traced: every run has what it gave then.

    Call it by `ag.host_call`, which calls it on every run; or call it outside, and pass what it gives.
    """

    identifier = "called-once-warning"
    why = (
        "Nothing is known of what it does; if it touches the world, a graph differs from Python from then on."
    )
    way_out = (
        "Write `ag.host_call(function, *args, result=…)` to have it called on every run, or call it outside, "
        "and pass what it gives."
    )


class KindsMeetWarning(Notice):
    """Numbers of several kinds, such as an int and a float, become values of one dtype in a graph.

    Give the variable, or the elements of the list, one kind: 0.0 for 0, or `float(…)`.
    """

    identifier = "kinds-meet-warning"
    why = (
        "A value of a graph has one dtype, whichever path is taken: a 3 that may be a float is 3.0, "
        "also in text."
    )
    way_out = "Give it one kind everywhere: write 0.0 for 0, or convert it with `float(…)`."


class CopiedViewWarning(Notice):
    """A view of an array that a loop has bound outlives the function, and is a copy.

    What a function leaves outside of itself shows the memory of the array of which it is a part; but where
    turns of a loop decide which part that is, only the run knows. Take the part behind the loop, by a number
    that the loop leaves, or keep a copy.
    """

    identifier = "copied-view-warning"
    why = "Only the run knows which part it is, so what is written into the array later is not seen in it."
    way_out = "Take the part behind the loop, as in `self.row = x[last]`, or keep a copy: `x[i].copy()`."


class LargeConstantWarning(Notice):
    """A large array became a constant of a graph.

    Pass it as an argument, or keep it in an `rt.Variable`.
    """

    identifier = "large-constant-warning"
    why = "A graph keeps its constants for as long as it lives, and is written out with them."
    way_out = "Pass the array as an argument, or keep it in an `rt.Variable`."


class LeakWarning(Notice):
    """A function left a tensor of its graph in a variable, a container or an object outside of it.

    Return it from the function, or write it to an `rt.Variable`.
    """

    identifier = "leak-warning"
    why = "The function ran as Python once, to be traced; a call runs the graph, and leaves nothing there."
    way_out = "Return the tensor from the function, or write it to an `rt.Variable`."


class LostChangesWarning(Notice):
    """A graph raised, and what the function changed outside of itself before that has not happened.

    A graph stores what a function changes when it has run. Where it raises, the function runs again as plain
    Python, which leaves what Python leaves; but not where the graph has drawn a random number, written a
    variable or a file, or called the host by then, which must not happen twice.
    """

    identifier = "lost-changes-warning"
    why = "Changes are stored after the run; and what it drew or wrote must not happen twice."
    way_out = "Raise before anything is changed, or change it after the call."


_SHAPE_WORDS = ("shape", "broadcast", "dimension", "core dim", "size", "extend empty axis")
"""What NumPy's messages speak of when shapes do not fit."""
_OF_LISTS = "to extended slice"
"""What Python says of lists, in one of these words."""


_RANGE_WORDS = ("out of bounds", "indices", "boolean index", "empty axes")
_INDEX_WORDS = ("indexing arrays", "ellipsis", "valid indices")
"""What NumPy's messages speak of when an index does not fit; those of Python's lists stay Python's."""


def of_python(kind: type[BaseException]) -> type[BaseException]:
    """The class that Python or NumPy raises where a graph raises one of ours; itself where there is none."""
    own = next(each for each in kind.__mro__ if each.__module__.partition(".")[0] in {"builtins", "numpy"})
    return own if issubclass(kind, Error) and own is not Exception else kind


def is_caught(kind: type[BaseException], clause: type[BaseException]) -> bool:
    """Whether a handler of this class catches an exception of a class.

    What only graphs raise is caught where the program names an error of ours: Python, which raises nothing
    there, would not have gone to the handler.
    """
    return issubclass(kind, clause) and (not only_in_graphs(kind) or issubclass(clause, Error))


def only_in_graphs(kind: type[BaseException]) -> bool:
    """Whether only graphs raise a class: Python does something else there."""
    return issubclass(kind, Error) and kind.only_in_graphs


def as_pythons(error: BaseException) -> BaseException:
    """What Python raises in the place of an error of ours; any other error itself.

    It is what NumPy raises where that is known, and of an index what NumPy says. Elsewhere it says what ours
    says, which are other words.
    """
    kind = of_python(type(error))
    if not isinstance(error, Error) or kind is type(error):
        return error
    told = None if error.call is None else error.call.error()
    if told is not None:
        return told
    return kind(error.happened if isinstance(error, IndexOutOfRange) else str(error))


def as_ours(error: Exception) -> Exception:
    """What NumPy raised in a kernel, as the error of ours that stands for it; any other error as it is."""
    ours: type[Error] | None = None
    if isinstance(error, ValueError) and isinstance(error, IndexError):  # NumPy's own AxisError
        ours = AxisError
    elif type(error) is IndexError and any(word in str(error) for word in _INDEX_WORDS):
        ours = InvalidIndex
    elif type(error) is IndexError and any(word in str(error) for word in _RANGE_WORDS):
        ours = IndexOutOfRange
    elif type(error) is ValueError and any(word in str(error) for word in _SHAPE_WORDS):
        ours = None if _OF_LISTS in str(error) else ShapeError
    return error if ours is None else ours(str(error).strip()).with_traceback(error.__traceback__)
