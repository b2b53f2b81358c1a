"""Reads and writes of variables. They happen in program order, in branches and loops too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import DType, float32
from runtime.core.shapes import Shape, broadcast, compatible, is_known, text
from runtime.core.spec import ArraySpec
from runtime.core.tensor import Array, Tensor
from runtime.errors import GraphError, ShapeError
from runtime.graph.build import bind, bind_all
from runtime.graph.op import NOTHING, Effects, Failures, Op
from runtime.graph.resources import Resource, refuse_undeclared, resource_kind
from runtime.ops.facts import GraphDefBuilder, GraphDefTensor, Sample, raising

__all__ = ["AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp", "ReadVariableOp", "Storage"]


@resource_kind
class Storage(Resource):
    """Where a variable keeps its array; arrays in it are replaced, never changed."""

    kind = "variable"
    name: str
    dtype: DType
    static_shape: Shape
    array: Array

    @property
    def declared_spec(self) -> ArraySpec:
        return ArraySpec(self.static_shape, self.dtype)

    @classmethod
    def declared(cls, name: str, spec: ArraySpec | None) -> Storage:
        if spec is None:
            raise GraphError(
                f"the variable `{name}` is declared without its shape and dtype",
                why="A graph that uses the variable relies on both.",
                way_out=f"Write them behind its name: `variable {name}: f32[3]`.",
            )
        storage = Storage()
        storage.name, storage.static_shape, storage.dtype = name, spec.shape, spec.dtype
        return storage

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "array":
            refuse_undeclared(self.kind, self.name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r}")


def _kept(shape: Shape) -> Storage:
    """A variable of samples."""
    storage = Storage.declared("kept", ArraySpec(shape, float32))
    storage.array = np.ones(2, np.float32)
    return storage


_KEPT = (_kept((2,)), _kept((UNKNOWN,)))


class ReadVariableOp(Op):
    """The value of a variable now."""

    variable: Storage
    raises = raising()

    is_core = True
    samples = tuple([Sample((), {"variable": variable}) for variable in _KEPT])

    @property
    def effects(self) -> Effects:
        return Effects.READS

    def infer(self) -> ArraySpec:
        return ArraySpec(self.variable.static_shape, self.variable.dtype)

    def kernel(self) -> Array:
        return self.variable.array

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del inputs, specs
        handle = builder.variable(self.variable)
        return [builder.effect(self.name, [handle], "value", dtype=self.variable.dtype)]


class _Write(Op, abstract=True):
    """A change of a variable; it has no output."""

    variable: Storage
    input_names: ClassVar[tuple[str, ...]] = ("value",)
    samples = tuple([Sample((np.array([2, 3], np.float32),), {"variable": each}) for each in _KEPT])

    @property
    def effects(self) -> Effects:
        return Effects.WRITES

    def infer(self, value: ArraySpec) -> tuple[ArraySpec, ...]:
        if not compatible(self.variable.static_shape, value.shape):
            raise ShapeError(
                f"variable {self.variable.name!r} has the shape {text(self.variable.static_shape)} "
                f"and cannot hold a value of shape {text(value.shape)}",
                why="A variable keeps the shape that it was made with.",
                way_out="Reshape the value, or make the variable with `shape=(None,)` for any length.",
            )
        return ()

    def raises(self, *specs: ArraySpec) -> Failures:
        return (
            NOTHING
            if is_known(self.variable.static_shape) and is_known(specs[0].shape)
            else frozenset([ShapeError])
        )

    def kernel(self, value: Any) -> tuple[Array, ...]:
        self.check(ArraySpec(np.shape(value), self.variable.dtype))
        self.variable.array = np.asarray(self.changed(self.variable.array, value))
        return ()

    def to_graphdef(
        self, builder: GraphDefBuilder, inputs: Sequence[GraphDefTensor], specs: Sequence[ArraySpec]
    ) -> list[GraphDefTensor]:
        del specs
        handle = builder.variable(self.variable)
        builder.effect(self.name, [handle, *inputs], dtype=self.variable.dtype)
        return []

    def changed(self, old: Array, value: Array) -> Array:
        """The array after the change."""
        raise AssertionError(f"{self.name} says how it changes {old!r}")


class AssignVariableOp(_Write):
    """Gives a variable a new value."""

    is_core = True

    def changed(self, old: Array, value: Array) -> Array:
        return value


class _Update(_Write, abstract=True):
    """A change that rests on the value before."""

    def check(self, value: ArraySpec) -> None:
        super().check(value)
        broadcast(self.variable.array.shape, value.shape)


class AssignAddVariableOp(_Update):
    """Adds to a variable."""

    def changed(self, old: Array, value: Array) -> Array:
        total: Array = np.add(old, value)
        return total

    def decompose(self, value: Tensor) -> tuple[Tensor, ...]:
        old = bind(ReadVariableOp(self.variable))
        bind_all(AssignVariableOp(self.variable), ops.add(old, value))
        return ()


class AssignSubVariableOp(_Update):
    """Subtracts from a variable."""

    def changed(self, old: Array, value: Array) -> Array:
        rest: Array = np.subtract(old, value)
        return rest

    def decompose(self, value: Tensor) -> tuple[Tensor, ...]:
        old = bind(ReadVariableOp(self.variable))
        bind_all(AssignVariableOp(self.variable), ops.subtract(old, value))
        return ()
