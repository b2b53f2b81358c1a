"""`tf.config`: whether functions run as graphs."""

from __future__ import annotations

from autograph.tracing.function import functions_run_eagerly, run_functions_eagerly

__all__ = [
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "run_functions_eagerly",
]

experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly
