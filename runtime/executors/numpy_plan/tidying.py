"""What a kernel must say for every input, and a program need not say for this one.

A kernel also takes NumPy scalars, and names every argument. Where the shape and dtype of an input are known,
``np.sum(x, axis=(0, 1), dtype=x.dtype, keepdims=False)`` is ``x.sum()``, in less than half the time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from runtime.core.spec import ArraySpec, Spec
from runtime.executors.numpy_plan.kernels import Written
from runtime.executors.numpy_plan.precedence import OPERAND

__all__ = ["tidied"]

_FIRST = OPERAND.format(0)
_FOLDS = "sum|prod|max|min|all|any|mean|argmax|argmin|cumsum|cumprod"
_FUNCTION = re.compile(rf"np\.({_FOLDS})\({_FIRST}(?:, )?")
_CALL = re.compile(rf"{_FIRST}\.({_FOLDS})\(")
_METHOD = re.compile(rf"{_FIRST}\.({_FOLDS})\([^()]*\)")
_ONE_AXIS = re.compile(r"axis=\((\d+),\)")


def tidied(written: Written, specs: Sequence[Spec]) -> Written:
    """A kernel as source, for inputs of these specs."""
    template = written.template
    for index, spec in enumerate(specs):
        if isinstance(spec, ArraySpec) and spec.shape:  # it has axes, so it is an array
            name = OPERAND.format(index)
            template = template.replace(f"np.asarray({name})", name)
    first = specs[0] if specs else None
    if isinstance(first, ArraySpec) and first.shape:
        template = _FUNCTION.sub(rf"{_FIRST}.\1(", template)
        if _CALL.match(template):
            template = _without_defaults(template, first, len(first.shape))
    if template == written.template:
        return written
    is_fold = _METHOD.fullmatch(template) is not None
    return replace(written, template=template, keeps_scalars=written.keeps_scalars or is_fold)


def _without_defaults(template: str, spec: ArraySpec, rank: int) -> str:
    """A call of a method without the arguments that it would fill in itself."""
    template = template.replace(", keepdims=False", "")
    if spec.dtype.is_floating or spec.dtype.is_complex:
        template = template.replace(f", dtype={_FIRST}.dtype", "")
    if rank > 1:
        template = template.replace(f"axis={tuple(range(rank))}", "")
        return _ONE_AXIS.sub(r"axis=\1", template).replace("(, ", "(")
    return template.replace("axis=(0,)", "").replace("(, ", "(")
