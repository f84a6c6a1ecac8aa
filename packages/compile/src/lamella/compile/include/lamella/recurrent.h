// Recurrent layers over a whole sequence, one direction. gates holds the projections of the inputs, (rows of all times,
// gates * size); sizes may be null where each time has `rows` rows.
#pragma once
#include "recurrent_parts.h"

namespace lamella {

template <class T>
void rnn_loop(long steps, long rows, long size, const long* sizes, bool reverse, bool relu, T* output, T* h_n,
              const Given<T>* gates, const Given<T>* h, const Given<T>* weight) {
    start_from<T>(h_n, h, rows * size);
    loop_forward<T, 1>({steps, rows, sizes, reverse}, size, weight, h_n, [&](long row, long r, long u, auto m, const T* part) {
        const T* in = gates + row * size + u;
        T *out = output + row * size + u, *state = h_n + r * size + u;
        if (relu)
            each(m, [&](long q) INLINE { state[q] = out[q] = maximum(in[q] + part[q], T(0)); });
        else
            each(m, [&](long q) INLINE { state[q] = out[q] = tanh(in[q] + part[q]); });
    });
}

template <class T>
void rnn_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, bool relu, T* d_gates, T* dh, T* dw,
                       const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* h, const Given<T>* weight,
                       const Given<T>* output) {
    const Times times{steps, rows, sizes, reverse};
    start_from<T>(dh, grad_h, rows * size);
    loop_backward<T, 1>(times, size, weight, d_gates, dh, false, [&](const Walk&, long row, long r, long u, auto m) {
        const T* y = output + row * size + u;
        T *d = d_gates + row * size + u, *hs = dh + r * size + u;
        add_up<T>(hs, grad_output, row * size + u, m);
        each(m, [&](long q) INLINE { d[q] = relu ? (y[q] > 0 ? hs[q] : hs[q] * T(0)) : (1 - y[q] * y[q]) * hs[q]; });
    });
    weight_gradient<T>(times, size, size, d_gates, states_before<T>(times, size, output, h), dw);
}

template <class T>
void lstm_loop(long steps, long rows, long size, const long* sizes, bool reverse, T* output, T* h_n, T* c_n, T* cells, T* work,
               const Given<T>* gates, const Given<T>* h, const Given<T>* c, const Given<T>* weight) {
    constexpr long n = Simd<T>::lanes;
    start_from<T>(h_n, h, rows * size);
    start_from<T>(c_n, c, rows * size);
    loop_forward<T, 4>({steps, rows, sizes, reverse}, size, weight, h_n, [&](long row, long r, long u, auto m, const T* part) {
        const T* in = gates + row * 4 * size + u;
        T *a = work + row * 4 * size + u, *cell = c_n + r * size + u, *state = h_n + r * size + u;
        T *kept = cells + row * size + u, *out = output + row * size + u;
        each(m, [&](long q) INLINE {
            const T i = sigmoid(in[q] + part[q]), f = sigmoid(in[size + q] + part[n + q]);
            const T g = tanh(in[2 * size + q] + part[2 * n + q]), o = sigmoid(in[3 * size + q] + part[3 * n + q]);
            const T now = cell[q] * f + i * g;
            a[q] = i;
            a[size + q] = f;
            a[2 * size + q] = g;
            a[3 * size + q] = o;
            cell[q] = kept[q] = now;
            state[q] = out[q] = tanh(now) * o;
        });
    });
}

template <class T>
void lstm_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, T* d_gates, T* dh, T* dc, T* dw,
                        const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* grad_c, const Given<T>* h,
                        const Given<T>* c, const Given<T>* weight, const Given<T>* output, const Given<T>* cells,
                        const Given<T>* work) {
    const Times times{steps, rows, sizes, reverse};
    start_from<T>(dh, grad_h, rows * size);
    start_from<T>(dc, grad_c, rows * size);
    loop_backward<T, 4>(times, size, weight, d_gates, dh, false, [&](const Walk& walk, long row, long r, long u, auto m) {
        const T* a = work + row * 4 * size + u;
        const T* before = (r < walk.before_count() ? cells + (walk.before_first() + r) * size : c + r * size) + u;
        const T* now = cells + row * size + u;
        T *d = d_gates + row * 4 * size + u, *hs = dh + r * size + u, *cs = dc + r * size + u;
        add_up<T>(hs, grad_output, row * size + u, m);
        each(m, [&](long q) INLINE {
            const T i = a[q], f = a[size + q], g = a[2 * size + q], o = a[3 * size + q], t = tanh(now[q]), gh = hs[q];
            const T gc = cs[q] + gh * (o * (1 - t * t));
            d[q] = (1 - i) * i * g * gc;
            d[size + q] = (1 - f) * f * before[q] * gc;
            d[2 * size + q] = (1 - g * g) * i * gc;
            d[3 * size + q] = (1 - o) * o * t * gh;
            cs[q] = gc * f;
        });
    });
    weight_gradient<T>(times, size, 4 * size, d_gates, states_before<T>(times, size, output, h), dw);
}

template <class T>
void gru_loop(long steps, long rows, long size, const long* sizes, bool reverse, T* output, T* h_n, T* hidden, T* work,
              const Given<T>* gates, const Given<T>* h, const Given<T>* weight, const Given<T>* bias) {
    constexpr long n = Simd<T>::lanes;
    start_from<T>(h_n, h, rows * size);
    T* shift = scratch<T>(6, 3 * size);
    start_from<T>(shift, bias, 3 * size);
    loop_forward<T, 3>({steps, rows, sizes, reverse}, size, weight, h_n, [&](long row, long r, long u, auto m, const T* part) {
        const T *in = gates + row * 3 * size + u, *add = shift + u;
        T *a = work + row * 3 * size + u, *state = h_n + r * size + u;
        T *kept = hidden + row * size + u, *out = output + row * size + u;
        each(m, [&](long q) INLINE {
            const T seen = part[2 * n + q] + add[2 * size + q], s = sigmoid(in[q] + (part[q] + add[q]));
            const T z = sigmoid(in[size + q] + (part[n + q] + add[size + q])), fresh = tanh(in[2 * size + q] + s * seen);
            a[q] = s;
            a[size + q] = z;
            a[2 * size + q] = fresh;
            kept[q] = seen;
            state[q] = out[q] = (state[q] - fresh) * z + fresh;
        });
    });
}

template <class T>
void gru_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, T* d_gates, T* dh, T* dw, T* db,
                       const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* h, const Given<T>* weight,
                       const Given<T>* output, const Given<T>* hidden, const Given<T>* work) {
    const Times times{steps, rows, sizes, reverse};
    const long total = times.total();
    start_from<T>(dh, grad_h, rows * size);
    T* by_hidden = scratch<T>(6, total * 3 * size);
    loop_backward<T, 3>(times, size, weight, by_hidden, dh, true, [&](const Walk& walk, long row, long r, long u, auto m) {
        const T* a = work + row * 3 * size + u;
        const T* before = (r < walk.before_count() ? output + (walk.before_first() + r) * size : h + r * size) + u;
        const T* seen = hidden + row * size + u;
        T *to = d_gates + row * 3 * size + u, *d = by_hidden + row * 3 * size + u, *hs = dh + r * size + u;
        add_up<T>(hs, grad_output, row * size + u, m);
        each(m, [&](long q) INLINE {
            const T s = a[q], z = a[size + q], fresh = a[2 * size + q];
            const T g = hs[q], inner = (1 - z) * (1 - fresh * fresh);
            to[q] = d[q] = inner * s * seen[q] * (1 - s) * g;
            to[size + q] = d[size + q] = (before[q] - fresh) * z * (1 - z) * g;
            d[2 * size + q] = inner * s * g;
            to[2 * size + q] = inner * g;
            hs[q] = g * z;
        });
    });
    weight_gradient<T>(times, size, 3 * size, by_hidden, states_before<T>(times, size, output, h), dw);
    for (long j = 0; j < 3 * size; j++) db[j] = 0;
    for (long i = 0; i < total; i++)
        for (long j = 0; j < 3 * size; j++) db[j] += by_hidden[i * 3 * size + j];
}

}  // namespace lamella
