// One time of a recurrent layer: between products of the states and the weight, what happens to each unit of each row.
// Thread i does unit i % size of row i / size; n is rows * size. gates are projections of the inputs.
#pragma once
#include "loops.cuh"

namespace lamella {

// to = from, or zeros.
template <class T>
INLINE void start_from(long n, T* to, const T* from) {
    const long i = grid_thread();
    if (i < n) to[i] = from ? from[i] : T(0);
}

template <bool relu, class T>
INLINE void rnn_cell(long n, T* output, T* state, const T* gates, const T* part) {
    const long i = grid_thread();
    if (i >= n) return;
    const T x = gates[i] + part[i];
    state[i] = output[i] = relu ? maximum(x, T(0)) : tanh(x);
}

template <bool relu, class T>
INLINE void rnn_cell_backward(long n, T* by_gates, const T* by_state, const T* by_output, const T* output) {
    const long i = grid_thread();
    if (i >= n) return;
    const T g = by_state[i] + (by_output ? by_output[i] : T(0)), y = output[i];
    by_gates[i] = (relu ? T(y > 0) : 1 - y * y) * g;
}

template <class T>
INLINE void lstm_cell(long n, long size, T* output, T* state, T* cell, T* kept, T* work, const T* gates, const T* part) {
    const long i = grid_thread(), at = i / size * 4 * size + i % size;
    if (i >= n) return;
    const T in = sigmoid(gates[at] + part[at]), forget = sigmoid(gates[at + size] + part[at + size]);
    const T fresh = tanh(gates[at + 2 * size] + part[at + 2 * size]);
    const T out = sigmoid(gates[at + 3 * size] + part[at + 3 * size]);
    const T now = cell[i] * forget + in * fresh;
    work[at] = in;
    work[at + size] = forget;
    work[at + 2 * size] = fresh;
    work[at + 3 * size] = out;
    cell[i] = kept[i] = now;
    state[i] = output[i] = tanh(now) * out;
}

// The cells before are those of an earlier time for the first `had` elements, and the layer's first ones for the rest.
template <class T>
INLINE void lstm_cell_backward(long n, long size, long had, T* by_gates, T* by_cell, const T* by_state, const T* by_output,
                               const T* work, const T* cells, const T* before, const T* first) {
    const long i = grid_thread(), at = i / size * 4 * size + i % size;
    if (i >= n) return;
    const T in = work[at], forget = work[at + size], fresh = work[at + 2 * size], out = work[at + 3 * size];
    const T g = by_state[i] + (by_output ? by_output[i] : T(0)), seen = tanh(cells[i]);
    const T through = by_cell[i] + g * (out * (1 - seen * seen)), old = i < had ? before[i] : first[i];
    by_gates[at] = (1 - in) * in * fresh * through;
    by_gates[at + size] = (1 - forget) * forget * old * through;
    by_gates[at + 2 * size] = (1 - fresh * fresh) * in * through;
    by_gates[at + 3 * size] = (1 - out) * out * seen * g;
    by_cell[i] = through * forget;
}

template <class T>
INLINE void gru_cell(long n, long size, T* output, T* state, T* hidden, T* work, const T* gates, const T* part, const T* bias) {
    const long i = grid_thread(), u = i % size, at = i / size * 3 * size + u;
    if (i >= n) return;
    const T b0 = bias ? bias[u] : T(0), b1 = bias ? bias[u + size] : T(0), b2 = bias ? bias[u + 2 * size] : T(0);
    const T seen = part[at + 2 * size] + b2, reset = sigmoid(gates[at] + (part[at] + b0));
    const T keep = sigmoid(gates[at + size] + (part[at + size] + b1)), fresh = tanh(gates[at + 2 * size] + reset * seen);
    work[at] = reset;
    work[at + size] = keep;
    work[at + 2 * size] = fresh;
    hidden[i] = seen;
    state[i] = output[i] = (state[i] - fresh) * keep + fresh;
}

// by_state becomes what goes past the product; by_hidden is the gradient of the product's result.
template <class T>
INLINE void gru_cell_backward(long n, long size, long had, T* by_gates, T* by_hidden, T* by_state, const T* by_output,
                              const T* work, const T* hidden, const T* before, const T* first) {
    const long i = grid_thread(), at = i / size * 3 * size + i % size;
    if (i >= n) return;
    const T reset = work[at], keep = work[at + size], fresh = work[at + 2 * size], old = i < had ? before[i] : first[i];
    const T g = by_state[i] + (by_output ? by_output[i] : T(0)), inner = (1 - keep) * (1 - fresh * fresh);
    by_gates[at] = by_hidden[at] = inner * reset * hidden[i] * (1 - reset) * g;
    by_gates[at + size] = by_hidden[at + size] = (old - fresh) * keep * (1 - keep) * g;
    by_hidden[at + 2 * size] = inner * reset * g;
    by_gates[at + 2 * size] = inner * g;
    by_state[i] = g * keep;
}

}  // namespace lamella
