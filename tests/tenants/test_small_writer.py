"""How little a format of its own needs: a graph of core ops as Lisp."""

import runtime as rt
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.op import Const
from runtime.ops.core import AffineMap, HostCall, Length, Map, Reduce
from runtime.ops.core.expression import Apply, Convert, Literal, Operand
from runtime.passes.decompose import decompose


def lisp(graph, name):
    """A graph as a function of Lisp, one `let` for each node."""
    names = {value: f"in{place}" for place, value in enumerate(graph.inputs)}
    lines = []
    for node in graph.nodes:
        text = call(node.op, [names[value] for value in node.inputs])
        names[node.outputs[0]] = f"v{len(lines)}"
        lines.append(f"  (let v{len(lines)} {text})")
    inputs = " ".join(f"({names[value]} {value.spec})" for value in graph.inputs)
    results = " ".join(names[value] for value in graph.outputs)
    return "\n".join([f"(defun {name} ({inputs})", *lines, f"  {results})"])


def call(op, operands):
    match op:
        case Const(value):
            return f"{value}:{rt.as_dtype(value.dtype).short}"
        case Map():
            return f"(map {scalar(op.expression, operands)})"
        case Length(axis):
            return f"(length {operands[0]} {axis})"
        case Reduce(axis, _, combine):
            return f"(reduce {combine} {operands[0]} {' '.join(map(str, axis))})"
        case AffineMap(shape, index):
            moved = f"(move {' '.join(operands)}"
            return f"{moved} (shape {' '.join(map(str, shape))}) (index {', '.join(map(str, index))}))"
        case HostCall(function):
            return f"(call {function} {' '.join(operands)})"


def scalar(expression, operands):
    match expression:
        case Operand(index):
            return operands[index]
        case Literal(value, dtype):
            return f"{value}:{dtype.short}"
        case Convert(to, of):
            return f"(cast {to.short} {scalar(of, operands)})"
        case Apply(function, arguments):
            return f"({function} {' '.join(scalar(each, operands) for each in arguments)})"


def program(x):
    return rt.sort(rt.sum(rt.relu(x[::-1]) * 0.5, axis=1))


def test_a_graph_is_written_as_lisp():
    staged = PolymorphicFunction(program, input_signature=[rt.TensorSpec((None, 3), rt.float32)])
    assert (
        lisp(decompose(staged.get_concrete_function().graph), "program")
        == """\
(defun program ((in0 f32[x.0,3]))
  (let v0 (length in0 0))
  (let v1 (move in0 v0 (shape s0 3) (index s0-i0-1, i1)))
  (let v2 (map (maximum v1 0:f32)))
  (let v3 0.5:f32)
  (let v4 (map (multiply v2 v3)))
  (let v5 (reduce add v4 1))
  (let v6 (call Sort v5))
  v6)"""
    )
