"""Functions as graphs: what they take, and when they are traced."""


def structures_in_and_out(tf):
    @tf.function
    def step(state, batch):
        return {"count": state["count"] + 1, "sums": [s + b for s, b in zip(state["sums"], batch)]}, None

    state = {"count": tf.constant(0), "sums": [tf.constant(1.0), tf.constant(2.0)]}
    return step(state, (tf.constant(3.0), tf.constant(4.0)))


def an_input_signature(tf):
    @tf.function(input_signature=[tf.TensorSpec(shape=[None, 2], dtype=tf.float32)])
    def centred(x):
        return x - tf.reduce_mean(x, axis=0)

    return centred(tf.constant([[1.0, 2.0], [3.0, 6.0]])), centred([[5.0, 6.0]])


def one_trace_per_signature(tf):
    traces = []

    @tf.function
    def double(x):
        traces.append(1)
        return x * 2

    results = [double(tf.constant(1)), double(tf.constant(2)), double(tf.constant([1, 2])), double(3), double(3)]
    return results, len(traces), double.experimental_get_tracing_count()


def reduced_retracing(tf):
    traces = []

    @tf.function(reduce_retracing=True)
    def total(x):
        traces.append(1)
        return tf.reduce_sum(x)

    return [total(tf.ones([n])) for n in (1, 2, 3, 4, 5)], len(traces)


def functions_that_call_functions(tf):
    @tf.function
    def inner(x):
        return tf.square(x)

    def plain(x):
        if tf.reduce_sum(x) > 1:
            return x
        return -x

    @tf.function
    def outer(x):
        return inner(x) + plain(x)

    return outer(tf.constant([1.0, 2.0])), outer(tf.constant([0.0, 0.5]))


def a_checked_argument(tf):
    @tf.function
    def checked(x):
        tf.debugging.assert_positive(x, message="positive, please")
        return tf.sqrt(x)

    try:
        checked(tf.constant(-1.0))
    except tf.errors.InvalidArgumentError as error:
        refused = "positive, please" in str(error)
    return checked(tf.constant(4.0)), refused


def eager_and_staged_alike(tf):
    @tf.function
    def poly(x):
        y = x
        for k in range(3):
            y = y * x + k
        return y

    staged = poly(tf.constant(2.0))
    tf.config.run_functions_eagerly(True)
    try:
        return staged, poly(tf.constant(2.0))
    finally:
        tf.config.run_functions_eagerly(False)


def code_that_asks_whether_it_is_eager(tf):
    answers = []

    @tf.function
    def ask(x):
        answers.append(tf.executing_eagerly())
        with tf.init_scope():
            answers.append(tf.executing_eagerly())
        with tf.name_scope("inner"):
            return x

    ask(tf.constant(1))
    return [*answers, tf.executing_eagerly()]


def what_signatures_say(tf):
    scale = tf.Variable(2.0, name="scale")

    @tf.function
    def f(x, n=2, *, flag=True):
        return {"a": x * n * scale, "b": [x, (x,)], "c": None}

    @tf.function
    def g():
        return tf.constant(1)

    f(tf.constant([1.0, 2.0]))
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32, name="x"), 3, flag=False)
    listed = concrete.pretty_printed_signature(verbose=True).replace("tf.float32", "float32").splitlines()
    short = concrete.pretty_printed_signature(verbose=False).replace("tf.float32", "float32")
    other = g.get_concrete_function().pretty_printed_signature(verbose=True).replace("tf.int32", "int32")
    names = [variable.name for variable in concrete.variables], len(concrete.captured_inputs)
    return [line for line in listed[:6] if "Captures" not in line], short, other, names


def operations_of_a_graph(tf):
    @tf.function
    def relu(x):
        if tf.greater(x, 0):
            return x
        else:
            return 0

    concrete = relu.get_concrete_function(tf.TensorSpec([], tf.int32))
    graph = concrete.graph
    compared = graph.get_operation_by_name("Greater")
    return (
        [(op.name, op.type) for op in graph.get_operations()],
        [each.name for each in compared.inputs],
        [(each.name, each.dtype.name, each.shape.as_list(), each.op.name) for each in compared.outputs],
        graph.get_tensor_by_name("Identity:0").shape.rank,
        str(compared) == str(compared.node_def),
        repr(compared),
        [type(each.shape).__name__ for each in (*concrete.inputs, *concrete.outputs)],
        [each.shape.as_list() for each in (*concrete.inputs, *concrete.outputs)],
    )


def operations_with_effects_wait_for_each_other(tf):
    @tf.function
    def shout(x):
        tf.print(x)
        return x

    graph = shout.get_concrete_function(tf.constant(1)).graph
    return [op.type for op in graph.get_operation_by_name("Identity").control_inputs]


def names_that_a_graph_has_not(tf):
    graph = tf.function(lambda x: x).get_concrete_function(tf.constant(1)).graph
    found = []
    for look in (graph.get_operation_by_name, graph.get_tensor_by_name):
        try:
            look("missing:0" if look == graph.get_tensor_by_name else "missing")
        except KeyError as error:
            found.append(type(error).__name__)
    return found
