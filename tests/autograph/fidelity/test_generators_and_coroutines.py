"""Functions that are suspended are left to Python; what they call, and who calls them, is as before."""

import asyncio
import contextlib
import inspect

import pytest


def counted(n):
    """A generator with everything in it."""
    total = 0
    for i in range(n):
        if i % 2:
            continue
        try:
            sent = yield i
        except KeyError as error:
            yield str(error)
        else:
            if sent:
                total += sent
        finally:
            total += 1
    while total > 3 and (total := total - 1):
        yield total
    return total


def driven(generator):
    log = [next(generator), generator.send(5)]
    log.append(generator.throw(KeyError("thrown")))
    try:
        while True:
            log.append(next(generator))
    except StopIteration as stop:
        log.append(stop.value)
    return log


def test_generators_are_left_with_the_reason(left, convert):
    left(counted, "a generator")
    assert convert(driven)(counted(6)) == driven(counted(6))


def test_generators_within_a_converted_function(check):
    def outer(n):
        if n > 1:
            step = 2
        else:
            step = 1

        def inner(limit):
            i = 0
            while i < limit:
                if (yield i) == "stop":
                    return "stopped"
                i += step
            else:
                yield "end"
            return "done"

        def delegates():
            result = yield from inner(4)
            yield result

        generator = inner(5)
        sent = [next(generator)]
        try:
            generator.send("stop")
        except StopIteration as stop:
            sent.append(stop.value)
        return list(delegates()), sent, list(n + i for i in inner(n)), inner.__name__

    check(outer, (0,), (1,), (2,))


def test_closing_a_generator_runs_its_finally(check):
    def closed(t):
        log = []

        def inner():
            try:
                yield 1
                yield 2
            finally:
                log.append("closed")

        for item in inner():
            if t:
                break
            log.append(item)
        else:
            log.append("exhausted")
        generator = inner()
        next(generator)
        generator.close()
        return log

    check(closed, (True,), (False,))


def test_a_lambda_may_yield(check):
    def made(n):
        return list((lambda m: (yield m))(n) if n else ())

    check(made, (0,), (1,))


async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


@contextlib.asynccontextmanager
async def entered(log):
    log.append("enter")
    yield log
    log.append("leave")


async def waited(n):
    log = []
    async with entered(log) as same, contextlib.AsyncExitStack():
        async for tick in ticks(n):
            if tick == 2:
                break
            log.append(tick)
        else:
            log.append("else")
        log.append([tick async for tick in ticks(n) if tick])
        log.append([await asyncio.sleep(0, i) for i in range(n)])
    return log, same is log


@pytest.mark.parametrize("function", [ticks, waited])
def test_coroutines_and_async_generators_are_left_with_the_reason(function, left):
    left(function, "an async")


def test_a_converted_function_may_run_and_define_coroutines(check):
    def runs(n):
        if n > 1:
            extra = 10
        else:
            extra = 20

        async def inner(m):
            if m:
                await asyncio.sleep(0)
            return m + extra, await (lambda: asyncio.sleep(0, "lambda"))()

        coroutine = inner(n)
        kinds = inspect.iscoroutine(coroutine), inspect.iscoroutinefunction(inner)
        return asyncio.run(waited(n)), asyncio.run(coroutine), kinds

    check(runs, (0,), (1,), (4,))


def test_what_a_coroutine_awaits_may_be_converted(convert):
    def choose(n):
        if n > 1:
            return asyncio.sleep(0, "great")
        return asyncio.sleep(0, "small")

    converted = convert(choose)

    async def main():
        return [await converted(n) for n in range(3)]

    assert asyncio.run(main()) == ["small", "small", "great"]


def test_context_variables_are_those_of_the_caller(convert):
    import contextvars

    variable = contextvars.ContextVar("variable", default="default")

    def changed(t):
        if t:
            variable.set("changed")
        return variable.get()

    context = contextvars.copy_context()
    assert context.run(convert(changed), True) == "changed"
    assert convert(changed)(False) == "default"
