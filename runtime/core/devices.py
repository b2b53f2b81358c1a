"""The one device there is: the processor that Python itself runs on."""

from __future__ import annotations

from typing import Any, Final

from runtime.errors import InvalidValue

__all__ = ["CPU", "DEVICES", "require_device"]

CPU: Final = "cpu"
"""Where every tensor is; NumPy's arrays have the same device."""

DEVICES: Final = (CPU,)


def require_device(device: Any) -> None:
    """Refuses a `device=` that is not there; None stands for the default one.

    Raises
    ------
    InvalidValue
        When it is none of `DEVICES`.
    """
    if device is not None and not (isinstance(device, str) and device in DEVICES):
        raise InvalidValue(
            f"there is no device {device!r}",
            why=f"Tensors are computed by NumPy. Available: {', '.join(map(repr, DEVICES))}.",
            way_out=f"Leave out `device=`, or write {CPU!r}.",
        )
