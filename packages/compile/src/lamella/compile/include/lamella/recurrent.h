// Recurrent layers over a whole sequence, one direction. gates holds the projections of the inputs, (rows of all times,
// gates * size); sizes may be null where each time has `rows` rows.
#pragma once
#include "recurrent_parts.h"

namespace lamella {

template <class T>
void rnn_loop(long steps, long rows, long size, const long* sizes, bool reverse, bool relu, T* output, T* h_n,
              const Given<T>* gates, const Given<T>* h, const Given<T>* weight) {
    loop_forward<T, 1>({steps, rows, sizes, reverse}, size, h, weight, h_n,
                       [&](long row, long, long u, long m, const T* part, T* state) {
                           const T* in = gates + row * size + u;
                           T* out = output + row * size + u;
                           if (relu)
#pragma GCC ivdep
                               for (long q = 0; q < m; q++) state[q] = maximum(in[q] + part[q], T(0));
                           else
#pragma GCC ivdep
                               for (long q = 0; q < m; q++) state[q] = tanh(in[q] + part[q]);
#pragma GCC ivdep
                           for (long q = 0; q < m; q++) out[q] = state[q];
                       });
}

template <class T>
void rnn_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, bool relu, T* d_gates, T* dh, T* dw,
                       const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* h, const Given<T>* weight,
                       const Given<T>* output) {
    const Times times{steps, rows, sizes, reverse};
    start_from<T>(dh, grad_h, rows * size);
    loop_backward<T, 1>(times, size, weight, dh, false, [&](const Walk&, long row, long r, long u, long m, T* d) {
        const T* y = output + row * size + u;
        const T* up = grad_output ? grad_output + row * size + u : nullptr;
        T* to = d_gates + row * size + u;
#pragma GCC ivdep
        for (long q = 0; q < m; q++) {
            const T g = dh[r * size + u + q] + (up ? up[q] : T(0));
            to[q] = d[q] = relu ? (y[q] > 0 ? g : g * T(0)) : (1 - y[q] * y[q]) * g;
        }
    });
    weight_gradient<T>(times, size, size, d_gates, size, states_before<T>(times, size, output, h), dw);
}

template <class T>
void lstm_loop(long steps, long rows, long size, const long* sizes, bool reverse, T* output, T* h_n, T* c_n, T* cells, T* work,
               const Given<T>* gates, const Given<T>* h, const Given<T>* c, const Given<T>* weight) {
    constexpr long n = Simd<T>::lanes;
    std::memcpy(c_n, c, rows * size * sizeof(T));
    loop_forward<T, 4>({steps, rows, sizes, reverse}, size, h, weight, h_n,
                       [&](long row, long r, long u, long m, const T* part, T* state) {
                           alignas(64) T a[4 * n], cell[n];
                           for (int g = 0; g < 4; g++)
#pragma GCC ivdep
                               for (long q = 0; q < m; q++)
                                   a[g * n + q] = part[g * n + q] + gates[(row * 4 + g) * size + u + q];
                           T* old = c_n + r * size + u;
#pragma GCC ivdep
                           for (long q = 0; q < n; q++) cell[q] = q < m ? old[q] : T(0);
                           for (long q = m; q < n; q++) a[q] = a[n + q] = a[2 * n + q] = a[3 * n + q] = 0;
#pragma GCC ivdep
                           for (long q = 0; q < n; q++) {
                               a[q] = sigmoid(a[q]);
                               a[n + q] = sigmoid(a[n + q]);
                               a[2 * n + q] = tanh(a[2 * n + q]);
                               a[3 * n + q] = sigmoid(a[3 * n + q]);
                           }
#pragma GCC ivdep
                           for (long q = 0; q < n; q++) {
                               cell[q] = cell[q] * a[n + q] + a[q] * a[2 * n + q];
                               state[q] = tanh(cell[q]) * a[3 * n + q];
                           }
                           for (int g = 0; g < 4; g++)
#pragma GCC ivdep
                               for (long q = 0; q < m; q++) work[(row * 4 + g) * size + u + q] = a[g * n + q];
#pragma GCC ivdep
                           for (long q = 0; q < m; q++) {
                               old[q] = cells[row * size + u + q] = cell[q];
                               output[row * size + u + q] = state[q];
                           }
                       });
}

template <class T>
void lstm_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, T* d_gates, T* dh, T* dc, T* dw,
                        const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* grad_c, const Given<T>* h,
                        const Given<T>* c, const Given<T>* weight, const Given<T>* output, const Given<T>* cells,
                        const Given<T>* work) {
    constexpr long n = Simd<T>::lanes;
    const Times times{steps, rows, sizes, reverse};
    start_from<T>(dh, grad_h, rows * size);
    start_from<T>(dc, grad_c, rows * size);
    loop_backward<T, 4>(times, size, weight, dh, false, [&](const Walk& walk, long row, long r, long u, long m, T* d) {
        const T* a = work + row * 4 * size + u;
        const T* before = (r < walk.before_count() ? cells + (walk.before_first() + r) * size : c + r * size) + u;
        const T* now = cells + row * size + u;
        const T* up = grad_output ? grad_output + row * size + u : nullptr;
        T* to = d_gates + row * 4 * size + u;
        T *hs = dh + r * size + u, *cs = dc + r * size + u;
        alignas(64) T t[n];
#pragma GCC ivdep
        for (long q = 0; q < n; q++) t[q] = q < m ? now[q] : T(0);
#pragma GCC ivdep
        for (long q = 0; q < n; q++) t[q] = tanh(t[q]);
#pragma GCC ivdep
        for (long q = 0; q < m; q++) {
            const T i = a[q], f = a[size + q], g = a[2 * size + q], o = a[3 * size + q];
            const T gh = hs[q] + (up ? up[q] : T(0)), gc = cs[q] + gh * (o * (1 - t[q] * t[q]));
            d[q] = (1 - i) * i * g * gc;
            d[n + q] = (1 - f) * f * before[q] * gc;
            d[2 * n + q] = (1 - g * g) * i * gc;
            d[3 * n + q] = (1 - o) * o * t[q] * gh;
            cs[q] = gc * f;
        }
        for (int g = 0; g < 4; g++)
#pragma GCC ivdep
            for (long q = 0; q < m; q++) to[g * size + q] = d[g * n + q];
    });
    weight_gradient<T>(times, size, 4 * size, d_gates, 4 * size, states_before<T>(times, size, output, h), dw);
}

template <class T>
void gru_loop(long steps, long rows, long size, const long* sizes, bool reverse, T* output, T* h_n, T* hidden, T* work,
              const Given<T>* gates, const Given<T>* h, const Given<T>* weight, const Given<T>* bias) {
    constexpr long n = Simd<T>::lanes;
    loop_forward<T, 3>({steps, rows, sizes, reverse}, size, h, weight, h_n,
                       [&](long row, long, long u, long m, const T* part, T* state) {
                           alignas(64) T a[3 * n], s[3 * n];
                           for (int g = 0; g < 3; g++)
#pragma GCC ivdep
                               for (long q = 0; q < n; q++) {
                                   const bool in = q < m;
                                   a[g * n + q] = in ? gates[(row * 3 + g) * size + u + q] : T(0);
                                   s[g * n + q] = in ? part[g * n + q] + (bias ? bias[g * size + u + q] : T(0)) : T(0);
                               }
#pragma GCC ivdep
                           for (long q = 0; q < n; q++) {
                               a[q] = sigmoid(a[q] + s[q]);
                               a[n + q] = sigmoid(a[n + q] + s[n + q]);
                           }
#pragma GCC ivdep
                           for (long q = 0; q < n; q++) a[2 * n + q] = tanh(a[2 * n + q] + a[q] * s[2 * n + q]);
                           for (int g = 0; g < 3; g++)
#pragma GCC ivdep
                               for (long q = 0; q < m; q++) work[(row * 3 + g) * size + u + q] = a[g * n + q];
#pragma GCC ivdep
                           for (long q = 0; q < m; q++) {
                               state[q] = (state[q] - a[2 * n + q]) * a[n + q] + a[2 * n + q];
                               hidden[row * size + u + q] = s[2 * n + q];
                               output[row * size + u + q] = state[q];
                           }
                       });
}

template <class T>
void gru_loop_backward(long steps, long rows, long size, const long* sizes, bool reverse, T* d_gates, T* dh, T* dw, T* db,
                       const Given<T>* grad_output, const Given<T>* grad_h, const Given<T>* h, const Given<T>* weight,
                       const Given<T>* output, const Given<T>* hidden, const Given<T>* work) {
    constexpr long n = Simd<T>::lanes;
    const Times times{steps, rows, sizes, reverse};
    const long total = times.total();
    start_from<T>(dh, grad_h, rows * size);
    T* by_hidden = scratch<T>(6, total * 3 * size);
    loop_backward<T, 3>(times, size, weight, dh, true, [&](const Walk& walk, long row, long r, long u, long m, T* d) {
        const T* a = work + row * 3 * size + u;
        const T* before = (r < walk.before_count() ? output + (walk.before_first() + r) * size : h + r * size) + u;
        const T* seen = hidden + row * size + u;
        const T* up = grad_output ? grad_output + row * size + u : nullptr;
        T *to = d_gates + row * 3 * size + u, *also = by_hidden + row * 3 * size + u, *hs = dh + r * size + u;
#pragma GCC ivdep
        for (long q = 0; q < m; q++) {
            const T s = a[q], z = a[size + q], fresh = a[2 * size + q];
            const T g = hs[q] + (up ? up[q] : T(0)), inner = (1 - z) * (1 - fresh * fresh);
            d[q] = inner * s * seen[q] * (1 - s) * g;
            d[n + q] = (before[q] - fresh) * z * (1 - z) * g;
            d[2 * n + q] = inner * s * g;
            to[q] = d[q];
            to[size + q] = d[n + q];
            to[2 * size + q] = inner * g;
            hs[q] = g * z;
        }
        for (int g = 0; g < 3; g++)
#pragma GCC ivdep
            for (long q = 0; q < m; q++) also[g * size + q] = d[g * n + q];
    });
    weight_gradient<T>(times, size, 3 * size, by_hidden, 3 * size, states_before<T>(times, size, output, h), dw);
    for (long j = 0; j < 3 * size; j++) db[j] = 0;
    for (long i = 0; i < total; i++)
        for (long j = 0; j < 3 * size; j++) db[j] += by_hidden[i * 3 * size + j];
}

}  // namespace lamella
