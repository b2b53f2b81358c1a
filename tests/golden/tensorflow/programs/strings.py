"""Strings: at once in tensors of any shape, in functions one text at a time."""


def error_of(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__


def tensors_of_strings(tf):
    one, some = tf.constant("ab"), tf.constant(["a", "é"])
    return (
        (one, some, tf.constant([], tf.string), tf.constant("x", shape=[2]), tf.convert_to_tensor([["p"], ["q"]])),
        (repr(one), str(one), f"{one}", repr(some), str(some)),
        (one.dtype == tf.string, tf.string.name, repr(tf.dtypes.string), tf.string.as_numpy_dtype is object),
        (some.shape.as_list(), one.shape.rank, len(some), tf.is_tensor(one), some[1], [each.numpy() for each in some]),
        (one == "ab", some != "a", one + "c", "c" + some, tf.identity(one), error_of(lambda: hash(one))),
        (tf.shape(some), tf.size(some), tf.rank(one)),
    )


def numbers_as_strings(tf):
    return (
        (tf.strings.as_string([1, -2]), tf.strings.as_string(3.14159), tf.strings.as_string(3.14159, precision=2), tf.strings.as_string(True)),
        (tf.strings.as_string(3.14159, scientific=True), tf.strings.as_string(3.14159, shortest=True), tf.strings.as_string(1 + 2j)),
        (tf.strings.as_string(5, width=4), tf.strings.as_string(5, width=4, fill="0"), tf.strings.as_string(tf.constant("a"))),
        (tf.strings.to_number(["1", "2.5"]), tf.strings.to_number("3", tf.int32)),
        (error_of(lambda: tf.strings.to_number("x")), error_of(lambda: tf.strings.to_number("3.5", tf.int32))),
    )


def strings_joined_and_taken_apart(tf):
    return (
        (tf.strings.join(["a", "b"]), tf.strings.join([["a", "b"], "c"], separator="-"), tf.strings.join([])),
        (tf.strings.reduce_join([["a", "b"], ["c", "d"]]), tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=0, separator=" ")),
        (tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=[1, 0]), tf.strings.reduce_join([["a"], ["c"]], axis=1, keepdims=True)),
        (tf.strings.split("a b  c"), tf.strings.split("a,b,,c", sep=","), tf.strings.split("a b c", maxsplit=1)),
        (tf.strings.bytes_split("ab"), tf.strings.unicode_split("hé", "UTF-8")),
        (tf.strings.unicode_decode("hé", "UTF-8"), tf.strings.unicode_encode([104, 233], "UTF-8")),
        (tf.strings.substr("hello", 1, 3), tf.strings.substr("hello", -3, 2), tf.strings.substr(["abc", "def"], [0, 1], [1, 2])),
        (tf.strings.substr("héllo", 1, 2, unit="UTF8_CHAR"), tf.strings.substr("héllo", 3, 9), error_of(lambda: tf.strings.substr("hello", 7, 2))),
    )


def strings_changed_and_asked(tf):
    return (
        (tf.strings.length(["a", "bcd", "é"]), tf.strings.length("é", unit="UTF8_CHAR"), tf.strings.length("")),
        (tf.strings.upper("é aB"), tf.strings.lower(["É AB"]), tf.strings.upper("é", encoding="utf-8"), tf.strings.strip([" a\n", "\tb c "])),
        (tf.strings.regex_replace("hello", "l+", r"<\0>"), tf.strings.regex_replace(["hello"], "l", "L", replace_global=False)),
        (tf.strings.regex_replace("ab12", "([a-z]+)([0-9]+)", r"\2\1"), tf.strings.regex_full_match(["abc", "b"], "a.*")),
        (tf.strings.format("x: {}", tf.constant("hi")), tf.strings.format("{} {}", (tf.constant([1, 2]), tf.constant(["a", "b"])))),
        (tf.strings.format("%d of %%", tf.constant(3), placeholder="%d"),),
    )


def a_text_that_a_function_makes(tf):
    @tf.function
    def told(n, x):
        name = tf.strings.join(["n", tf.strings.as_string(n)], separator="=")
        value = tf.strings.as_string(x, precision=2)
        both = name + ", " + value
        return {
            "text": both,
            "bytes": tf.strings.length(both),
            "characters": tf.strings.length(both, unit="UTF8_CHAR"),
            "upper": tf.strings.upper(both),
            "part": tf.strings.substr(both, 2, 3),
            "end": tf.strings.substr(both, -4, tf.constant(4)),
            "number": tf.strings.to_number(tf.strings.as_string(n * 2)),
            "whole": tf.strings.to_number(tf.strings.as_string(n), tf.int32),
            "format": tf.strings.format("<{}> {}", (n, [n, n + 1][1])),
            "bool": tf.strings.as_string(n > 2),
            "wide": tf.strings.strip(tf.strings.as_string(n, width=6)),
            "zeros": tf.strings.as_string(n, width=6, fill="0"),
            "codes": tf.strings.unicode_decode(name, "UTF-8"),
        }

    return told(tf.constant(7), tf.constant(2.5)), told(tf.constant(1), tf.constant(-0.125))


def texts_that_branches_choose(tf):
    @tf.function
    def sign(x):
        if x > 0:
            word = tf.constant("positive")
        else:
            word = tf.constant("other")
        return tf.strings.join([word, tf.strings.as_string(x)], " ")

    return sign(tf.constant(3)), sign(tf.constant(-3))


def texts_that_loops_lengthen(tf):
    @tf.function
    def digits(n):
        text = tf.constant("")
        for i in tf.range(n):
            text = tf.strings.join([text, tf.strings.as_string(i)])
        return text, tf.strings.length(text)

    return digits(tf.constant(5)), digits(tf.constant(0))


def texts_that_functions_take(tf):
    @tf.function
    def greeting(name, n):
        return tf.strings.join([name, tf.strings.as_string(n)], separator=" ")

    return greeting(tf.constant("a"), tf.constant(1)), greeting("b", tf.constant(2)), greeting(tf.constant("c"), tf.constant(3))


def texts_of_python_that_functions_return(tf):
    return tf.function(lambda x: (x + 1, "a", {"b": b"c"}))(tf.constant(1))


def functions_that_take_strings(tf):
    traced = []

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def greeting(name):
        traced.append(name)
        if tf.strings.length(name) > 3:
            name = tf.strings.upper(name)
        return tf.strings.join(["hello ", name]), tf.strings.length(name), name == "BOBBY"

    @tf.function(input_signature=[{"text": tf.TensorSpec([], tf.string), "by": tf.TensorSpec([], tf.float32)}])
    def scaled(given):
        return tf.strings.to_number(tf.strings.strip(given["text"])) * given["by"], given["text"]

    @tf.function
    def part(text, start):
        return tf.strings.substr(text, start, 2), tf.strings.substr(text, 0, 1)

    concrete = part.get_concrete_function(tf.TensorSpec([], tf.string), tf.TensorSpec([], tf.int32))
    return (
        [greeting(name) for name in ("bob", tf.constant("bobby"), b"", "été")],
        len(traced),
        [scaled({"text": text, "by": 2.0}) for text in (" 1.5 ", "-3")],
        [concrete(tf.constant(text), tf.constant(1)) for text in ("abcd", "xyz")],
        part("known", 2),
    )


def what_is_no_string_is_refused(tf):
    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def same(text):
        return text

    def refused(value):
        try:
            return same(value)
        except TypeError:
            return "refused"

    return [refused(value) for value in ("a", 3, tf.constant(1.0), tf.constant(["a", "b"]), None)]


def datasets_of_strings(tf):
    names = tf.data.Dataset.from_tensor_slices(["ann", "bo", "zoë"])
    numbered = tf.data.Dataset.zip((names, tf.data.Dataset.range(3)))
    made = tf.data.Dataset.from_generator(lambda: iter(["p", "q"]), output_signature=tf.TensorSpec([], tf.string))

    @tf.function
    def listed(dataset):
        line, longest = tf.constant(""), 0
        for name in dataset:
            line = tf.strings.join([line, name, ";"])
            longest = tf.maximum(longest, tf.strings.length(name))
        return line, longest

    return (
        list(names.map(tf.strings.upper).as_numpy_iterator()),
        [batch.numpy().tolist() for batch in names.batch(2)],
        list(names.filter(lambda name: tf.strings.length(name) > 2).repeat(2).as_numpy_iterator()),
        [(name.numpy(), int(number)) for name, number in numbered],
        list(made.as_numpy_iterator()),
        [listed(dataset) for dataset in (names, names.take(1), names.map(tf.strings.upper), made)],
        names.reduce(tf.constant(0), lambda total, name: total + tf.strings.length(name)),
        [repr(dataset.element_spec) for dataset in (names, names.batch(2), made, numbered)],
        next(iter(names)),
    )
