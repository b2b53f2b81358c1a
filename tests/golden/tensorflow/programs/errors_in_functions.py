"""Errors that leave functions: their classes, their codes, and the words that people search for."""

import collections
import warnings


def caught(call, *kinds):
    try:
        return call()
    except kinds as error:
        return error


def an_error_of_ones_own(tf):
    error = caught(lambda: 1 / 0, ZeroDivisionError)
    made = tf.errors.InvalidArgumentError(None, None, "boom")
    raised = tf.errors.NotFoundError("node", "op", "gone")
    return (
        str(error),
        (str(made), made.message, made.error_code, made.op, made.node_def),
        (raised.message, raised.error_code, raised.op, raised.node_def),
        (issubclass(tf.errors.OutOfRangeError, tf.errors.OpError), issubclass(tf.errors.OpError, ValueError)),
        (tf.errors.OK, tf.errors.INVALID_ARGUMENT, tf.errors.OUT_OF_RANGE, tf.errors.INTERNAL),
    )


def an_error_while_a_function_is_traced(tf):
    def refuse(x):
        raise ValueError("my message")

    @tf.function
    def f(x):
        return refuse(x)

    lines = str(caught(lambda: f(tf.constant(1)), ValueError)).rstrip().splitlines()
    places = [line.strip().rpartition(", in ")[2] for line in lines if line.strip().startswith("File")]
    return lines[0], places, lines[3].strip(), lines[-1]


def a_check_that_fails_in_a_graph(tf):
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, message="only positive")
        return x

    @tf.function
    def g(x):
        tf.Assert(x > 0, ["too small", x])
        return x

    found = []
    for function in (f, g):
        error = caught(lambda call=function: call(tf.constant(-1)), tf.errors.InvalidArgumentError)
        found.append((type(error).__name__, error.error_code, error.op, str(error).splitlines()[0]))
        found.append("only positive" in error.message or "too small" in error.message)
    found.append("did not hold element-wise" in str(caught(lambda: f(tf.constant(-1)), tf.errors.OpError)))
    return found


def a_value_that_only_a_run_refuses(tf):
    @tf.function
    def taken(i):
        return tf.gather(tf.constant([1, 2]), i)

    error = caught(lambda: taken(tf.constant(5)), tf.errors.OpError)
    return type(error).__name__, error.error_code, str(error).splitlines()[0]


def eager_values_that_are_refused(tf):
    calls = [lambda: tf.ones([2]) + tf.ones([3]), lambda: tf.gather([1, 2], 5), lambda: tf.Assert(False, [1])]
    return [caught(call, tf.errors.InvalidArgumentError).error_code for call in calls]


def tensors_that_python_cannot_ask(tf):
    @tf.function(autograph=False)
    def truth(x):
        return 1 if x > 0 else 2

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None])])
    def walk(x):
        return [each for each in x]

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None])])
    def length(x):
        return len(x)

    error = caught(lambda: truth(tf.constant(1)), tf.errors.OperatorNotAllowedInGraphError)
    other = caught(lambda: walk(tf.ones([2])), tf.errors.OperatorNotAllowedInGraphError)
    third = caught(lambda: length(tf.ones([2])), TypeError)
    return (
        type(error).__name__,
        isinstance(error, TypeError),
        "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed." in str(error),
        "Iterating over a symbolic `tf.Tensor` is not allowed." in str(other),
        "len is not well defined for a symbolic Tensor" in str(third),
    )


def results_that_are_no_tensors(tf):
    class Own:
        def __init__(self, held):
            self.held = held

    known = Own(1)
    functions = [
        lambda x: {"a": [print]},
        lambda x: tf.float32,
        lambda x: object(),
        lambda x: Own(x),
        lambda x: known,
        lambda x: {1, 2},
        lambda x: iter([1]),
        lambda x: (each for each in [1]),
    ]
    said = "Python functions must return zero or more Tensors or ExtensionTypes or None values"
    refused = [caught(lambda: tf.function(function)(tf.constant(1)), TypeError) for function in functions]
    return [said in str(error) for error in refused]


def results_that_are_nests_of_tensors(tf):
    pair = collections.namedtuple("pair", ["first", "second"])

    @tf.function
    def nests(x):
        return collections.OrderedDict(b=x, a=x + 1), {"b": None, "a": (x,)}, pair(x, 1), [x, 2.5], x.shape

    ordered, *rest = nests(tf.constant([1, 2]))
    return type(ordered).__name__, list(ordered.items()), rest[:3], rest[3]


def an_index_outside(tf):
    @tf.function
    def known(x):
        return x[5]

    @tf.function
    def unknown(x, index):
        return tf.gather(x, index)

    seen = caught(lambda: known(tf.constant([1, 2])), ValueError)
    run = caught(lambda: unknown(tf.constant([1, 2]), tf.constant(5)), tf.errors.InvalidArgumentError)
    at_once = caught(lambda: tf.constant([1, 2])[5], tf.errors.InvalidArgumentError)
    return [type(each).__name__ for each in (seen, run, at_once)], "in user code:" in str(seen)


def a_tensor_that_has_left_its_graph(tf):
    kept = []

    @tf.function
    def keeps(x):
        kept.append(x + 1)
        return x

    @tf.function
    def takes(x):
        return kept[0] + x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        keeps(tf.constant(1))
    inside = caught(lambda: takes(tf.constant(1)), TypeError)
    outside = caught(lambda: tf.add(kept[0], 1), TypeError)
    return ["is out of scope and cannot be used here" in str(error) for error in (inside, outside)]
