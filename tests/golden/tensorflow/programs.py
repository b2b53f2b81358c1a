"""Programs as people write them for TensorFlow; each takes the namespace and returns what it computed.

They run on TensorFlow and on our names for it, and must give the same values, dtypes, shapes and structure. What
TensorFlow gives is in `programs.out`; `pytest -m peers --golden=update` lets it write that anew.
"""


def a_branch_with_an_early_return(tf):
    @tf.function
    def clipped(x):
        if x > 10:
            return tf.constant(10)
        if x < 0:
            return tf.constant(0)
        return x

    return [clipped(tf.constant(n)) for n in (-3, 5, 30)]


def collatz(tf):
    @tf.function
    def steps_to_one(n):
        steps = 0
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    return [steps_to_one(tf.constant(n)) for n in (1, 6, 27)]


def a_loop_with_break_and_continue(tf):
    @tf.function
    def total(xs, limit):
        s = 0.0
        count = 0
        for x in xs:
            if x < 0:
                continue
            if s + x > limit:
                break
            s += x
            count += 1
        return s, count

    return total(tf.constant([1.0, -5.0, 2.0, 3.0, 9.0]), tf.constant(7.0))


def nested_loops(tf):
    @tf.function
    def pairs(n):
        count = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if (i + j) % 3 == 0:
                    count += 1
        return count

    return pairs(tf.constant(9))


def newton(tf):
    @tf.function
    def square_root(a, tolerance=1e-6):
        x = a
        while tf.abs(x * x - a) > tolerance:
            x = 0.5 * (x + a / x)
        return x

    return tf.round(square_root(tf.constant(2.0, tf.float64)) * 1e6)


def fibonacci_in_a_tensor_array(tf):
    @tf.function
    def fibonacci(n):
        numbers = tf.TensorArray(tf.int32, size=n)
        a, b = 0, 1
        for i in tf.range(n):
            numbers = numbers.write(i, a)
            a, b = b, a + b
        return numbers.stack()

    return fibonacci(tf.constant(10))


def a_growing_tensor_array(tf):
    @tf.function
    def evens(n):
        found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        count = 0
        for i in tf.range(n):
            if i % 2 == 0:
                found = found.write(count, i)
                count += 1
        return found.stack()

    return evens(tf.constant(7))


def a_recurrent_cell(tf):
    @tf.function
    def run(inputs, weights):
        state = tf.zeros([tf.shape(inputs)[1]])
        outputs = tf.TensorArray(tf.float32, size=tf.shape(inputs)[0])
        for t in tf.range(tf.shape(inputs)[0]):
            state = tf.nn.relu(inputs[t] + tf.linalg.matvec(weights, state))
            outputs = outputs.write(t, state)
        return outputs.stack(), state

    return run(tf.constant([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]]), tf.constant([[0.5, 0.0], [0.25, -0.5]]))


def variables_in_a_loop(tf):
    total = tf.Variable(0.0)
    seen = tf.Variable(0)

    @tf.function
    def observe(xs):
        for x in xs:
            seen.assign_add(1)
            if x > 0:
                total.assign_add(x)
        return total / tf.cast(seen, tf.float32)

    return observe(tf.constant([1.0, -2.0, 3.0, 6.0])), total.read_value(), seen.read_value()


def a_variable_made_on_the_first_call(tf):
    class Counter:
        def __init__(self):
            self.value = None

        @tf.function
        def __call__(self, by):
            if self.value is None:
                self.value = tf.Variable(10)
            return self.value.assign_add(by) + 0

    counter = Counter()
    return counter(tf.constant(1)), counter(tf.constant(5))


def gradient_descent_by_hand(tf):
    w = tf.Variable([0.0, 0.0])

    @tf.function
    def train(x, y, steps):
        for _ in tf.range(steps):
            error = tf.linalg.matvec(x, w) - y
            w.assign_sub(0.25 * tf.linalg.matvec(x, error, transpose_a=True))
        return tf.reduce_sum(tf.square(tf.linalg.matvec(x, w) - y))

    loss = train(tf.constant([[1.0, 0.0], [0.0, 1.0]]), tf.constant([2.0, -1.0]), tf.constant(20))
    return tf.round(loss * 100), tf.round(w * 100)


def a_module(tf):
    class Dense(tf.Module):
        def __init__(self, rows, columns):
            super().__init__(name="dense")
            self.weights = tf.Variable(tf.ones([rows, columns]), name="weights")
            self.bias = tf.Variable(tf.zeros([columns]), name="bias")

        @tf.function
        def __call__(self, x):
            return tf.nn.relu(x @ self.weights + self.bias)

    class Stack(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(2, 3), Dense(3, 1)]

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    model = Stack()
    shapes = [tuple(variable.shape) for variable in model.trainable_variables]
    return model(tf.constant([[1.0, -0.5]])), shapes, len(model.submodules)


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


def boolean_operators(tf):
    @tf.function
    def inside(x, y):
        if x > 0 and y > 0 or not (x > -5):
            return 1
        return 0

    return [inside(tf.constant(x), tf.constant(y)) for x, y in ((1, 1), (1, -1), (-9, 0))]


def a_conditional_expression(tf):
    @tf.function
    def pick(x):
        return x * 2 if x > 0 else x - 1

    return pick(tf.constant(3)), pick(tf.constant(-3))


def a_while_loop_by_hand(tf):
    @tf.function
    def powers(n):
        _, x, history = tf.while_loop(
            lambda i, *_: i < n,
            lambda i, x, history: (i + 1, x * 2, history.write(i, x)),
            (tf.constant(0), tf.constant(1), tf.TensorArray(tf.int32, size=n)),
        )
        return x, history.stack()

    return powers(tf.constant(5))


def conditions_by_hand(tf):
    @tf.function
    def route(x):
        first = tf.cond(x > 0, lambda: x, lambda: -x)
        second = tf.case([(x > 5, lambda: tf.constant(1)), (x > 0, lambda: tf.constant(2))], lambda: tf.constant(3))
        third = tf.switch_case(first % 3, [lambda: x, lambda: x * 10, lambda: x * 100])
        return first, second, third

    return [route(tf.constant(n)) for n in (7, 2, -3)]


def shapes_that_grow(tf):
    @tf.function
    def history(n):
        values = tf.constant([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(values, tf.TensorShape([None]))])
            values = tf.concat([values, [i * i]], axis=0)
        return values

    return history(tf.constant(4))


def a_dataset_in_a_staged_loop(tf):
    data = tf.data.Dataset.from_tensor_slices((tf.range(10, dtype=tf.float32), tf.range(10) % 3))

    @tf.function
    def mean_by_label(dataset):
        sums = tf.zeros([3])
        counts = tf.zeros([3])
        for x, label in dataset:
            hit = tf.one_hot(label, 3)
            sums += hit * x
            counts += hit
        return sums / counts

    return mean_by_label(data)


def batches_in_a_staged_loop(tf):
    data = tf.data.Dataset.range(7).map(lambda x: x * x).batch(3)

    @tf.function
    def largest(dataset):
        best = tf.constant(0, tf.int64)
        for batch in dataset:
            best = best * 10 + tf.cast(tf.size(batch), tf.int64)
        return best

    return largest(data), list(data)


def an_enumerated_dataset(tf):
    @tf.function
    def weighted():
        total = tf.constant(0, tf.int64)
        for i, x in tf.data.Dataset.range(10, 15).enumerate():
            total += i * x
        return total

    return weighted()


def a_dataset_with_break(tf):
    @tf.function
    def first_above(limit):
        found = tf.constant(-1, tf.int64)
        for x in tf.data.Dataset.range(3).repeat():
            found += x
            if found > limit:
                break
        return found

    return first_above(tf.constant(20, tf.int64))


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


def matrices(tf):
    @tf.function
    def power_iteration(a, steps):
        v = tf.ones([tf.shape(a)[0], 1])
        for _ in tf.range(steps):
            v = tf.matmul(a, v)
            v = v / tf.reduce_max(v)
        return tf.round(v * 1000)

    return power_iteration(tf.constant([[2.0, 1.0], [1.0, 3.0]]), tf.constant(30))


def indices_and_masks(tf):
    @tf.function
    def pick(x):
        rows = tf.where(x[:, 0] > 1)[:, 0]
        best = tf.argmax(x, axis=1)
        return tf.gather(x, rows), best, tf.boolean_mask(x, x[:, 1] > 2), x[1:, ::-1], x[-1]

    return pick(tf.constant([[1, 5], [2, 1], [3, 9]]))


def a_game_of_life(tf):
    @tf.function
    def generations(board, count):
        for _ in tf.range(count):
            around = tf.zeros_like(board)
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if dy != 0 or dx != 0:
                        around += tf.roll(board, shift=[dy, dx], axis=[0, 1])
            alive = tf.logical_or(tf.equal(around, 3), tf.logical_and(tf.equal(board, 1), tf.equal(around, 2)))
            board = tf.cast(alive, tf.int32)
        return board

    glider = [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0] * 5, [0] * 5]
    return generations(tf.constant(glider), tf.constant(4))


def random_numbers_with_a_seed(tf):
    def draw():
        tf.random.set_seed(7)
        return tf.random.uniform([3]), tf.random.normal([2, 2])

    first, second = draw(), draw()
    again = all(bool(tf.reduce_all(a == b)) for a, b in zip(first, second))
    numbers = tf.random.uniform([100], minval=-5, maxval=5, dtype=tf.int32)
    in_range = bool(tf.reduce_all(numbers >= -5)) and bool(tf.reduce_all(numbers < 5))
    return again, in_range, tf.sort(tf.random.shuffle([3, 1, 2]))


def rows_of(tf, dataset):
    """The elements of a dataset as eager code sees them, and those of a staged loop, each added up."""

    @tf.function
    def sums():
        found = tf.TensorArray(tf.int64, size=0, dynamic_size=True)
        count = 0
        for element in dataset:
            found = found.write(count, tf.reduce_sum(element))
            count += 1
        return found.stack()

    return [element.numpy().tolist() for element in dataset], sums()


def datasets_of_which_elements_decide_the_length(tf):
    numbers = tf.data.Dataset.range(10)
    return [
        rows_of(tf, numbers.filter(lambda x: x % 3 == 0)),
        rows_of(tf, numbers.filter(lambda x: x % 3 == 0).batch(3).repeat(2).skip(1)),
        rows_of(tf, numbers.take_while(lambda x: x < 4)),
        rows_of(tf, numbers.repeat().take_while(lambda x: x < 9)),
        list(numbers.filter(lambda x: x < 0)),
        numbers.filter(lambda x: x > 3).cardinality(),
    ]


def datasets_of_datasets(tf):
    numbers = tf.data.Dataset.range(7)
    return [
        rows_of(tf, numbers.flat_map(lambda x: tf.data.Dataset.range(x))),
        rows_of(tf, numbers.window(3, 2).flat_map(lambda window: window.batch(3))),
        rows_of(tf, numbers.window(3, 1, 2, True).flat_map(lambda w: w.batch(3, drop_remainder=True))),
        rows_of(tf, numbers.batch(3).unbatch()),
        [[int(x) for x in window.as_numpy_iterator()] for window in numbers.window(2, shift=3)],
    ]


def woven_datasets(tf):
    def several(cycle, block):
        def copies(x):
            return tf.data.Dataset.from_tensors(x).repeat(x)

        dataset = tf.data.Dataset.range(1, 6).interleave(copies, cycle_length=cycle, block_length=block)
        return [int(x) for x in dataset.as_numpy_iterator()]

    return [several(2, 4), several(2, 1), several(3, 2), several(1, 1), several(7, 2)]


def datasets_with_a_state_and_in_parts(tf):
    numbers = tf.data.Dataset.range(5)
    return [
        rows_of(tf, numbers.scan(tf.constant(0, tf.int64), lambda state, x: (state + x, state * x))),
        rows_of(tf, numbers.shard(3, 1)),
        rows_of(tf, numbers.map(lambda x: tf.fill([x], x)).padded_batch(2)),
        rows_of(tf, numbers.map(lambda x: tf.fill([x], x)).padded_batch(2, [6], tf.constant(-1, tf.int64), True)),
        numbers.take(1).get_single_element(),
    ]


def a_dataset_from_a_generator(tf):
    def pairs():
        for number in range(4):
            yield number, [number] * number

    signature = tf.TensorSpec((), tf.int64), tf.TensorSpec((None,), tf.float32)
    dataset = tf.data.Dataset.from_generator(pairs, output_signature=signature)
    squares = tf.data.Dataset.from_generator(lambda: (n * n for n in range(5)), output_types=tf.int64)
    return list(dataset.skip(1)), list(squares.batch(2))


def rows_of_variables(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows = tf.IndexedSlices(tf.constant([[1.0, 1.0], [2.0, 2.0]]), tf.constant([0, 2]))

    @tf.function
    def change():
        table.scatter_add(rows)
        table.scatter_sub(rows)
        table.scatter_mul(rows)
        table.scatter_div(rows)
        table.scatter_max(rows)
        table.scatter_min(rows)
        table.scatter_update(tf.IndexedSlices(tf.constant([[9.0, 8.0]]), tf.constant([1])))
        table.scatter_nd_add([[0, 0]], [10.0])
        return table.sparse_read([2, 0])

    return change(), table.value(), {table.ref(): 1}[table.ref()], table.ref().deref() is table


def rows_of_a_ragged_tensor(tf):
    @tf.function
    def sums(rows):
        total = tf.constant(0)
        for row in rows:
            total = total * 10 + tf.reduce_sum(row)
        return total

    rows = tf.ragged.constant([[1, 2], [], [3]])
    return sums(rows), rows.to_list(), [row.numpy().tolist() for row in rows], rows.ragged_rank


def errors_with_codes(tf):
    kinds = [tf.errors.NotFoundError, tf.errors.CancelledError, tf.errors.DataLossError, tf.errors.UnknownError]
    found = []
    for kind in kinds:
        try:
            raise kind(None, None, "gone")
        except tf.errors.OpError as error:
            found.append((error.message, error.error_code, error.op is None))
    return found, tf.errors.INVALID_ARGUMENT


def checks_of_ranks_and_shapes(tf):
    def refused(check):
        try:
            check()
        except (ValueError, TypeError, tf.errors.InvalidArgumentError):
            return True
        return False

    x = tf.ones([2, 3])
    return [
        refused(lambda: tf.debugging.assert_rank_at_least(x, 2)),
        refused(lambda: tf.debugging.assert_rank_at_least(x, 3)),
        refused(lambda: tf.debugging.assert_rank_in(x, [1, 2])),
        refused(lambda: tf.debugging.assert_rank_in(x, [1, 3])),
        refused(lambda: tf.debugging.assert_shapes([(x, ("N", "M")), (tf.ones([3]), ("M",))])),
        refused(lambda: tf.debugging.assert_shapes([(x, ("N", "M")), (tf.ones([2]), ("M",))])),
        refused(lambda: tf.debugging.assert_same_float_dtype([x, tf.ones([1])])),
        refused(lambda: tf.debugging.assert_same_float_dtype([x, tf.ones([1], tf.float64)])),
        refused(lambda: tf.debugging.assert_proper_iterable([x])),
        refused(lambda: tf.debugging.assert_proper_iterable(x)),
        refused(lambda: tf.ensure_shape(x, [None, 4])),
        refused(lambda: tf.ensure_shape(x, [2])),
    ]


def random_numbers_of_a_generator(tf):
    def draw(generator):
        return [generator.normal([3]), generator.uniform([2], 1, 9, tf.int32), generator.truncated_normal([50])]

    first, again = (draw(tf.random.Generator.from_seed(5)) for _ in range(2))
    same = [bool(tf.reduce_all(a == b)) for a, b in zip(first, again)]
    near = bool(tf.reduce_all(tf.abs(first[2]) <= 2.0))
    fixed = [tf.random.stateless_uniform([4], seed=[1, 2]) for _ in range(2)]
    shapes = [
        tf.shape(tf.random.gamma([2], [1.0, 2.0, 3.0])),
        tf.shape(tf.random.poisson([4], [1.0, 2.0])),
        tf.shape(tf.random.categorical([[0.0, 1.0], [1.0, 0.0]], 5)),
        tf.shape(tf.random.stateless_normal([2, 3], [1, 2])),
        tf.shape(tf.random.stateless_categorical([[0.0, 1.0]], 5, [1, 2])),
        tf.shape(tf.random.stateless_truncated_normal([2], [1, 2])),
    ]
    return same, near, bool(tf.reduce_all(fixed[0] == fixed[1])), shapes


def shown(tf, value):
    """A result as text: dtype, shape and elements of each tensor."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {shown(tf, each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        start, end = "[]" if isinstance(value, list) else "()"
        return start + ", ".join(shown(tf, each) for each in value) + end
    if not tf.is_tensor(value):
        return repr(value)
    array = value.numpy()
    return f"{value.dtype.name}{list(array.shape)} {array.tolist()}"


HELPERS = {"rows_of", "shown", "outcomes"}


def outcomes(tf):
    """What every program gives, in the order of this file."""
    programs = [value for name, value in globals().items() if callable(value) and name not in HELPERS]
    return {program.__name__: shown(tf, program(tf)) for program in programs}
