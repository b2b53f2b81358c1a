"""The guide's examples: a function becomes graphs, one for each signature."""

import ast
import re
import textwrap

import numpy as np
import pytest

from autograph.compat import tf


def weighted(x, weights, bias):
    x = tf.matmul(x, weights)
    x = x + bias
    return x


def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0


def test_a_function_gives_as_a_graph_what_it_gives_eagerly():
    x, weights, bias = tf.constant([[1.0, 2.0]]), tf.constant([[2.0], [3.0]]), tf.constant(4.0)
    eager = weighted(x, weights, bias).numpy()
    staged = tf.function(weighted)(x, weights, bias).numpy()
    assert eager == staged == 12.0


def test_the_functions_that_a_graph_function_calls_are_in_its_graph():
    @tf.function
    def outer(x):
        y = tf.constant([[2.0], [3.0]])
        b = tf.constant(4.0)
        return weighted(x, y, b)

    result = outer(tf.constant([[1.0, 2.0]])).numpy()
    assert repr(result) == "array([[12.]], dtype=float32)"
    graph = outer.get_concrete_function(tf.constant([[1.0, 2.0]])).graph
    assert graph.ops == ["MatMul", "AddV2"]


# ── what the converter makes of a branch ──

LISTING = textwrap.dedent("""
    def tf__simple_relu(x):
        with ag__.FunctionScope('simple_relu', 'fscope', ag__.ConversionOptions(recursive=True, user_requested=True, optional_features=(), internal_convert_user_code=True)) as fscope:
            do_return = False
            retval_ = ag__.UndefinedReturnValue()

            def get_state():
                return (do_return, retval_)

            def set_state(vars_):
                nonlocal retval_, do_return
                (do_return, retval_) = vars_

            def if_body():
                nonlocal retval_, do_return
                try:
                    do_return = True
                    retval_ = ag__.ld(x)
                except:
                    do_return = False
                    raise

            def else_body():
                nonlocal retval_, do_return
                try:
                    do_return = True
                    retval_ = 0
                except:
                    do_return = False
                    raise
            ag__.if_stmt(ag__.converted_call(ag__.ld(tf).greater, (ag__.ld(x), 0), None, fscope), if_body, else_body, get_state, set_state, ('do_return', 'retval_'), 2)
            return fscope.ret(retval_, do_return)
    """)  # noqa: E501  # the guide's own lines


def test_a_graph_function_decides_by_the_value_of_its_tensor():
    tf_simple_relu = tf.function(simple_relu)
    assert tf_simple_relu(tf.constant(1)).numpy() == 1
    assert tf_simple_relu(tf.constant(-1)).numpy() == 0


def test_the_generated_code_is_the_listing_of_the_guide():
    class InOneOrder(ast.NodeVisitor):
        def visit_Nonlocal(self, node):
            node.names.sort()

    ours, theirs = ast.parse(tf.autograph.to_code(simple_relu)), ast.parse(LISTING)
    InOneOrder().visit(ours)
    InOneOrder().visit(theirs)
    assert ast.unparse(ours) == ast.unparse(theirs)


def test_the_graph_of_a_branch_has_the_nodes_of_the_guide():
    graph = tf.function(simple_relu).get_concrete_function(tf.constant(1)).graph.as_graph_def()
    assert [(node.name, node.op, *node.input) for node in graph.node] == [
        ("x", "Placeholder"),
        ("Greater/y", "Const"),
        ("Greater", "Greater", "x", "Greater/y"),
        ("cond", "StatelessIf", "Greater", "x"),
        ("cond/Identity", "Identity", "cond"),
        ("cond/Identity_1", "Identity", "cond:1"),
        ("Identity", "Identity", "cond/Identity_1"),
    ]
    false, true = (function.signature.name for function in graph.library.function)
    assert re.fullmatch(r"cond_false_\d+", false)
    assert re.fullmatch(r"cond_true_\d+", true)
    branch = next(node for node in graph.node if node.name == "cond")
    assert (branch.attr["then_branch"].func.name, branch.attr["else_branch"].func.name) == (true, false)
    assert sorted(branch.attr) == [
        "Tcond",
        "Tin",
        "Tout",
        "_lower_using_switch_merge",
        "_read_only_resource_inputs",
        "else_branch",
        "output_shapes",
        "then_branch",
    ]


def test_a_graph_prints_as_the_text_of_a_protobuf_message():
    graph = tf.function(simple_relu).get_concrete_function(tf.constant(1)).graph.as_graph_def()
    assert str(graph).startswith('node {\n  name: "x"\n  op: "Placeholder"\n')
    assert 'key: "dtype"\n    value {\n      type: DT_INT32\n    }' in str(graph)


# ── one function, several graphs ──


@pytest.fixture
def my_relu():
    @tf.function
    def my_relu(x):
        return tf.maximum(0.0, x)

    return my_relu


def test_each_signature_gets_a_graph_of_its_own(my_relu, capsys):
    print(my_relu(tf.constant(5.5)))
    print(my_relu([1, -1]))
    print(my_relu(tf.constant([3.0, -3.0])))
    assert capsys.readouterr().out == textwrap.dedent("""\
        tf.Tensor(5.5, shape=(), dtype=float32)
        tf.Tensor([1. 0.], shape=(2,), dtype=float32)
        tf.Tensor([3. 0.], shape=(2,), dtype=float32)
        """)
    assert my_relu.experimental_get_tracing_count() == 3


def test_a_known_signature_makes_no_new_graph(my_relu, capsys):
    for example in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0])):
        my_relu(example)
    print(my_relu(tf.constant(-2.5)))
    print(my_relu(tf.constant([-1.0, 1.0])))
    assert capsys.readouterr().out == textwrap.dedent("""\
        tf.Tensor(0.0, shape=(), dtype=float32)
        tf.Tensor([0. 1.], shape=(2,), dtype=float32)
        """)
    assert my_relu.experimental_get_tracing_count() == 3


def test_the_signatures_of_all_graphs_can_be_printed(my_relu):
    for example in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0])):
        my_relu(example)
    assert my_relu.pretty_printed_concrete_signatures() == textwrap.dedent("""\
        my_relu(x)
          Args:
            x: float32 Tensor, shape=()
          Returns:
            float32 Tensor, shape=()

        my_relu(x=[1, -1])
          Returns:
            float32 Tensor, shape=(2,)

        my_relu(x)
          Args:
            x: float32 Tensor, shape=(2,)
          Returns:
            float32 Tensor, shape=(2,)""")


# ── loops over Python numbers ──


def power(x, y):
    result = tf.eye(10, dtype=tf.dtypes.int32)
    for _ in range(y):
        result = tf.matmul(x, result)
    return result


def test_a_python_loop_is_unrolled_and_gives_the_same():
    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)
    assert np.array_equal(tf.function(power)(x, 100).numpy(), power(x, 100).numpy())
    assert tf.function(power).get_concrete_function(x, 5).graph.ops == ["MatMul"] * 5
