"""Hooks on gradients: a compiled step runs those of the call, whatever was there when it was recorded."""

from __future__ import annotations

import gc
import threading

import pytest

import lamella.nn  # noqa: F401 - modules guard hooks of their own
from lamella import torch
from lamella.compile.capture import trace


def both(run):
    """What ``run(a, b, compile)`` gives with and without the compiler, and the compiled function."""
    found = []
    for compiled in (lambda f: f, lambda f: torch.compile(f, backend="eager")):
        a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        found.append(run(a, b, compiled))
    assert found[1] == found[0]


def step_of(a, b):
    def step(x):
        a.grad = b.grad = None
        (a * x + b * x).sum().backward()

    return step


def times(n):
    return lambda g: g * n


def calls(fast, *leaves, count=2):
    for _ in range(count):
        fast(torch.ones(2))
    return [leaf.grad.tolist() for leaf in leaves]


def test_added_and_removed():
    def run(a, b, compiled):
        fast = compiled(step_of(a, b))
        seen = calls(fast, a, b, count=3)
        handle = a.register_hook(times(7))
        seen += calls(fast, a, b)
        handle.remove()
        return seen + calls(fast, a, b)

    both(run)


def test_moved_to_another_leaf():
    def run(a, b, compiled):
        fast, handle = compiled(step_of(a, b)), a.register_hook(times(10))
        seen = calls(fast, a, b, count=3)
        handle.remove()
        b.register_hook(times(10))
        return seen + calls(fast, a, b)

    both(run)


@pytest.mark.parametrize("remove", [True, False])
def test_another_one_on_the_same_leaf(remove):
    def run(a, b, compiled):
        fast, handle = compiled(step_of(a, b)), a.register_hook(times(10))
        seen = calls(fast, a, count=3)
        if remove:
            handle.remove()
        a.register_hook(times(7))
        return seen + calls(fast, a)

    both(run)


def test_on_arguments():
    def run(a, b, compiled):
        fast, seen = compiled(lambda x: (x * 3).sum().backward()), []
        for n in (1, 10, 7, 1):
            x = torch.ones(2, requires_grad=True)
            if n > 1:
                x.register_hook(times(n))
            fast(x)
            seen.append(x.grad.tolist())
        return seen

    both(run)


def test_that_note_something():
    def run(a, b, compiled):
        fast, seen = compiled(step_of(a, b)), []
        calls(fast, a)
        a.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
        calls(fast, a, count=3)
        return seen

    both(run)


def test_of_tensors_that_have_no_part_in_it_do_not_matter():
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    fast = torch.compile(step_of(a, b), backend="eager")
    others = []
    for _ in range(4):
        others.append(torch.ones(1, requires_grad=True))
        others[-1].register_hook(times(2))
        fast(torch.ones(2))
    del others
    gc.collect()
    fast(torch.ones(2))
    assert fast.compiled.compiled == 1


def test_registered_by_the_function_on_a_leaf_that_has_one():
    def run(a, b, compiled):
        a.register_hook(times(10))

        def step(x):
            a.grad = b.grad = None
            a.register_hook(times(7))
            (a * x + b * x).sum().backward()

        return calls(compiled(step), a, b, count=2)

    both(run)


def test_removed_by_the_function():
    def run(a, b, compiled):
        handle = a.register_hook(times(10))
        a.register_hook(times(2))

        def step(x):
            handle.remove()
            a.grad = b.grad = None
            (a * x + b * x).sum().backward()

        return calls(compiled(step), a, b, count=3)

    both(run)


def test_registered_by_another_thread_meanwhile():
    there, other = torch.ones(2, requires_grad=True), []

    def step(x):
        def elsewhere():
            there.register_hook(other.append)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return x + 1

    trace(step, (torch.ones(2),))
    (there * 2).sum().backward()
    assert [g.tolist() for g in other] == [[2, 2]]
