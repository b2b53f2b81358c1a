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


HELPERS = {"shown", "outcomes"}


def outcomes(tf):
    """What every program gives, in the order of this file."""
    programs = [value for name, value in globals().items() if callable(value) and name not in HELPERS]
    return {program.__name__: shown(tf, program(tf)) for program in programs}
