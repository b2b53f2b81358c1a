"""Lists of tensors in a standalone program: Python lists, of which a write makes a new one."""

from __future__ import annotations

from runtime.core.spec import ArraySpec
from runtime.executors.numpy_plan.literals import literal
from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops.tensor_list import (
    TensorListCast,
    TensorListConcat,
    TensorListConcatLists,
    TensorListErase,
    TensorListFound,
    TensorListFromTensor,
    TensorListGetItem,
    TensorListInsert,
    TensorListLength,
    TensorListMatches,
    TensorListPosition,
    TensorListPushBack,
    TensorListReserve,
    TensorListSame,
    TensorListScatter,
    TensorListSelect,
    TensorListSetItem,
    TensorListSlice,
    TensorListStack,
)
from runtime.ops.tensor_list.nodes import element_of

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


_PUSH_BACK = """\
def {name}(items, item):
    return [*items, item]
"""
_CONCAT_LISTS = """\
def {name}(left, right):
    return [*left, *right]
"""
_INSERT = """\
def {name}(items, index, item):
    longer = list(items)
    longer.insert(int(index), item)
    return longer
"""
_ERASE = """\
def {name}(items, index):
    return [*items[:index], *items[index + 1:]]
"""
_SELECT = """\
def {name}(items, indices):
    return [items[index] for index in indices]
"""
_SLICE = """\
def {name}(items, {ends}):
    return items[{key}]
"""
_CAST = """\
def {name}(items):
    return [np.asarray(item, {dtype}) for item in items]
"""
_POSITION = """\
def {name}(items, index):
    if not -len(items) <= index < len(items):
        raise IndexError({outside} if items else {empty})
    return np.asarray(index % len(items))
"""
_MATCHES = """\
def {name}(items, value):
    return np.array([np.array_equal(item, value) for item in items], bool)
"""
_SAME = """\
def {name}(left, right):
    return np.asarray(len(left) == len(right) and all(map(np.array_equal, left, right)))
"""
_FOUND = """\
def {name}(matches, *shown):
    if not np.any(matches):
        raise ValueError({message}.format(*shown))
    return np.asarray(np.argmax(matches))
"""
_FIXED: dict[type[Op], str] = {
    TensorListReserve: _RESERVE,
    TensorListFromTensor: _FROM_TENSOR,
    TensorListPushBack: _PUSH_BACK,
    TensorListConcatLists: _CONCAT_LISTS,
    TensorListInsert: _INSERT,
    TensorListErase: _ERASE,
    TensorListSelect: _SELECT,
    TensorListMatches: _MATCHES,
    TensorListSame: _SAME,
}
"""Functions that nothing about the node changes."""


def list_source(name: str, node: Node) -> str | None:
    """A function in place of an op on lists; None for other ops."""
    op = node.op
    if type(op) in _FIXED:
        source = _FIXED[type(op)].format(name=name)
    elif isinstance(op, TensorListSlice):
        source = _slice(name, op)
    elif isinstance(op, TensorListCast):
        source = _CAST.format(name=name, dtype=literal(op.dtype.numpy))
    elif isinstance(op, TensorListPosition):
        source = _POSITION.format(name=name, outside=repr(op.outside), empty=repr(op.empty))
    elif isinstance(op, TensorListFound):
        source = _FOUND.format(name=name, message=repr(op.message))
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


def _slice(name: str, op: TensorListSlice) -> str:
    """A slice with the ends that are given."""
    names = [word if given else "" for word, given in zip(("start", "stop", "step"), op.given, strict=True)]
    return _SLICE.format(name=name, ends=", ".join(filter(None, names)), key=":".join(names))


def _element(node: Node) -> ArraySpec | None:
    """What the elements of the list are, where they are tensors."""
    element = element_of(node.inputs[0].spec)
    return element if isinstance(element, ArraySpec) else None


def _known(element: ArraySpec | None, after: int) -> tuple[int, ...]:
    """The dims of an element, 0 where one is not known."""
    shape = (element.shape if element else None) or ()
    return tuple([dim or 0 for dim in shape[after:]])


def _zeros(node: Node) -> str:
    """What an element that was never written reads as."""
    element = _element(node)
    shape = _known(element, after=0)
    dtype = "" if element is None else f", {literal(element.dtype.numpy)}"
    return f"np.zeros({literal(shape)}{dtype})"
