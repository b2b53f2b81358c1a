"""The page of TensorFlow's names."""

from __future__ import annotations

import textwrap
from types import ModuleType
from typing import Any

import runtime as rt
from docs.written.forms import ROOT, WIDTH, page, table

__all__ = ["tensorflow_names"]


def tensorflow_names() -> str:
    """Which of TensorFlow's names are here, by how often TensorFlow's own sources say them."""
    counts = {}
    for line in (ROOT / "tests" / "golden" / "tensorflow" / "usage.tsv").read_text("utf-8").splitlines():
        name, count = line.split("\t")
        parts = name.split(".")
        if not any(part.startswith("_") and part != "__version__" for part in parts):
            counts[name] = int(count)
    elsewhere = {
        name for name in counts if any(name == part or name.startswith(f"{part}.") for part in ELSEWHERE)
    }
    asked = {name: count for name, count in counts.items() if name not in elsewhere}
    from autograph.compat import tf  # noqa: PLC0415  # importing it makes tensors print as TensorFlow's

    rt.set_print_options(prefix="")
    here = {name for name in asked if is_here(tf, name)}
    share = sum(asked[name] for name in here) / sum(asked.values())
    areas: dict[str, list[str]] = {}
    for name in sorted(asked):
        area, _, _ = name.rpartition(".")
        areas.setdefault(area, []).append(name)
    rows = [
        (
            f"`tf.{area}`" if area else "`tf`",
            ", ".join(f"`{name.rpartition('.')[2]}`" for name in names if name in here),
            ", ".join(f"`{name.rpartition('.')[2]}`" for name in names if name not in here),
        )
        for area, names in sorted(areas.items())
    ]
    left_out = ", ".join(f"`{name}`" for name in sorted(ELSEWHERE))
    return page(
        "Names of TensorFlow",
        "`tests/golden/tensorflow/usage.tsv` and `autograph/compat/tf/`",
        "Nobody publishes how often programs use each name. So the names are counted in the sources of "
        "TensorFlow 2.21 and of the Keras that comes with it, docstrings and examples included: all that "
        "is written `tf.…` there and that TensorFlow has. `pytest -m peers` counts anew.",
        textwrap.fill(
            f"Of the {len(asked)} names, {len(here)} are here; weighted by use, that is {share:.1%}. What is "
            "another library's business, or needs gradients, files or several machines, is not counted: "
            f"{left_out}.",
            WIDTH,
            break_on_hyphens=False,
        ),
        "Each of them is said by a sample in `tests/golden/tensorflow/`, which TensorFlow runs as well, at "
        "once and as a graph where it computes something: a test refuses a name without one, and "
        "`pytest -m peers` asks TensorFlow anew.",
        table("module or class | here | not here", rows),
    )


ELSEWHERE = (
    *("GradientTape", "RegisterGradient", "UnconnectedGradients", "autodiff", "custom_gradient", "gradients"),
    *("grad_pass_through", "hessians", "no_gradient", "recompute_grad", "AggregationMethod"),
    *("keras", "losses", "metrics", "optimizers", "initializers", "layers", "feature_column", "estimator"),
    *("constant_initializer", "ones_initializer", "zeros_initializer"),
    *("random_normal_initializer", "random_uniform_initializer"),
    *("distribute", "tpu", "dtensor", "config.experimental_connect_to_cluster", "nn.experimental"),
    *("VariableAggregation", "VariableSynchronization", "config.experimental_connect_to_host"),
    *("train", "saved_model", "io", "summary", "lookup", "queue", "data.service", "data.experimental"),
    *("data.TFRecordDataset", "data.TextLineDataset", "data.FixedLengthRecordDataset"),
    *("image", "audio", "quantization", "lite", "mlir", "profiler", "sysconfig", "xla", "raw_ops"),
    *("qint8", "qint16", "qint32", "quint8", "quint16", "dtypes.QUANTIZED_DTYPES"),
    *("compat", "contrib", "app", "flags", "logging", "python", "core", "framework", "Session", "test"),
    *(
        "experimental",
        "types",
        "version",
        "load_library",
        "load_op_library",
        "graph_util",
        "import_graph_def",
    ),
)
"""The parts of TensorFlow that are not counted."""


def is_here(tf: ModuleType, name: str) -> bool:
    """Whether a dotted name is one of `autograph.compat.tf`."""
    thing: Any = tf
    for part in name.split("."):
        if not hasattr(thing, part):
            return False
        thing = getattr(thing, part)
    return True
