"""Every exception that `runtime` raises.

Each one is also the built-in exception that a NumPy user would expect, so that ``except ValueError``
keeps working::

    Error(Exception)
    ├── InvalidArgument                     a value that an operation cannot take
    │   ├── ShapeError(ValueError)          shapes that do not fit
    │   ├── DTypeError(TypeError)           dtypes that do not fit
    │   ├── IndexOutOfRange(IndexError)     an index outside its axis
    │   └── CheckFailed(AssertionError)     a staged `assert` or a debugging check that did not hold
    ├── GraphError(RuntimeError)            a graph built or used against its rules
    │   ├── LeakedTensor                    a symbolic tensor outside the graph that it belongs to
    │   └── InvalidGraph                    `verify()` found a broken rule
    ├── NoConcreteValue(TypeError)          a symbolic tensor asked for a value that only a run can give
    ├── StateDisagrees(TypeError)           branches or iterations that leave a variable in two forms
    ├── SignatureError(TypeError)           arguments that no graph of a function takes
    └── ExportError(ValueError)             something that a foreign format cannot hold

An error raised while a graph runs keeps its type and gains a note (PEP 678) with the user's file and line.
"""

from __future__ import annotations

__all__ = [
    "CheckFailed",
    "DTypeError",
    "Error",
    "ExportError",
    "GraphError",
    "IndexOutOfRange",
    "InvalidArgument",
    "InvalidGraph",
    "LeakedTensor",
    "NoConcreteValue",
    "ShapeError",
    "SignatureError",
    "StateDisagrees",
    "as_ours",
]


class Error(Exception):
    """Root of every exception raised by `runtime`."""


class InvalidArgument(Error):
    """A value that an operation cannot take.

    Give it one that its docstring names.
    """


class ShapeError(InvalidArgument, ValueError):
    """Shapes that do not fit together, or an axis that is not there.

    Reshape, or let broadcasting work by axes of length 1.
    """


class DTypeError(InvalidArgument, TypeError):
    """A dtype that an operation does not accept.

    Cast with `astype` to what is meant.
    """


class IndexOutOfRange(InvalidArgument, IndexError):
    """An index outside the axis that it selects from.

    Check it against the length, or `rt.clip` it.
    """


class CheckFailed(InvalidArgument, AssertionError):
    """A staged `assert`, or an `rt.check`, that did not hold.

    Give the check what it asks for; its message says what that is.
    """


class GraphError(Error, RuntimeError):
    """A graph that was built or used against its rules.

    Its message says which rule, and what to write instead.
    """


class LeakedTensor(GraphError):
    """A symbolic tensor that was used outside the graph that it belongs to.

    Return it from the function, or write it to a variable.
    """


class InvalidGraph(GraphError):
    """A graph that breaks a rule of `runtime.graph.verify`.

    Correct what built it: the pass, or the text, that the message names.
    """


class NoConcreteValue(Error, TypeError):
    """A symbolic tensor was asked for a value that only a run of the graph can give.

    Let AutoGraph convert the function, use the function of `rt`, or ask the result of the call.
    """


class StateDisagrees(Error, TypeError):
    """Branches or iterations that leave a variable in forms which one graph cannot hold.

    Give it one structure on every path, and a tensor wherever its value differs.
    """


class SignatureError(Error, TypeError):
    """Arguments that no graph of a function takes.

    Call the function itself, which traces another graph, or widen its `input_signature`.
    """


class ExportError(Error, ValueError):
    """A graph, or a part of it, that a foreign format cannot hold.

    Express the line it names in operations that the format has, or leave it out of what is exported.
    """


_SHAPE_WORDS = ("shape", "broadcast", "dimension", "core dim", "size")
"""What NumPy's messages speak of when shapes do not fit."""


def as_ours(error: Exception) -> Exception:
    """What NumPy raised in a kernel, as the error of ours that stands for it; any other error as it is."""
    ours: type[Error] | None = None
    if type(error) is IndexError:
        ours = IndexOutOfRange
    elif type(error) is ValueError and any(word in str(error) for word in _SHAPE_WORDS):
        ours = ShapeError
    return error if ours is None else ours(*error.args).with_traceback(error.__traceback__)
