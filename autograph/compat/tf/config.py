"""`tf.config`: whether functions run as graphs, and the one device that there is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from autograph.tracing.function import functions_run_eagerly, run_functions_eagerly
from autograph_base.named_tuple import NamedTuple
from runtime.errors import InvalidValue

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
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
    "optimizer",
    "run_functions_eagerly",
    "set_logical_device_configuration",
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
    if device_type not in {None, "CPU"}:
        return []
    count = max([len(each) for each in _configurations.values()], default=1)
    return [LogicalDevice(f"/device:CPU:{number}", "CPU") for number in range(count)]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """`tf.config.get_visible_devices`: the processor."""
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """`tf.config.set_visible_devices`: accepted; there is one device."""
    del devices, device_type


class LogicalDeviceConfiguration(NamedTuple):
    """`tf.config.LogicalDeviceConfiguration`: what a program wants of a device that it names."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_configurations: dict[PhysicalDevice, list[LogicalDeviceConfiguration]] = {}


def get_logical_device_configuration(device: PhysicalDevice) -> list[LogicalDeviceConfiguration] | None:
    """`tf.config.get_logical_device_configuration`: what was set, or None."""
    return _configurations.get(device)


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: list[LogicalDeviceConfiguration] | None
) -> None:
    """`tf.config.set_logical_device_configuration`: remembered; so many devices there are."""
    if logical_devices is None:
        _configurations.pop(device, None)
    else:
        _configurations[device] = list(logical_devices)


_placement = SimpleNamespace(is_soft=True)


def get_soft_device_placement() -> bool:
    """`tf.config.get_soft_device_placement`."""
    return bool(_placement.is_soft)


def set_soft_device_placement(enabled: bool) -> None:
    """`tf.config.set_soft_device_placement`: remembered; there is one device."""
    _placement.is_soft = enabled


def _set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """`tf.config.experimental.set_memory_growth`: for graphics cards, of which there are none.

    Raises
    ------
    ValueError
        For any other device, as in TensorFlow.
    """
    del device, enable
    raise InvalidValue(
        "Cannot set memory growth on non-GPU and non-Pluggable devices",
        way_out="Call it for each of `tf.config.list_physical_devices('GPU')`.",
    )


def _get_memory_growth(device: PhysicalDevice) -> bool:
    """`tf.config.experimental.get_memory_growth`: likewise.

    Raises
    ------
    KeyError
        For any other device, as in TensorFlow.
    """
    raise KeyError(device)


def _get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """`tf.config.experimental.get_device_details`: of a processor there are none."""
    del device
    return {}


def _enable_op_determinism() -> None:
    """`tf.config.experimental.enable_op_determinism`: every operation gives the same again, as always."""


_switches = {"synchronous": True, "tensor_float_32": True}


def _set_synchronous_execution(enable: bool) -> None:
    """`tf.config.experimental.set_synchronous_execution`: remembered; a call returns with its result."""
    _switches["synchronous"] = enable


def _get_synchronous_execution() -> bool:
    """`tf.config.experimental.get_synchronous_execution`."""
    return _switches["synchronous"]


def _enable_tensor_float_32_execution(enabled: bool) -> None:
    """`tf.config.experimental.enable_tensor_float_32_execution`: remembered; there are no such numbers."""
    _switches["tensor_float_32"] = enabled


def _tensor_float_32_execution_enabled() -> bool:
    """`tf.config.experimental.tensor_float_32_execution_enabled`."""
    return _switches["tensor_float_32"]


_optimizer_options: dict[str, Any] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


def _set_experimental_options(options: dict[str, Any]) -> None:
    """`tf.config.optimizer.set_experimental_options`: remembered; the passes are our own."""
    _optimizer_options.update(options)


def _get_experimental_options() -> dict[str, Any]:
    """`tf.config.optimizer.get_experimental_options`."""
    return dict(_optimizer_options)


optimizer = SimpleNamespace(
    set_experimental_options=_set_experimental_options,
    get_experimental_options=_get_experimental_options,
    set_jit=lambda enabled: _optimizer_options.update(jit=enabled),
    get_jit=lambda: _optimizer_options.get("jit", ""),
)

experimental = SimpleNamespace(
    get_memory_growth=_get_memory_growth,
    get_device_details=_get_device_details,
    enable_op_determinism=_enable_op_determinism,
    set_synchronous_execution=_set_synchronous_execution,
    get_synchronous_execution=_get_synchronous_execution,
    enable_tensor_float_32_execution=_enable_tensor_float_32_execution,
    tensor_float_32_execution_enabled=_tensor_float_32_execution_enabled,
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
