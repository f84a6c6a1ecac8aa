"""The workloads of `workloads.py` in JAX, each as one jitted function; parameters start from JAX's own numbers."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from workloads import arrays, tokens


def _linear(key: Any, n_in: int, n_out: int) -> tuple[Any, Any]:
    bound = 1 / math.sqrt(n_in)
    return (jax.random.uniform(key, (n_in, n_out), minval=-bound, maxval=bound), jnp.zeros(n_out))


def _cross_entropy(logits: Any, y: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1).mean()


def _trained(params: Any, loss: Callable[..., Any], *data: Any, decay: float = 0.0) -> Callable[[], Any]:
    """A step of Adam (AdamW with a decay) that updates buffers in place."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = [params, zeros, jax.tree.map(jnp.zeros_like, params), jnp.zeros(())]

    def step(p: Any, m: Any, v: Any, t: Any, *data: Any) -> Any:
        value, g = jax.value_and_grad(loss)(p, *data)
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        size, root = 1e-3 / (1 - 0.9**t), jnp.sqrt(1 - 0.999**t)
        p = jax.tree.map(lambda p, m, v: p * (1 - 1e-3 * decay) - size * m / (jnp.sqrt(v) / root + 1e-8), p, m, v)
        return value, p, m, v, t

    fast = jax.jit(step, donate_argnums=(0, 1, 2, 3))

    def run() -> Any:
        value, *state[:] = fast(*state, *data)
        return jax.block_until_ready(value)

    return run


def _keys(n: int) -> list[Any]:
    return list(jax.random.split(jax.random.PRNGKey(0), n))


def seed_loop() -> Callable[[], Any]:
    data = arrays(0, x=(32, 10), y=(32, 1))
    return _trained(_linear(_keys(1)[0], 10, 1), lambda p, x, y: jnp.mean((x @ p[0] + p[1] - y) ** 2),
                    jnp.asarray(data["x"]), jnp.asarray(data["y"]), decay=0.01)


def mlp() -> Callable[[], Any]:
    sizes = (784, 512, 256, 10)
    params = [_linear(k, n, m) for k, n, m in zip(_keys(3), sizes, sizes[1:])]

    def loss(p: Any, x: Any, y: Any) -> Any:
        for w, b in p[:-1]:
            x = jax.nn.relu(x @ w + b)
        return _cross_entropy(x @ p[-1][0] + p[-1][1], y)

    return _trained(params, loss, jnp.asarray(arrays(0, x=(64, 784))["x"]), jnp.asarray(tokens(1, 64, below=10)))


def _norm(x: Any, w: Any, b: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * w + b


def gpt(width: int = 128, depth: int = 4, heads: int = 4, context: int = 64, words: int = 65) -> Callable[[], Any]:
    keys = iter(_keys(4 * depth + 3))
    unit = (jnp.ones(width), jnp.zeros(width))
    blocks = [{"norm1": unit, "norm2": unit, "qkv": _linear(next(keys), width, 3 * width),
               "out": _linear(next(keys), width, width), "up": _linear(next(keys), width, 4 * width),
               "down": _linear(next(keys), 4 * width, width)} for _ in range(depth)]
    params = {"word": jax.random.normal(next(keys), (words, width)), "norm": unit, "blocks": blocks,
              "place": jax.random.normal(next(keys), (context, width)), "head": _linear(next(keys), width, words)}
    params = jax.tree.map(jnp.array, params)  # buffers of their own, so that they can be donated
    mask = jnp.tril(jnp.ones((context, context), bool))

    def loss(p: Any, ids: Any, y: Any) -> Any:
        b, t = ids.shape
        x = p["word"][ids] + p["place"]
        for layer in p["blocks"]:
            h = _norm(x, *layer["norm1"]) @ layer["qkv"][0] + layer["qkv"][1]
            q, k, v = (z.reshape(b, t, heads, -1).swapaxes(1, 2) for z in jnp.split(h, 3, 2))
            scores = q @ k.swapaxes(2, 3) / math.sqrt(width // heads)
            h = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)) @ v
            x = x + h.swapaxes(1, 2).reshape(b, t, width) @ layer["out"][0] + layer["out"][1]
            h = jax.nn.gelu(_norm(x, *layer["norm2"]) @ layer["up"][0] + layer["up"][1], approximate=False)
            x = x + h @ layer["down"][0] + layer["down"][1]
        x = _norm(x, *p["norm"]) @ p["head"][0] + p["head"][1]
        return _cross_entropy(x.reshape(-1, words), y.reshape(-1))

    ids = jnp.asarray(tokens(0, 12, 65, below=words))
    return _trained(params, loss, ids[:, :-1], ids[:, 1:], decay=0.01)


def convnet() -> Callable[[], Any]:
    keys = _keys(4)
    params = [(jax.random.normal(keys[0], (32, 1, 3, 3)) / 3, jnp.zeros(32)),
              (jax.random.normal(keys[1], (64, 32, 3, 3)) / 17, jnp.zeros(64)),
              _linear(keys[2], 9216, 128), _linear(keys[3], 128, 10)]

    def loss(p: Any, x: Any, y: Any) -> Any:
        for w, b in p[:2]:
            x = jax.nn.relu(jax.lax.conv(x, w, (1, 1), "VALID") + b[:, None, None])
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID").reshape(64, -1)
        x = jax.nn.relu(x @ p[2][0] + p[2][1])
        return _cross_entropy(x @ p[3][0] + p[3][1], y)

    return _trained(params, loss, jnp.asarray(arrays(0, x=(64, 1, 28, 28))["x"]),
                    jnp.asarray(tokens(1, 64, below=10)))


def lstm() -> Callable[[], Any]:
    keys = _keys(6)
    params = {"word": jax.random.normal(keys[0], (65, 200)), "head": _linear(keys[1], 200, 65),
              "cells": [(_linear(keys[2 + 2 * i], 200, 800), _linear(keys[3 + 2 * i], 200, 800)) for i in (0, 1)]}

    def loss(p: Any, ids: Any, y: Any) -> Any:
        x = p["word"][ids]
        for (wx, bx), (wh, bh) in p["cells"]:
            def cell(carry: Any, g: Any, wh: Any = wh) -> Any:
                h, c = carry
                i, f, o, u = jnp.split(g + h @ wh, 4, 1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(u)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            start = jnp.zeros((20, 200))
            x = jax.lax.scan(cell, (start, start), x @ wx + bx + bh)[1]
        return _cross_entropy((x @ p["head"][0] + p["head"][1]).reshape(-1, 65), y)

    return _trained(params, loss, jnp.asarray(tokens(0, 35, 20, below=65)), jnp.asarray(tokens(1, 700, below=65)))


def _jitted(f: Callable[..., Any], *data: Any) -> Callable[[], Any]:
    fast = jax.jit(f)
    return lambda: jax.block_until_ready(fast(*data))


def _pulled(f: Callable[..., Any], g: Any, *data: Any) -> Callable[[], Any]:
    def both(g: Any, *data: Any) -> Any:
        out, pull = jax.vjp(f, *data)
        return out, pull(g)

    return _jitted(both, g, *data)


def _chain(x: Any, a: Any, b: Any) -> Any:
    return jax.nn.gelu(x * a + b, approximate=False) * jax.nn.sigmoid(x) + x


def _normal(**shapes: tuple[int, ...]) -> list[Any]:
    return [jnp.asarray(v) for v in arrays(0, **shapes).values()]


def chain() -> Callable[[], Any]:
    return _jitted(_chain, *_normal(x=(4 << 20,), a=(4 << 20,), b=(4 << 20,)))


def chain_backward() -> Callable[[], Any]:
    x, a, b, g = _normal(x=(4 << 20,), a=(4 << 20,), b=(4 << 20,), g=(4 << 20,))
    return _pulled(_chain, g, x, a, b)


def layer_norm() -> Callable[[], Any]:
    x, g = _normal(x=(4096, 1024), g=(4096, 1024))
    return _pulled(_norm, g, x, jnp.ones(1024), jnp.zeros(1024))


def softmax() -> Callable[[], Any]:
    x, g = _normal(x=(4096, 1024), g=(4096, 1024))
    return _pulled(jax.nn.softmax, g, x)


def sum_columns() -> Callable[[], Any]:
    return _jitted(lambda x: x.sum(0), *_normal(x=(4096, 4096)))


def sum_rows() -> Callable[[], Any]:
    return _jitted(lambda x: x.sum(1), *_normal(x=(4096, 4096)))
