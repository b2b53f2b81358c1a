"""Names that the other programs do not say: what they are, and what they do where nothing is to be computed."""

import io
from contextlib import redirect_stdout


def dtypes_are_objects(tf):
    return (
        isinstance(tf.float32, tf.DType),
        tf.dtypes.DType is tf.DType,
        tf.as_dtype("int32") is tf.int32,
        tf.variant.name,
        tf.float32.name,
    )


def versions(tf):
    major, minor, _ = tf.__version__.split(".", 2)
    return major, int(minor) >= 16


def classes_by_two_names(tf):
    return tf.sparse.SparseTensor is tf.SparseTensor, tf.random.experimental.Generator is tf.random.Generator


def graphs_and_operations(tf):
    graph = tf.function(lambda x: x + 1).get_concrete_function(tf.constant(1)).graph
    operations = graph.get_operations()
    return (
        isinstance(graph, tf.Graph),
        all(isinstance(each, tf.Operation) for each in operations),
        [node.op for node in graph.as_graph_def().node] == [each.type for each in operations],
    )


def groups_of_what_happens(tf):
    variable = tf.Variable(1)

    @tf.function
    def both(x):
        tf.group(variable.assign(x), tf.no_op())
        return variable.read_value()

    return both(tf.constant(5)), tf.group()


def converters(tf):
    def relu(x):
        return x if x > 0 else -x

    printed = io.StringIO()

    @tf.function
    def traced(x):
        tf.autograph.trace("traced once")
        return x

    tf.autograph.set_verbosity(0, alsologtostdout=False)
    with redirect_stdout(printed):
        traced(tf.constant(1)), traced(tf.constant(2))
    feature = tf.autograph.experimental.Feature
    return (
        "def tf__relu(x)" in tf.autograph.to_code(relu),
        printed.getvalue(),
        [each.name for each in feature],
        feature.EQUALITY_OPERATORS.value,
        tf.autograph.to_graph(relu)(tf.constant(-3)),
    )


def errors_by_code(tf):
    kinds = (
        *(tf.errors.UnavailableError, tf.errors.DeadlineExceededError, tf.errors.FailedPreconditionError),
        *(tf.errors.AbortedError, tf.errors.AlreadyExistsError, tf.errors.ResourceExhaustedError),
        *(tf.errors.UnimplementedError,),
    )
    return [(kind(None, None, "why").error_code, kind.__name__, issubclass(kind, tf.errors.OpError)) for kind in kinds]


def devices_of_this_machine(tf):
    cpus = tf.config.list_physical_devices("CPU")
    logical = tf.config.list_logical_devices("CPU")
    tf.config.set_visible_devices(cpus, "CPU")
    return (
        [(isinstance(each, tf.config.PhysicalDevice), each.device_type, each.name) for each in cpus],
        [(isinstance(each, tf.config.LogicalDevice), each.device_type, each.name) for each in logical],
        tf.config.get_visible_devices("CPU") == cpus,
        tf.config.list_physical_devices("GPU"),
    )


def caught(call):
    try:
        return call()
    except (KeyError, ValueError) as error:
        return isinstance(error, KeyError), isinstance(error, ValueError)


def switches(tf):
    [cpu] = tf.config.list_physical_devices("CPU")
    found = [
        caught(lambda: tf.config.experimental.set_memory_growth(cpu, True)),
        caught(lambda: tf.config.experimental.get_memory_growth(cpu)),
    ]
    tf.config.experimental.enable_tensor_float_32_execution(False)
    found.append(tf.config.experimental.tensor_float_32_execution_enabled())
    tf.config.experimental.enable_tensor_float_32_execution(True)
    found.append(tf.config.experimental.tensor_float_32_execution_enabled())
    tf.config.optimizer.set_experimental_options({"constant_folding": True})
    found.append(tf.config.optimizer.get_experimental_options()["constant_folding"])
    found.append(tf.config.threading.get_inter_op_parallelism_threads())
    return found


def functions_that_run_at_once(tf):
    runs = []

    @tf.function
    def noted(x):
        runs.append(1)
        return x

    tf.config.experimental_run_functions_eagerly(True)
    try:
        noted(tf.constant(1)), noted(tf.constant(2))
        return len(runs), tf.config.experimental_functions_run_eagerly()
    finally:
        tf.config.experimental_run_functions_eagerly(False)


def scopes_of_modules(tf):
    class Layer(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self, x):
            return x, tf.get_current_name_scope()

    return Layer(name="outer")(tf.constant(1))


def datasets_by_their_specs(tf):
    dataset = tf.data.Dataset.range(3)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 2
    spec = tf.data.DatasetSpec.from_value(dataset)
    return (
        dataset.apply(lambda each: each.map(lambda x: x * 2)).reduce(tf.constant(0, tf.int64), lambda a, b: a + b),
        dataset.filter(lambda x: x > 0).cardinality() == tf.data.UNKNOWN_CARDINALITY,
        spec.element_spec == tf.TensorSpec([], tf.int64),
        isinstance(options.threading, tf.data.ThreadingOptions),
        isinstance(tf.data.IteratorSpec(tf.TensorSpec([], tf.int64)), tf.TypeSpec),
        len(list(dataset.with_options(options))),
        tf.data.experimental.AUTOTUNE == tf.data.AUTOTUNE,
        dataset.repeat().cardinality() == tf.data.experimental.INFINITE_CARDINALITY,
        tf.data.experimental.UNKNOWN_CARDINALITY == tf.data.UNKNOWN_CARDINALITY,
    )


def generators_of_random_numbers(tf):
    some = tf.random.Generator.from_non_deterministic_state()
    drawn = some.uniform([3])
    return (
        drawn.shape.as_list(),
        some.make_seeds(2).shape.as_list(),
        some.make_seeds(2).dtype.name,
        tf.random.experimental.stateless_fold_in(tf.constant([1, 2], tf.int64), 3),
    )


def what_operators_are_called_in_graphs(tf):
    @tf.function
    def numbers(x, y):
        return x + y, x - y, x * y, x / y, x // y, x % y, x**y, -x, abs(x), x < y, x >= y, x + 1.0, 2.0 * x

    @tf.function
    def truths(x, y):
        return x & y, x | y, ~x

    float_, bool_ = tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.bool)
    graphs = [numbers.get_concrete_function(float_, float_), truths.get_concrete_function(bool_, bool_)]
    return [[node.name for node in each.graph.get_operations()] for each in graphs]
