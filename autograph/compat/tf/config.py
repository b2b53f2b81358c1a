"""`tf.config`: whether functions run as graphs, and the one device that there is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

from autograph.tracing.function import functions_run_eagerly, run_functions_eagerly

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "experimental",
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "run_functions_eagerly",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]

experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly


class PhysicalDevice(NamedTuple):
    """A device of the machine."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that programs name."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """`tf.config.list_physical_devices`: the processor."""
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type in {None, "CPU"} else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """`tf.config.list_logical_devices`: the processor."""
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type in {None, "CPU"} else []


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """`tf.config.get_visible_devices`: the processor."""
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """`tf.config.set_visible_devices`: accepted; there is one device."""
    del devices, device_type


def get_logical_device_configuration(device: PhysicalDevice) -> None:
    """`tf.config.get_logical_device_configuration`: None, as nobody has set one."""
    del device


_placement = SimpleNamespace(is_soft=True)


def get_soft_device_placement() -> bool:
    """`tf.config.get_soft_device_placement`."""
    return bool(_placement.is_soft)


def set_soft_device_placement(enabled: bool) -> None:
    """`tf.config.set_soft_device_placement`: remembered; there is one device."""
    _placement.is_soft = enabled


def _set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """`tf.config.experimental.set_memory_growth`: accepted; arrays are NumPy's."""
    del device, enable


experimental = SimpleNamespace(
    list_physical_devices=list_physical_devices,
    list_logical_devices=list_logical_devices,
    set_memory_growth=_set_memory_growth,
    set_visible_devices=set_visible_devices,
    get_visible_devices=get_visible_devices,
)


class _Threading:
    """`tf.config.threading`: remembered; a graph runs in the thread that calls it."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def get_inter_op_parallelism_threads(self) -> int:
        """What was set, or 0."""
        return self._counts.get("inter", 0)

    def set_inter_op_parallelism_threads(self, num_threads: int) -> None:
        """Remembered."""
        self._counts["inter"] = num_threads

    def get_intra_op_parallelism_threads(self) -> int:
        """What was set, or 0."""
        return self._counts.get("intra", 0)

    def set_intra_op_parallelism_threads(self, num_threads: int) -> None:
        """Remembered."""
        self._counts["intra"] = num_threads


threading = _Threading()
