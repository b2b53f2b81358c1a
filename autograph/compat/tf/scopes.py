"""The scopes of a TensorFlow program: names, devices, dependencies; and what it asks of where it runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.compat.tf.values import convert_to_tensor
from runtime.core.tracing import tracing
from runtime.errors import InvalidValue
from runtime.graph.build import current_builder

__all__ = [
    "DeviceSpec",
    "control_dependencies",
    "device",
    "get_current_name_scope",
    "get_logger",
    "inside_function",
    "name_scope",
    "tuple_of",
]


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """`tf.name_scope`: known inside; nodes are named after the user's lines, not after scopes."""
    around = tracing.scope
    tracing.scope = inner = name if name.endswith("/") else f"{around}{name}/"
    try:
        yield inner
    finally:
        tracing.scope = around


def get_current_name_scope() -> str:
    """`tf.get_current_name_scope`: the names of all scopes around, or nothing."""
    return tracing.scope.rstrip("/")


@contextmanager
def device(device_name: Any) -> Iterator[None]:
    """`tf.device`: accepted; there is one device."""
    del device_name
    yield


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """`tf.control_dependencies`: accepted; effects keep their order without it."""
    del control_inputs
    yield


def inside_function() -> bool:
    """`tf.inside_function`: whether a function is traced."""
    return current_builder() is not None


def get_logger() -> logging.Logger:
    """`tf.get_logger`: the logger of the name `tensorflow`."""
    return logging.getLogger("tensorflow")


def tuple_of(tensors: Sequence[Any], control_inputs: Any = None, name: Any = None) -> list[Any]:
    """`tf.tuple`: the tensors; all of them are computed before one is used. None stays None."""
    del control_inputs, name
    return [None if each is None else convert_to_tensor(each) for each in tensors]


@dataclass(frozen=True)
class DeviceSpec:
    """`tf.DeviceSpec`: the parts of the name of a device.

    >>> DeviceSpec.from_string("/job:w/device:GPU:1").device_type
    'GPU'
    """

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    device_type: str | None = None
    device_index: int | None = None

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of a name.

        Raises
        ------
        ValueError
            When a part is none of those that names have.
        """
        found: dict[str, Any] = {}
        for part in filter(None, spec.split("/")):
            key, *rest = part.split(":")
            if key == "job" and len(rest) == 1:
                found["job"] = rest[0]
            elif key in {"replica", "task"} and len(rest) == 1:
                found[key] = int(rest[0])
            elif key == "device" and len(rest) == 2:
                found["device_type"] = rest[0].upper()
                found["device_index"] = None if rest[1] == "*" else int(rest[1])
            elif key.upper() in {"CPU", "GPU"} and len(rest) == 1:
                found["device_type"] = key.upper()
                found["device_index"] = None if rest[0] == "*" else int(rest[0])
            else:
                raise InvalidValue(
                    f"Unknown attribute '{key}' is encountered while parsing the device spec: '{spec}'.",
                    why="A device is named by job, replica, task and device.",
                    way_out="Write `/job:name/replica:0/task:0/device:CPU:0`, or a part of it.",
                )
        return cls(**found)

    def to_string(self) -> str:
        """The name."""
        parts = [("job", self.job), ("replica", self.replica), ("task", self.task)]
        text = "".join(f"/{key}:{value}" for key, value in parts if value is not None)
        if self.device_type is None:
            return text
        return f"{text}/device:{self.device_type}:{'*' if self.device_index is None else self.device_index}"

    def replace(self, **parts: Any) -> DeviceSpec:
        """The same device but for some parts."""
        return DeviceSpec(**{**vars(self), **parts})
