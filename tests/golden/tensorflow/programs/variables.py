"""Variables, and modules that hold them."""


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


def names_of_variables_in_modules(tf):
    class LastLayer(tf.Module):
        def __init__(self, name=None):
            super().__init__(name=name)
            with self.name_scope:
                self.weights = tf.Variable([1.0, 2.0], name="weights")

    class TwoLayerNet(tf.Module):
        def __init__(self):
            super().__init__()
            self.a_first = LastLayer("first")
            self.layers = [LastLayer(), {"x": LastLayer("third")}]
            with self.name_scope, tf.name_scope("inner"):
                self.bias = tf.Variable(0.0, trainable=False, name="bias")
            self.z_shared = self.a_first
            self.outside = tf.Variable(1)

    def called(make):
        try:
            return make().name
        except ValueError as error:
            return str(error).splitlines()[0]

    net = TwoLayerNet()
    return (
        [variable.name for variable in net.variables],
        [variable.name for variable in net.trainable_variables],
        [variable.name for variable in net.non_trainable_variables],
        [module.name for module in net.submodules],
        [called(make) for make in (TwoLayerNet, lambda: LastLayer("x_1"), lambda: LastLayer("no name"))],
        type("HTTPGet2Net", (tf.Module,), {})().name,
    )


def options_of_assignments(tf):
    number = tf.Variable(1.0)

    @tf.function
    def assigned(x):
        number.assign(x, read_value=False)
        number.assign_add(1.0, use_locking=True, read_value=False)
        return number.assign_sub(0.5, name="less")

    eager = [number.assign(3.0, read_value=False), number.assign_add(1.0, read_value=False)]
    return [each is None for each in eager], assigned(tf.constant(5.0)), number.assign_sub(1.0).numpy()
