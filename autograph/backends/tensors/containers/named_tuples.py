"""Named tuples, which are equal to other tuples of the same elements, in containers of the graph."""

from __future__ import annotations

from runtime.core.structure import Structure

__all__ = ["are_alike", "is_compared_as_tuple"]


def is_compared_as_tuple(kind: type) -> bool:
    """Whether objects of a class are tuples, and equal where their elements are."""
    return issubclass(kind, tuple) and kind.__eq__ is tuple.__eq__ and kind.__hash__ is tuple.__hash__


def are_alike(one: Structure, other: Structure) -> bool:
    """Whether nests of two forms are equal where their leaves are: tuples may be of several classes."""
    if one == other:
        return True
    if one.kind is None or other.kind is None or len(one.children) != len(other.children):
        return False
    are_tuples = is_compared_as_tuple(one.kind) and is_compared_as_tuple(other.kind)
    return are_tuples and all(map(are_alike, one.children, other.children))
