"""The C++ headers under the compiler's sanitizers: random sizes, no room behind arrays, all vectors."""

import platform

import pytest
from compile_emit_helper import outcome

pytestmark = [pytest.mark.slow, pytest.mark.skipif(__import__("shutil").which("g++") is None, reason="no g++")]
SANITIZE = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
START = '''
#include <cstdio>
#include <random>
#include <vector>
#include "lamella/report.h"
#include "lamella/types.h"
#include "lamella/math.h"
#include "lamella/loops.h"
#include "lamella/gemm.h"
#include "lamella/conv.h"
#include "lamella/attention.h"
#include "lamella/recurrent.h"
using namespace lamella;
std::mt19937 dice(SEED);
long pick(std::initializer_list<long> from) { return from.begin()[dice() % from.size()]; }
bool flip() { return dice() % 2; }
template <class T>
struct Array {
    T* at;
    Array(long n) : at((T*)std::malloc(n * sizeof(T))) {
        for (long i = 0; i < n; i++) at[i] = T(long(dice() % 9) - 4);
    }
    ~Array() { std::free(at); }
    operator T*() { return at; }
};
void expect(bool right, const char* what) {
    if (!right) std::puts(what), std::exit(3);
}
// How many elements calls of `done` named.
struct Named {
    long count = 0;
    void operator()(long first, long end) const {
        __atomic_add_fetch(const_cast<long*>(&count), end - first, __ATOMIC_RELAXED);
    }
};
'''
CONVOLUTIONS = START + '''
template <class T>
void check() {
    const long dims = pick({1, 2, 3}), n = pick({1, 2, 5});
    const long groups = pick({1, 1, 2}), ci = pick({1, 3, 9}), co = pick({1, 4, 17});
    Three in, window, out, stride, pad, step;
    for (int d = 0; d < 3; d++) {
        in[d] = window[d] = out[d] = stride[d] = step[d] = 1, pad[d] = 0;
        while (d >= 3 - dims) {
            in[d] = pick({1, 2, 3, 7, 12}), window[d] = pick({1, 1, 2, 3}), stride[d] = pick({1, 1, 2, 3});
            pad[d] = pick({0, 0, 1, 2}), step[d] = pick({1, 1, 2});
            const long room = in[d] + 2 * pad[d] - step[d] * (window[d] - 1) - 1;
            out[d] = room / stride[d] + 1;
            if (room >= 0) break;
        }
    }
    Array<T> x(n * groups * ci * in.all()), weight(groups * co * ci * window.all()), bias(groups * co);
    Array<T> y(n * groups * co * out.all()), dx(n * groups * ci * in.all()), dw(groups * co * ci * window.all());
    Array<T> db(groups * co);
#define EACH(v) v[0], v[1], v[2]
#define SIZES n, groups, ci, co, EACH(in), EACH(window), EACH(out), EACH(stride), EACH(pad), EACH(step)
    Named named;
    conv_forward_then<T>(SIZES, y, x, weight, flip() ? (T*)bias : nullptr, range(named));
    expect(named.count == n * groups * co * out.all(), "not all is named");
    conv_backward_input<T>(SIZES, dx, y, weight, nullptr);
    conv_backward_weight<T>(SIZES, dw, flip() ? (T*)db : nullptr, y, x);
}
int main() {
    for (int i = 0; i < 150; i++) check<float>(), check<double>();
}
'''
PRODUCTS = START + '''
template <class T>
void check() {
    const long m = pick({1, 2, 5, 17, 64, 200}), n = pick({1, 2, 5, 17, 64, 200}), k = pick({1, 3, 64, 65, 200, 900});
    Array<T> a(m * k), b(k * n), c(m * n), bias(n);
    const bool ta = flip(), tb = flip(), shifted = flip();
    const long ars = ta ? 1 : k, acs = ta ? m : 1, brs = tb ? 1 : n, bcs = tb ? k : 1;
    Named named;
    gemm_then<T>(m, n, k, 2, a, ars, acs, b, brs, bcs, false, c, n, shifted ? (T*)bias : nullptr, range(named));
    expect(named.count == m * n, "not all is named");
    for (long i = 0; i < m; i++)
        for (long j = i % 7; j < n; j += 7) {
            T sum = 0;
            for (long p = 0; p < k; p++) sum += 2 * a[i * ars + p * acs] * b[p * brs + j * bcs];
            expect(c[i * n + j] == sum + (shifted ? bias[j] : T(0)), "a wrong sum");
        }
}
int main() {
    for (int i = 0; i < 150; i++) check<float>(), check<double>();
}
'''
NETWORKS = START + '''
template <class T>
void heads() {
    const long rows = pick({1, 3, 17, 40}), keys = pick({1, 5, 33, 64});
    const long e = pick({1, 8, 19}), v = pick({1, 8, 19}), n = pick({1, 3});
    const bool causal = flip();
    Array<T> q(n * rows * e), k(n * keys * e), x(n * keys * v), out(n * rows * v), weights(n * rows * keys);
    Array<T> mask(rows * keys), dq(n * rows * e), dk(n * keys * e), dx(n * keys * v), dmask(n * rows * keys);
#define HEADS q, 0, rows * e, e, 1, k, 0, keys * e, e, 1, x, 0, keys * v, v, 1
    attention<T, T>(1, n, rows, keys, e, v, causal, 0.3, out, 0, rows * v, v, weights, HEADS,
                    causal ? nullptr : (T*)mask, 0, 0, keys, 1, nullptr, 0, 0, 0, 0);
    attention_backward<T>(1, n, rows, keys, e, v, 0.3, dq, 0, rows * e, e, dk, 0, keys * e, e, dx, 0, keys * v, v,
                          dmask, weights, out, 0, rows * v, v, 1, HEADS, nullptr, 0, 0, 0, 0);
}
template <class T>
void loops() {
    const long steps = pick({1, 4}), rows = pick({1, 3, 9, 20}), size = pick({1, 2, 16, 19, 40});
    std::vector<long> sizes;
    long total = 0;
    for (long t = 0; t < steps; t++) sizes.push_back(rows > t ? rows - t : 1), total += sizes[t];
    Array<T> gates(total * 4 * size), h(rows * size), c(rows * size), weight(4 * size * size), out(total * size);
    Array<T> bias(4 * size), h_n(rows * size), c_n(rows * size), cells(total * size), work(total * 4 * size);
    Array<T> d(total * 4 * size), dh(rows * size), dc(rows * size), dw(4 * size * size), db(4 * size), up(total * size);
#define TIMES steps, rows, size, sizes.data(), flip
    for (bool flip : {false, true}) {
        lstm_loop<T>(TIMES, out, h_n, c_n, cells, work, gates, h, c, weight);
        lstm_loop_backward<T>(TIMES, d, dh, dc, dw, up, h_n, c_n, h, c, weight, out, cells, work);
        gru_loop<T>(TIMES, out, h_n, cells, work, gates, h, weight, bias);
        gru_loop_backward<T>(TIMES, d, dh, dw, db, up, h_n, h, weight, out, cells, work);
        rnn_loop<T>(TIMES, true, out, h_n, gates, h, weight);
        rnn_loop_backward<T>(TIMES, true, d, dh, dw, up, h_n, h, weight, out);
    }
}
int main() {
    for (int i = 0; i < 100; i++) heads<float>(), heads<double>(), loops<float>(), loops<double>();
}
'''
MACHINES = ["native"] + ["x86-64", "haswell"] * (platform.machine() in ("x86_64", "AMD64"))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("program", [CONVOLUTIONS, PRODUCTS, NETWORKS], ids=["convolutions", "products", "networks"])
def test_nothing_outside_of_arrays_is_touched(program: str, machine: str) -> None:
    done = outcome(program, (*SANITIZE, f"-march={machine}", "-DSEED=7"), OMP_NUM_THREADS="3",
                          ASAN_OPTIONS="detect_leaks=0")
    assert done.returncode == 0, done.stdout + done.stderr[:3000]
