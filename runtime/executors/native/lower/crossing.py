"""`Crossing`: values on their way into functions, into loops, and into and out of calls of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from runtime.core.dtypes import DType, bool_, float64, int64, uint64
from runtime.core.spec import ArraySpec, ErrorSpec, GeneratorSpec, ListSpec, Spec, TextSpec
from runtime.executors.native.beyond import NeedsObjects, Unsupported
from runtime.executors.native.calls import failures
from runtime.executors.native.forms import (
    HEAD,
    Anything,
    ArrayForm,
    Form,
    ListForm,
    NestedForm,
    NumberForm,
    form_of,
    is_blank,
    is_nested,
    missing,
)
from runtime.executors.native.language.loops import (
    Alias,
    Array,
    Expression,
    Failed,
    Host,
    HostSite,
    Named,
    Number,
    Object,
    Set,
    Variable,
)
from runtime.executors.native.llvm.code import MOST_SHOWN
from runtime.executors.native.lower.building import Building, Shared
from runtime.executors.native.lower.values import (
    NOWHERE,
    Cell,
    Elements,
    Failure,
    Growing,
    InMemory,
    Lowered,
    Nested,
    Opaque,
    Scalar,
    Source,
    Unmade,
)
from runtime.graph.graph import Node

__all__ = ["Crossing"]


class Crossing(Building):
    """A function in the making whose values get into names, and become others of a form that is asked for."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._node: Node | None = None
        """What is lowered now: to blame for what has no form."""

    # ── Python ──

    def by_python(self, call: Callable[[Any], Any], value: Lowered, spec: Spec) -> Lowered:
        """What a function of Python's makes of a value, which is nobody's business."""
        (found,) = self.host(self._node, call, [value], [spec], "", keeps=True)
        return found

    def host(
        self,
        node: Node | None,
        call: Callable[..., Any],
        operands: Sequence[Lowered],
        specs: Sequence[Spec],
        why: str,
        *,
        keeps: bool,
    ) -> list[Lowered]:
        """What a call of Python gives, of these specs.

        Parameters
        ----------
        node : Node or None
            Whose line is to blame for what it raises.
        call : callable
        operands : sequence of Lowered
        specs : sequence of Spec
        why : str
            Why it is no machine code; empty where it only passes a value on, or is a rare case.
        keeps : bool
            Whether it may hold its arguments when it is over.
        """
        if any(isinstance(self.form(spec), NestedForm) for spec in specs):
            self.refuse_nested("Python gives a list of lists")
        passed = [self._passed(operand) for operand in operands]
        received = [self.received(spec, is_outside=True) for spec in specs]
        takes, gives = tuple([form for form, _ in passed]), tuple(map(self.form, specs))
        copies = keeps or any(isinstance(form, Anything) for form in gives)
        site = len(self.shared.program.hosts)
        self.shared.program.hosts.append(HostSite(node, call, takes, gives, why, copies))
        given = tuple([part for _, parts in passed for part in parts])
        self.emit(Host(site, given, tuple([name for _, names in received for name in names])))
        return [self._taken_in(value) for value, _ in received]

    def _taken_in(self, value: Lowered) -> Lowered:
        """A value from outside of the program, as it is held inside."""
        return self.indexed(value) if isinstance(value, Growing) else value

    def _passed(self, value: Lowered) -> tuple[Form, list[Expression | Array | Object]]:
        """How a value is handed to Python, and what stands for it."""
        match value:
            case Scalar(number):
                return NumberForm(number.dtype), [number]
            case Nested() | Growing(is_blank=True):
                self.refuse_nested("Python takes a list of lists")
            case Growing(array, length, room, _, shape):
                return ListForm(array.dtype, shape), [array, length, room]
            case Opaque(found):
                return Anything(), [found]
            case Failure():
                return Anything(), [self.made(value).object]
            case Source():
                raise NeedsObjects
        memory = self.stored(value)
        dims = [int(dim.value) if isinstance(dim, Number) else None for dim in memory.dims]
        unknown = [dim for dim in memory.dims if not isinstance(dim, Number)]
        return ArrayForm(memory.dtype, tuple(dims)), [memory.array, *unknown]

    def failed(self) -> Failed:
        """New names for an exception by number."""
        bits = tuple([self.variable(int64, "shown") for _ in range(MOST_SHOWN)])
        floats = tuple([self.variable(float64, "shown") for _ in range(MOST_SHOWN)])
        return Failed(self.variable(int64, "site"), bits, floats)

    def made(self, failure: Failure) -> Opaque:
        """The object that an exception is which is known by number."""
        if isinstance(failure.site, Number):
            return self.known(None)
        sites = self.shared.program.sites

        def raised(site: Any, *shown: Any) -> BaseException | None:
            bits = shown[:MOST_SHOWN]
            return None if site == NOWHERE else failures.raised_at(sites[site], list(map(int, bits)))

        parts: list[Lowered] = [Scalar(each) for each in (failure.site, *failure.bits)]
        (found,) = self.host(self._node, raised, parts, [ErrorSpec()], "", keeps=True)
        assert isinstance(found, Opaque), "it is an object"
        return found

    def fitted(self, value: Lowered, spec: Spec) -> Lowered:
        """A value in the form of a spec."""
        if isinstance(value, Growing | Nested) and (found := self._fitted_list(value, spec)) is not None:
            return found
        form = self.form(spec)
        if isinstance(value, Cell | Failure | Source | Unmade):
            return value
        is_object = isinstance(form, Anything)
        if is_object is not isinstance(value, Opaque) or (
            isinstance(form, ListForm)
            and isinstance(value, Growing)
            and (value.dtype is not form.dtype or value.shape != form.dims)
        ):
            if not self.shared.calls_python:
                raise Unsupported(f"it becomes a {spec}", self._node)
            return self.by_python(_itself, value, spec)
        return self.stored(value) if isinstance(value, Elements) else value

    def _fitted_list(self, value: Growing | Nested, spec: Spec) -> Growing | Nested | None:
        """A list of which nothing was known as one of a spec, or a list of lists; None of any other."""
        form = self.form(spec)
        match value:
            case Growing(is_blank=True) if is_blank(spec):
                return value
            case Growing(is_blank=True) if isinstance(form, ListForm):
                return self.indexed(self.empty_list(form.dtype, form.dims))
            case Growing(is_blank=True):
                return self._fitted_nested(self.blank(), spec)
            case Nested():
                return self._fitted_nested(value, spec)
        return None

    def _fitted_nested(self, value: Growing | Nested, spec: Spec) -> Growing | Nested:
        """A list of lists as one of a spec, of which more may be known."""
        match value:
            case Growing(is_blank=True) if isinstance(spec, ListSpec) and spec.element is None:
                return value
            case Growing(is_blank=True) if self.is_inside(spec):
                return self.empty_nested(spec)
            case Growing(is_blank=True) if isinstance(form := self.form(spec), ListForm) and not form.dims:
                return self.empty_list(form.dtype)
            case Growing() if not value.is_blank and self.form(spec) == ListForm(value.dtype):
                return value
            case Nested(heads, inner) if self.is_inside(spec):
                assert isinstance(spec, ListSpec), "it has lists"
                assert isinstance(spec.element, ListSpec), "it has lists"
                return Nested(heads, self._fitted_nested(inner, spec.element))
        return self.refuse_nested(f"a list of lists becomes a {spec}")

    def refuse_nested(self, why: str) -> NoReturn:
        """Has lists of lists be Python's, where that is called; else refuses one."""
        if self.shared.calls_python:
            raise NeedsObjects
        raise Unsupported(why, self._node)

    def form(self, spec: Spec) -> Form:
        """How values of a spec are held."""
        return form_of(spec, has_nested=self.shared.has_nested)

    def is_inside(self, spec: Spec) -> bool:
        """Whether values of a spec have a form inside of the program alone."""
        return self.shared.has_nested and (is_nested(spec) or is_blank(spec))

    # ── names ──

    def element(self, spec: Spec) -> ArraySpec:
        """What is known of the elements of a list."""
        assert isinstance(spec, ListSpec), "it is one"
        assert isinstance(spec.element, ArraySpec), "its elements have a form"
        return spec.element

    def received(self, spec: Spec, *, is_outside: bool = False) -> tuple[Lowered, list[Named]]:
        """A value that comes from elsewhere, and the names that stand for it.

        These are a number; or an array and those of its lengths that are not known; or the memory of a list,
        its length and its room, and inside of the program what finds its elements; or an object.
        """
        match self.form(spec):
            case NumberForm(dtype):
                number = self.variable(dtype)
                return Scalar(number), [number]
            case ArrayForm(dtype, lengths):
                array = self.array(dtype)
                dims = [self.variable(int64, "n") if dim is None else Number(dim, int64) for dim in lengths]
                unknown = [dim for dim in dims if isinstance(dim, Variable)]
                return InMemory(array, tuple(dims)), [array, *unknown]
            case NestedForm(dtype, depth):
                lists: Growing | Nested
                lists, names = self._received_list(dtype)
                for _ in range(depth - 1):
                    heads, of_heads = self._received_list(int64, (HEAD,))
                    lists, names = Nested(heads, lists), [*of_heads, *names]
                return lists, names
            case ListForm(dtype, shape):
                found_list, names = self._received_list(dtype, shape)
                if is_outside or shape or dtype not in self.shared.placed:
                    return found_list, names
                index = self.array(int64, "table")
                return replace(found_list, index=index), [*names, index]
        if is_blank(spec) and self.shared.has_nested:
            if is_outside:
                self.refuse_nested(f"it gives a {spec}")
            return self._received_blank(spec)
        if isinstance(spec, GeneratorSpec) and self.shared.has_sources:
            if is_outside:  # Python gives an object
                raise NeedsObjects
            source = self.array(uint64, "source")
            return Source(source), [source]
        if isinstance(spec, ErrorSpec) and not self.shared.calls_python:
            failed = self.failed()
            return Failure(failed.site, failed.bits, failed.floats), [*failed.names]
        if isinstance(spec, TextSpec) and not self.shared.calls_python:
            return Unmade(), []
        if not self.shared.calls_python:
            raise Unsupported(missing(spec), self._node)
        found = Object(self.shared.fresh("o"))
        return Opaque(found), [found]

    def empty_nested(self, spec: Spec) -> Nested:
        """A list of lists, without any."""
        assert isinstance(spec, ListSpec), "it is a list"
        element = spec.element
        assert isinstance(element, ListSpec), "of lists"
        heads = self.empty_list(int64, (HEAD,))
        if isinstance(element.element, ListSpec):
            return Nested(heads, self.empty_nested(element))
        is_known = element.element is not None
        return Nested(heads, self.empty_list(self.element(element).dtype) if is_known else self.blank())

    def _received_list(self, dtype: DType, shape: tuple[int, ...] = ()) -> tuple[Growing, list[Named]]:
        """A list without a table, and the names that stand for it."""
        memory = self.array(dtype, "l")
        length, room = self.variable(int64, "n"), self.variable(int64, "room")
        return Growing(memory, length, room, shape=shape), [memory, length, room]

    def _received_blank(self, spec: Spec) -> tuple[Growing | Nested, list[Named]]:
        """A list, or a list of lists, in which nothing is."""
        assert isinstance(spec, ListSpec), "it is blank"
        if spec.element is None:
            found, names = self._received_list(int64)
            return replace(found, is_blank=True), names
        inner, names = self._received_blank(spec.element)
        heads, of_heads = self._received_list(int64, (HEAD,))
        return Nested(heads, inner), [*of_heads, *names]

    def parts(self, value: Lowered, spec: Spec) -> list[Expression | Array | Object]:
        """What stands for a value of a spec elsewhere: as `received` names it."""
        match self.fitted(value, spec):
            case Opaque(found) | Source(found):
                return [found]
            case Failure() as failure:
                return [self.made(failure).object] if self.shared.calls_python else [*failure.parts]
            case Unmade() if isinstance(spec, TextSpec):
                return []
            case Unmade():
                raise Unsupported("an exception holds it", self._node)
            case Growing() | Nested() as found:
                return found.parts
            case Scalar(number):
                return [number]
            case fitted:
                memory = self.stored(fitted)
        assert isinstance(spec, ArraySpec), "it is of an array"
        dims = zip(spec.shape or (), memory.dims, strict=True)
        return [memory.array, *[length for dim, length in dims if not isinstance(dim, int)]]

    def assign(self, names: Sequence[Named], value: Lowered, spec: Spec) -> None:
        """Gives names that were `received` the parts of another value."""
        parts = self.parts(value, spec)
        for name, part in zip(names, parts[: len(names)], strict=True):  # outside, a list has no table
            if isinstance(name, Variable):
                assert not isinstance(part, Array | Object), "both are of one spec"
                self.emit(Set(name, part))
            else:
                assert isinstance(part, Array | Object), "both are of one spec"
                self.emit(Alias(name, part))

    def truth(self, value: Lowered) -> Expression:
        """What a test says."""
        fitted = self.fitted(value, ArraySpec((), bool_))
        assert isinstance(fitted, Scalar), "a test is one bool"
        return fitted.value


def _itself(value: Any) -> Any:
    return value
