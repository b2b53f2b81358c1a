"""One node as one expression: an operator, a NumPy call, a helper function, or a kernel bound as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from runtime.analysis.ownership import is_update
from runtime.core.dtypes import DType
from runtime.core.spec import ArraySpec, Spec, as_array_spec
from runtime.core.tensor import Array
from runtime.executors.numpy_plan.kernels import Written, snake_case, write_kernel
from runtime.executors.numpy_plan.literals import Unwritable, number
from runtime.executors.numpy_plan.precedence import OPERAND, as_atom, filled
from runtime.executors.numpy_plan.program import Plan
from runtime.executors.numpy_plan.shortcuts import shortcut
from runtime.executors.numpy_plan.tidying import tidied
from runtime.graph.graph import Node, Value
from runtime.ops.control_flow import RecursiveCall
from runtime.ops.raising import Raise

__all__ = ["Operand", "Statements"]

Operand: TypeAlias = "str | Array"
"""The name of a value in the program, or the array of a constant."""

_ARITHMETIC = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "floor_divide": "{} // {}",
    "negative": "-{}",
    "absolute": "abs({})",
}
_EXACT = {"remainder": "{} % {}"}
_DIVISION = {"divide": "{} / {}", "true_divide": "{} / {}"}
_COMPARISON = {
    "less": "{} < {}",
    "less_equal": "{} <= {}",
    "greater": "{} > {}",
    "greater_equal": "{} >= {}",
    "equal": "{} == {}",
    "not_equal": "{} != {}",
}
_BITS = {"bitwise_and": "{} & {}", "bitwise_or": "{} | {}", "bitwise_xor": "{} ^ {}", "invert": "~{}"}
_SHIFTS = {"left_shift": "{} << {}", "right_shift": "{} >> {}"}
_TRUTH = {"logical_and": "{} & {}", "logical_or": "{} | {}", "logical_xor": "{} ^ {}", "logical_not": "~{}"}
_ON_ARRAYS = {"matmul": "{} @ {}"}
_ON_SCALARS = {"maximum": "max({}, {})", "minimum": "min({}, {})", "power": "{} ** {}"}

_OPERATORS: dict[str, tuple[str, str]] = {
    name: (text, kinds)
    for table, kinds in (
        (_ARITHMETIC, "iuf"),
        (_EXACT, "iuf"),
        (_DIVISION, "f"),
        (_COMPARISON, "biuf"),
        (_BITS, "biu"),
        (_SHIFTS, "iu"),
        (_TRUTH, "b"),
        (_ON_ARRAYS, "biufc"),
        (_ON_SCALARS, "iu"),
    )
    for name, text in table.items()
}
"""Python's operator for a ufunc, and the dtype kinds for which it means the same on scalars.

Operators on NumPy's scalars are about twenty times as fast as calls of ufuncs. Complex products and powers
of floats are left out: there NumPy computes scalars by another algorithm, which may round differently.
"""

_AUGMENTED = {
    name: text.split()[1]
    for table in (_ARITHMETIC, _EXACT, _DIVISION, _BITS, _SHIFTS)
    for name, text in table.items()
    if text.startswith("{} ")
}
_CONVERSION = re.compile(r"np\.asarray\(operand_0_, (np\.\w+)\)")


class Statements:
    """Writes nodes of one program."""

    def __init__(self, program: Plan) -> None:
        self.program = program
        self._kernels: dict[Node, Written | str] = {}
        self._of_equal: dict[tuple[object, ...], Written | str] = {}

    def expression(self, node: Node, operands: Sequence[Operand]) -> str:
        """What computes the outputs of `node`."""
        specs = [value.spec for value in node.inputs]
        written = self._kernel(node)
        if isinstance(written, str):
            written = Written(f"{written}({', '.join(map(OPERAND.format, range(len(operands))))})")
        elif written.ufunc is not None:
            text = self._operator(written.ufunc, operands, specs)
            return written.fill(self._names(operands, specs)) if text is None else text
        names = self._names(operands, specs)
        if _gives_tuple(node, specs):
            return f"{as_atom(written.fill(names))}[0]"
        return self._scalar(written, names, node) if _is_scalar(node.specs) else written.fill(names)

    def takes_once(self, node: Node, index: int) -> bool:
        """Whether input `index` of `node` stands in its expression exactly once."""
        if is_update(node):
            return True
        written = self._kernel(node)
        return isinstance(written, str) or written.uses(index) == 1

    def is_ufunc(self, node: Node) -> bool:
        """Whether `node` is one call of an elementwise ufunc."""
        if node.op.graphs or isinstance(node.op, RecursiveCall) or is_update(node):
            return False
        written = self._kernel(node)
        return isinstance(written, Written) and isinstance(getattr(np, written.ufunc or "", None), np.ufunc)

    def overwriting(self, node: Node, operands: Sequence[Operand], value: Value, target: str) -> str:
        """The statement that computes `node` over its input `value` and calls the result `target`."""
        written = self._kernel(node)
        assert isinstance(written, Written), "only ufuncs write over an operand"
        assert written.ufunc is not None, "only ufuncs write over an operand"
        names = self._names(operands, [each.spec for each in node.inputs])
        index = node.inputs.index(value)
        sign = _AUGMENTED.get(written.ufunc)
        if sign is not None and index == 0 and names[0] == target:
            return f"{target} {sign}= {names[1]}"
        return f"{target} = {written.fill(names)[:-1]}, out={names[index]})"

    def how(self, node: Node) -> tuple[str, str]:
        """As what a node that is an expression runs, and why not as something faster."""
        written = self._kernel(node)
        if isinstance(written, str):
            return "kernel, called", self.program.reasons[written]
        return ("function of its kernel" if written.is_helper else "expression"), ""

    def _kernel(self, node: Node) -> Written | str:
        """The kernel as source, or the name under which it is bound."""
        if node not in self._kernels:
            operands = [OPERAND.format(index) for index in range(len(node.inputs))]
            template = shortcut(node, operands, self.program.helpers)
            if template is not None:
                self._kernels[node] = Written(template, keeps_scalars="..." not in template)
            else:
                found = self._shared(node)
                specs = [value.spec for value in node.inputs]
                self._kernels[node] = found if isinstance(found, str) else tidied(found, specs)
        return self._kernels[node]

    def _shared(self, node: Node) -> Written | str:
        """The kernel of `node`, which other nodes of an equal op share."""
        specs = tuple([value.spec for value in node.inputs])
        handles_lists = not all(isinstance(spec, ArraySpec) for spec in (*specs, *node.specs))
        key: tuple[object, ...] = node.op, repr(node.op), specs if handles_lists else len(specs)
        try:
            found = self._of_equal.get(key)
        except TypeError:  # a field that cannot be hashed, such as a printed list
            key, found = (id(node),), None
        if found is None:
            if handles_lists:
                found = self._bind(node, "lists are objects of this process")
            else:
                found = self._write(node)
            self._of_equal[key] = found
        return found

    def _write(self, node: Node) -> Written | str:
        if isinstance(node.op, Raise):
            return self._bind(node, "what it raises is an object of this process")
        try:
            return write_kernel(node.op, len(node.inputs), self.program.helpers)
        except Unwritable as reason:
            return self._bind(node, str(reason))

    def _bind(self, node: Node, why: str) -> str:
        wish = snake_case(node.op.name).removesuffix("_op").replace("_variable", "")
        return self.program.callable(node.op.kernel, node, wish, why)

    def _names(self, operands: Sequence[Operand], specs: Sequence[Spec]) -> list[str]:
        """The operands as names; a constant beside arrays is one too, which a ufunc takes faster."""
        scalar = all(spec.is_scalar for spec in specs)
        return [self.name(operand, scalar=scalar) for operand in operands]

    def name(self, operand: Operand, *, scalar: bool = True) -> str:
        """The name of an operand; a constant without axes as a NumPy scalar, or else as an array."""
        if isinstance(operand, str):
            return operand
        return self.program.constant(operand, scalar=scalar and operand.ndim == 0)

    def _operator(self, ufunc: str, operands: Sequence[Operand], specs: Sequence[Spec]) -> str | None:
        """The call of a ufunc as an operator, where it means the same."""
        arrays = [as_array_spec(spec) for spec in specs]
        if ufunc not in _OPERATORS or len({spec.dtype for spec in arrays}) != 1:
            return None
        template, kinds = _OPERATORS[ufunc]
        if template.count("{}") != len(operands):
            return None
        if any(spec.shape for spec in arrays):
            return None if ufunc in _ON_SCALARS else _filled(template, self._names(operands, specs))
        dtype = arrays[0].dtype
        scalar = all(spec.is_scalar for spec in specs)
        if dtype.numpy.kind not in kinds or ufunc in _ON_ARRAYS or (ufunc in _ON_SCALARS and not scalar):
            return None
        if dtype.is_integer and ufunc in _ARITHMETIC:
            if not scalar:
                return None
            self.program.wraps = True
        if template.endswith("({}, {})"):  # it gives one operand as it is, which must not be a Python number
            return _filled(template, self._names(operands, specs))
        return _filled(template, self._literals(operands, dtype))

    def _literals(self, operands: Sequence[Operand], dtype: DType) -> list[str]:
        """Scalar operands: a Python number where another operand has the dtype."""
        named = any(isinstance(operand, str) for operand in operands)
        texts = []
        for operand in operands:
            text = None if isinstance(operand, str) or not named else number(operand.reshape(1)[0])
            texts.append(self.name(operand) if text is None or dtype.is_bool else text)
        return texts

    def _scalar(self, written: Written, names: Sequence[str], node: Node) -> str:
        """An expression without axes as a NumPy scalar, on which operators are fast."""
        conversion = _CONVERSION.fullmatch(written.template)
        if conversion and _converts_alike(node.inputs[0].array_spec, node.outputs[0].array_spec):
            return f"{conversion[1]}({names[0]})"
        text = written.fill(names)
        return text if written.keeps_scalars else f"{as_atom(text)}[()]"


def _filled(template: str, names: Sequence[str]) -> str:
    """An operator over operands; its template has a ``{}`` for each."""
    return filled(template.format(*map(OPERAND.format, range(len(names)))), names)


def _is_scalar(specs: Sequence[Spec]) -> bool:
    return len(specs) == 1 and specs[0].is_scalar


def _gives_tuple(node: Node, specs: Sequence[Spec]) -> bool:
    """Whether the kernel returns a tuple of one."""
    return len(node.outputs) == 1 and isinstance(node.op.infer(*specs), tuple)


def _converts_alike(source: ArraySpec, to: ArraySpec) -> bool:
    """Whether calling the scalar type converts as an array's cast does (not so for NaN to an integer)."""
    if source.shape != () or source.dtype.is_complex:
        return False
    if to.dtype.is_floating or to.dtype.is_bool:
        return True
    return bool(np.can_cast(source.dtype.numpy, to.dtype.numpy, "safe"))
