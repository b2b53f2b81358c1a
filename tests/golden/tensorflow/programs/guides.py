"""Twelve programs on the subjects of TensorFlow's guides: functions, control flow, data and modules."""


def a_function_is_traced_once_for_each_signature(tf):
    seen = []

    @tf.function
    def norm(x, power=2):
        seen.append((x.dtype.name, x.shape.as_list(), power))
        return tf.reduce_sum(tf.abs(x) ** power) ** (1 / power)

    results = [
        norm(tf.constant([3.0, 4.0])),
        norm(tf.constant([6.0, 8.0])),
        norm(tf.constant([3.0, 4.0]), power=1),
        norm(tf.constant([[3.0, 4.0]])),
        norm(tf.constant([1.0, 1.0, 1.0, 1.0])),
    ]
    concrete = norm.get_concrete_function(tf.TensorSpec([None], tf.float32))
    return results, seen, concrete(tf.constant([5.0, 12.0])), concrete.structured_outputs.shape.as_list()


def prints_of_python_happen_while_tracing(tf):
    heard = []

    @tf.function
    def step(x):
        heard.append("traced")
        return x + 1

    @tf.function
    def polynomial(x, coefficients):
        total = tf.zeros_like(x)
        for coefficient in coefficients:
            total = total * x + coefficient
        heard.append(len(coefficients))
        return total

    values = [step(tf.constant(1)), step(tf.constant(2)), step(tf.constant(1.5))]
    values.append(polynomial(tf.constant(2.0), (1.0, 0.0, -3.0)))
    values.append(polynomial(tf.constant(3.0), (1.0, 0.0, -3.0)))
    return values, heard


def variables_that_a_function_makes_once(tf):
    class Recorder:
        def __init__(self):
            self.largest = None

        @tf.function
        def __call__(self, x):
            if self.largest is None:
                self.largest = tf.Variable(-10.0)
            self.largest.assign(tf.maximum(self.largest, x))
            return self.largest.read_value()

    first, second = Recorder(), Recorder()
    found = [first(tf.constant(2.0)), first(tf.constant(1.0)), second(tf.constant(0.5)), first(tf.constant(7.0))]

    @tf.function
    def anew(x):
        return tf.Variable(1.0) + x

    try:
        anew(tf.constant(1.0))
        refused = ""
    except ValueError as error:
        refused = "tf.function only supports singleton tf.Variables created on the first call" in str(error)
    return found, refused


def fizz_buzz_with_tensors(tf):
    @tf.function
    def fizz_buzz(limit):
        counts = tf.zeros([4], tf.int32)
        for number in tf.range(1, limit + 1):
            if number % 15 == 0:
                kind = 3
            elif number % 3 == 0:
                kind = 1
            elif number % 5 == 0:
                kind = 2
            else:
                kind = 0
            counts = tf.tensor_scatter_nd_add(counts, [[kind]], [1])
        return counts

    return fizz_buzz(tf.constant(30)), fizz_buzz(tf.constant(7))


def a_walk_that_stops_at_a_wall(tf):
    @tf.function
    def walk(steps, wall):
        place = tf.constant([0, 0])
        taken = 0
        places = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for step in steps:
            following = place + step
            if tf.reduce_any(tf.abs(following) > wall):
                break
            if tf.reduce_all(step == 0):
                continue
            place = following
            places = places.write(taken, place)
            taken += 1
        return taken, places.stack()

    moves = tf.constant([[1, 0], [0, 0], [0, 1], [1, 1], [2, 0], [0, -1]])
    return walk(moves, tf.constant(2)), walk(moves, tf.constant(9))


def sequences_of_several_lengths(tf):
    @tf.function
    def run(cell, inputs, lengths):
        batch, steps = tf.shape(inputs)[0], tf.shape(inputs)[1]
        outputs = tf.TensorArray(tf.float32, size=steps, element_shape=[None, 2])
        state = tf.zeros([batch, 2])
        for step in tf.range(steps):
            following = tf.tanh(inputs[:, step] + state @ cell)
            state = tf.where((step < lengths)[:, tf.newaxis], following, state)
            outputs = outputs.write(step, state)
        return tf.transpose(outputs.stack(), [1, 0, 2]), state

    cell = tf.constant([[0.5, -0.25], [0.0, 1.0]])
    inputs = tf.reshape(tf.range(12, dtype=tf.float32), [2, 3, 2]) / 8
    outputs, state = run(cell, inputs, tf.constant([3, 1]))
    return tf.round(outputs * 1e4), tf.round(state * 1e4), outputs.shape.as_list()


def sieve_in_a_while_loop(tf):
    @tf.function
    def primes(limit):
        marked = tf.concat([[False, False], tf.ones([limit - 1], tf.bool)], 0)
        number = 2
        while number * number <= limit:
            if marked[number]:
                multiples = tf.range(number * number, limit + 1, number)
                updates = tf.zeros(tf.shape(multiples), tf.bool)
                marked = tf.tensor_scatter_nd_update(marked, multiples[:, tf.newaxis], updates)
            number += 1
        return tf.reshape(tf.where(marked), [-1])

    return primes(tf.constant(40))


def words_into_padded_batches(tf):
    texts = [[3, 1, 4], [1], [5, 9], [2, 6, 5, 3]]

    def rows():
        yield from texts

    dataset = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([None], tf.int32))
    batches = dataset.map(lambda row: row * 10).padded_batch(2, padding_values=-1)
    long = dataset.filter(lambda row: tf.size(row) > 1).map(tf.reduce_sum)
    return list(batches), list(long), batches.element_spec.shape.as_list()


def windows_for_a_forecast(tf):
    series = tf.data.Dataset.range(12).map(lambda n: tf.cast(n * n % 7, tf.float32))
    windows = series.window(4, shift=2, drop_remainder=True).flat_map(lambda part: part.batch(4))
    pairs = windows.map(lambda row: (row[:-1], row[-1])).batch(2)

    @tf.function
    def error_of(pairs, weights):
        total, count = 0.0, 0
        for inputs, wanted in pairs:
            forecast = tf.linalg.matvec(inputs, weights)
            total += tf.reduce_sum(tf.square(forecast - wanted))
            count += tf.shape(wanted)[0]
        return total, count

    return list(pairs), error_of(pairs, tf.constant([0.5, 0.0, 1.0]))


def statistics_while_streaming(tf):
    readings = tf.data.Dataset.from_tensor_slices([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])

    def update(state, value):
        count, mean, spread = state
        count += 1.0
        apart = value - mean
        mean += apart / count
        return (count, mean, spread + apart * (value - mean))

    count, mean, spread = readings.reduce((0.0, 0.0, 0.0), update)
    running = readings.scan(0.0, lambda total, value: (total + value, total + value))
    held = readings.enumerate().filter(lambda place, value: place % 2 == 1).map(lambda _, value: value)
    return count, mean, tf.sqrt(spread / count), list(running), list(held.take(3))


def layers_of_a_network(tf):
    class Dense(tf.Module):
        def __init__(self, wide, high, name=None):
            super().__init__(name=name)
            start = tf.reshape(tf.range(wide * high, dtype=tf.float32), [wide, high]) / 10 - 0.3
            self.weights = tf.Variable(start, name="weights")
            self.bias = tf.Variable(tf.zeros([high]), name="bias")

        def __call__(self, x):
            return tf.nn.relu(x @ self.weights + self.bias)

    class Network(tf.Module):
        def __init__(self):
            super().__init__(name="network")
            self.layers = [Dense(3, 2, name="first"), Dense(2, 1, name="second")]
            self.calls = tf.Variable(0, trainable=False)

        @tf.function
        def __call__(self, x):
            self.calls.assign_add(1)
            for layer in self.layers:
                x = layer(x)
            return x

    network = Network()
    results = network(tf.constant([[1.0, 2.0, 3.0]])), network(tf.ones([2, 3]))
    return (
        results,
        network.calls.read_value(),
        [variable.shape.as_list() for variable in network.trainable_variables],
        len(network.variables),
        [module.name for module in network.submodules],
        network.name,
    )


def a_line_fitted_by_hand(tf):
    class Line(tf.Module):
        def __init__(self):
            super().__init__()
            self.slope = tf.Variable(0.0)
            self.height = tf.Variable(0.0)

        @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)])
        def fit(self, x, y, steps):
            losses = tf.TensorArray(tf.float32, size=steps)
            for step in tf.range(steps):
                error = self.slope * x + self.height - y
                losses = losses.write(step, tf.reduce_mean(error * error))
                self.slope.assign_sub(0.1 * 2 * tf.reduce_mean(error * x))
                self.height.assign_sub(0.1 * 2 * tf.reduce_mean(error))
            return losses.stack()

    line = Line()
    x = tf.linspace(-1.0, 1.0, 9)
    losses = line.fit(x, 3.0 * x + 1.0, tf.constant(60))
    falls = bool(tf.reduce_all(losses[1:] <= losses[:-1]))
    return falls, tf.round(line.slope * 100), tf.round(line.height * 100), losses.shape.as_list()
