"""Runs GraphDefs in TensorFlow, in a process of its own: requests come in as pickles, and answers go out.

Started by the `tensorflow` fixture with an interpreter that has TensorFlow, which need not be the tests' own.
"""

import os
import pickle
import re
import runpy
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path

import numpy as np


def main():
    answers = os.fdopen(os.dup(1), "wb")
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)  # TensorFlow prints straight to the descriptor
        import tensorflow as tf  # noqa: PLC0415  # which this module's readers need not have

        while True:
            try:
                request = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            printed.truncate(0)
            printed.seek(0)
            try:
                answer = {"results": QUESTIONS[request.pop("question")](tf, **request)}
            except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer
                answer = {"error": f"{type(error).__name__}: {error}"}
            printed.seek(0)
            answer["printed"] = printed.read().decode()
            pickle.dump(answer, answers)
            answers.flush()


def run(tf, graph, inputs, fetches, variables, gradient):
    """The fetched arrays, the variables afterwards, the gradient of the first array by the first input."""
    message = tf.compat.v1.GraphDef.FromString(graph)
    held = {name: tf.Variable(value) for name, value in variables.items()}

    def imported():
        tf.graph_util.import_graph_def(message, name="")

    wrapped = tf.compat.v1.wrap_function(imported, [])
    feeds = [wrapped.graph.as_graph_element(f"{name}:0") for name in (*inputs, *held)]
    wanted = [wrapped.graph.as_graph_element(name) for name in fetches]
    pruned = wrapped.prune(feeds, wanted)
    arguments = [tf.constant(value) for value in inputs.values()]
    handles = [variable.handle for variable in held.values()]
    with tf.GradientTape() as tape:
        tape.watch(arguments)
        results = pruned(*arguments, *handles)
    slope = tape.gradient(results[0], arguments[0]).numpy() if gradient else None
    arrays = [result.numpy() for result in results if result is not None]
    return arrays, {name: variable.numpy() for name, variable in held.items()}, slope


def allowed(tf, op, attribute):
    """The names of the dtypes that an op takes for a type attribute; None when it takes all."""
    from tensorflow.python.framework import op_def_registry  # noqa: PLC0415  # as above

    definition = op_def_registry.get(op)
    (found,) = [each for each in definition.attr if each.name == attribute]
    numbers = found.allowed_values.list.type
    return [tf.dtypes.as_dtype(number).name for number in numbers] or None


def read(tf, graph):
    """A GraphDef as TensorFlow's own message: its text, and its bytes."""
    from google.protobuf import text_format  # noqa: PLC0415  # as above

    message = tf.compat.v1.GraphDef.FromString(graph)
    return text_format.MessageToString(message), message.SerializeToString(deterministic=True)


def tensor(tf, array):
    """An array as TensorFlow writes it."""
    return tf.make_tensor_proto(array).SerializeToString(deterministic=True)


def evaluate(tf, sources):
    """The `repr` of expressions in TensorFlow's names, each as in an example of a docstring."""
    results = [eval(source, {"tf": tf, "np": np}) for source in sources]
    shown = ["" if result is None else f"{result!r}\n" for result in results]
    return [text.replace("\n\n", "\n<BLANKLINE>\n") for text in shown]


def programs(tf, path):
    """What the programs of a file give, by name."""
    found = runpy.run_path(path)["outcomes"](tf)
    return {name: each if isinstance(each, (dict, str)) else repr(each) for name, each in found.items()}


def usage(tf):
    """How often TensorFlow's and Keras's sources, docstrings included, say each public name."""
    root = Path(tf.__file__).parent
    counts = Counter()
    for path in [*root.rglob("*.py"), *(root.parent / "keras").rglob("*.py")]:
        counts.update(NAME.findall(path.read_text(encoding="utf-8")))
    found = Counter()
    for name, count in counts.items():
        found[public(tf, name)] += count
    return sorted(
        ((name, count) for name, count in found.items() if name), key=lambda pair: (-pair[1], pair[0])
    )


NAME = re.compile(r"(?<![\w.])tf\.((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)")


def public(tf, name):
    """As much of a dotted name as is TensorFlow's: modules, classes, and what is in them."""
    thing, parts = tf, []
    for part in name.split("."):
        if not isinstance(thing, (types.ModuleType, type)) or not hasattr(thing, part):
            break
        thing = getattr(thing, part)
        parts.append(part)
    return ".".join(parts)


QUESTIONS = {answer.__name__: answer for answer in (run, allowed, read, tensor, evaluate, programs, usage)}


if __name__ == "__main__":
    main()
