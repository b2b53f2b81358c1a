"""Callbacks into Python, for ops that have no machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.lists import ListValue
from runtime.core.spec import ArraySpec, Element, ListSpec
from runtime.executors.native.beyond import GivesWay
from runtime.executors.native.calls.failures import failure
from runtime.executors.native.calls.passing import lend
from runtime.executors.native.forms import ArrayForm, Form, ListForm, NumberForm
from runtime.executors.native.language.loops import HostSite, Program
from runtime.executors.native.llvm.code import CONTEXT_WORDS, Status
from runtime.executors.native.llvm.engine import Library
from runtime.executors.notes import located
from runtime.graph.graph import Node

__all__ = ["function_of", "serve", "serve_watched"]


def serve(program: Program, library: Library) -> list[Any]:
    """Lets machine code call Python; gives what has to live as long as the code."""
    functions = [*map(function_of, program.hosts), _catching(program)]
    return lend(library.addresses["ag_python"], functions)


def serve_watched(program: Program, library: Library, are_told: Callable[[int], bool]) -> list[Any]:
    """As `serve`, where NumPy may have to say something of flags of the processor that are raised by then."""

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(flags: int, *operands: Any) -> Any:
            if flags and are_told(flags):
                raise GivesWay
            return function(*operands)

        return call

    functions = [*[watched(function_of(site)) for site in program.hosts], _catching(program)]
    return lend(library.addresses["ag_python"], functions)


def _catching(program: Program) -> Callable[[int, int], BaseException]:
    """Makes the exception of a run that has ended early, from its context and its status."""

    def catch(context: int, status: int) -> BaseException:
        words = (ctypes.c_int64 * CONTEXT_WORDS).from_address(context)
        return failure(Status(status), program.sites, words)

    return catch


def function_of(site: HostSite) -> Callable[..., Any]:
    """The function of one site: it takes what machine code makes, and gives what that takes apart."""
    call, node = site.call, site.node
    elements = _elements(site)
    taken = [
        _taker(form, element, copies=site.copies) for form, element in zip(site.takes, elements, strict=True)
    ]
    is_plain = not any(taken)
    given = [_giver(form) for form in site.gives]
    give = given[0] if len(given) == 1 else None

    def function(*operands: Any) -> Any:
        if not is_plain:
            operands = tuple(
                [take(each) if take else each for take, each in zip(taken, operands, strict=True)]
            )
        try:
            values = call(*operands)
        except Exception as error:
            explained = located(error, node, _specs(node, operands))
            if explained is error:
                raise
            raise explained from None
        if give is not None:
            return give(values[0] if type(values) is tuple else values)
        return tuple([give(value) for give, value in zip(given, values, strict=True)])

    return function


def _elements(site: HostSite) -> Sequence[Element | None]:
    """What the elements are of the lists that a site takes; None of anything else."""
    inputs = [] if site.node is None else [value.spec for value in site.node.inputs]
    if len(inputs) != len(site.takes):
        return [None] * len(site.takes)
    return [spec.element if isinstance(spec, ListSpec) else None for spec in inputs]


def _taker(form: Form, element: Element | None, *, copies: bool) -> Callable[[Any], Any] | None:
    """What makes a value of the graph of an object that machine code has made; None where it is one."""
    if isinstance(form, ListForm):
        spec = form.element
        return lambda items: ListValue(list(map(np.asarray, items.copy())), spec)
    if element is not None:  # the graph knows what is in a list, before anything is
        return lambda value: ListValue([], element) if _was_never_filled(value) else value
    return np.copy if copies and isinstance(form, ArrayForm) else None


def _was_never_filled(value: Any) -> bool:
    return isinstance(value, ListValue) and value.element is None and not value.items


def _giver(form: Form) -> Callable[[Any], Any]:
    """What makes an object that machine code takes apart, of a value of the graph."""
    match form:
        case ListForm():
            return form.items
        case ArrayForm(dtype, dims):
            return _array_of(dtype, dims)
        case NumberForm(dtype):
            return _array_of(dtype, ())
    return lambda value: value


def _array_of(dtype: DType, dims: tuple[int | None, ...]) -> Callable[[Any], Any]:
    numpy = dtype.numpy

    def array(value: Any) -> Any:
        found = np.asarray(value, numpy, order="C")
        shape = found.shape
        if shape != dims:
            fits = len(shape) == len(dims) and all(
                dim is None or dim == length for dim, length in zip(dims, shape, strict=True)
            )
            assert fits, f"an array of shape {shape} is none of {dims}"
        return found

    return array


def _specs(node: Node | None, operands: Sequence[Any]) -> list[Any] | None:
    """What the operands of a node are in this run; None where other values are handed over."""
    if node is None or len(operands) != len(node.inputs):
        return None
    return [
        spec.with_shape(np.shape(operand)) if isinstance(spec, ArraySpec) else spec
        for spec, operand in zip([value.spec for value in node.inputs], operands, strict=True)
    ]
