"""Lists of tensors in a standalone program: Python lists, of which a write makes a new one."""

from __future__ import annotations

from runtime.core.spec import Spec
from runtime.executors.numpy_plan.literals import literal
from runtime.graph.graph import Node
from runtime.ops.tensor_list import (
    TensorListConcat,
    TensorListFromTensor,
    TensorListGetItem,
    TensorListLength,
    TensorListReserve,
    TensorListScatter,
    TensorListSetItem,
    TensorListStack,
)

__all__ = ["list_source"]

_RESERVE = """\
def {name}(size):
    return [None] * int(size)
"""
_FROM_TENSOR = """\
def {name}(tensor):
    return list(tensor)
"""
_SET_ITEM = """\
def {name}(items, index, item):
    if index < 0{limit}:
        raise IndexError(f"index {{index}} is out of range for a list of {{len(items)}}")
    longer = [*items, *[None] * (index + 1 - len(items))]
    longer[index] = item
    return longer
"""
_SCATTER = """\
def {name}(items, indices, tensor):
    for index, item in zip(indices, tensor, strict=True):
        if index < 0{limit}:
            raise IndexError(f"index {{index}} is out of range for a list of {{len(items)}}")
        items = [*items, *[None] * (index + 1 - len(items))]
        items[index] = item
    return items
"""
_GET_ITEM = """\
def {name}(items, index):
    if not 0 <= index < len(items):
        raise IndexError(f"index {{index}} is out of range for a list of {{len(items)}}")
    return {unwritten} if items[index] is None else items[index]
"""
_LENGTH = """\
def {name}(items):
    return np.asarray(len(items), {dtype})
"""
_STACK = """\
def {name}(items):
    if not items:
        return np.zeros({empty}, {dtype})
    return np.{join}([{unwritten} if item is None else item for item in items])
"""


def list_source(name: str, node: Node) -> str | None:
    """A function in place of an op on lists; None for other ops."""
    op = node.op
    if isinstance(op, TensorListReserve):
        source = _RESERVE.format(name=name)
    elif isinstance(op, TensorListFromTensor):
        source = _FROM_TENSOR.format(name=name)
    elif isinstance(op, (TensorListSetItem, TensorListScatter)):
        template = _SET_ITEM if isinstance(op, TensorListSetItem) else _SCATTER
        source = template.format(name=name, limit="" if op.grows else " or index >= len(items)")
    elif isinstance(op, TensorListGetItem):
        source = _GET_ITEM.format(name=name, unwritten=_zeros(node))
    elif isinstance(op, TensorListLength):
        source = _LENGTH.format(name=name, dtype=literal(op.dtype.numpy))
    elif isinstance(op, (TensorListStack, TensorListConcat)):
        stacks = isinstance(op, TensorListStack)
        shape = _known(_element(node), after=0 if stacks else 1)
        source = _STACK.format(
            name=name,
            empty=literal((0, *shape)),
            dtype=literal(op.dtype.numpy),
            join="stack" if stacks else "concatenate",
            unwritten=_zeros(node),
        )
    else:
        return None
    return source.rstrip("\n")


def _element(node: Node) -> Spec | None:
    return node.inputs[0].spec.element


def _known(element: Spec | None, after: int) -> tuple[int, ...]:
    """The dims of an element, 0 where one is not known."""
    shape = (element.shape if element else None) or ()
    return tuple([dim or 0 for dim in shape[after:]])


def _zeros(node: Node) -> str:
    """What an element that was never written reads as."""
    element = _element(node)
    shape = _known(element, after=0)
    dtype = "" if element is None else f", {literal(element.dtype.numpy)}"
    return f"np.zeros({literal(shape)}{dtype})"
