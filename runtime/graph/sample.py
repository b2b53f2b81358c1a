"""`Sample`: inputs that an op must handle; the test suite runs every sample of every op."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from autograph_base.dataclass import dataclass

__all__ = ["Sample", "Samples"]


@dataclass(frozen=True)
class Sample:
    """Inputs that an op must handle.

    Attributes
    ----------
    arrays : tuple
        What the kernel takes: arrays, and lists or exceptions where the op works on these.
    attributes : mapping of str to object
        The fields of the op.
    raises : exception class, optional
        What the op is there to raise for them.
    """

    arrays: tuple[Any, ...]
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    raises: type[BaseException] | None = None


@dataclass(frozen=True)
class Samples:
    """Samples made only when they are asked for: every op has some, and few programs want them."""

    make: Callable[[], Iterable[Sample]]

    @cached_property
    def made(self) -> tuple[Sample, ...]:
        """The samples, which are the same ones whenever somebody asks."""
        return tuple(self.make())

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.made)

    def __add__(self, more: Iterable[Sample]) -> Samples:
        return Samples(lambda: [*self, *more])
