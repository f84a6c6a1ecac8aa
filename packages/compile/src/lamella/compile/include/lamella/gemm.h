// Matrix products of operands with any strides: c = alpha a b (+ a row of bias), or c += alpha a b.
//
// Both operands are packed into panels that lie in caches; `tile` does the arithmetic. All threads are OpenMP's, and
// small products stay on the calling thread.
#pragma once
#include "tile.h"

namespace lamella {

// A matrix anywhere: element (i, j) is at[i * row + j * col].
template <class T>
struct Matrix {
    const T* at;
    long row, col;
    Matrix part(long i, long j) const { return {at + i * row + j * col, row, col}; }
    Matrix turned() const { return {at, col, row}; }
};

constexpr long block_rows = 96;    // of a, packed for one thread
constexpr long block_depth = 384;  // of the summed dimension, at most

// Balanced pieces of a range: piece p of `count` is [start(p), start(p + 1)).
struct Pieces {
    long size, count;
    long start(long p) const { return size / count * p + (p < size % count ? p : size % count); }
};

template <class T>
OUTLINE void pack_rows(T* to, Matrix<T> a, long m, long k, T alpha) {
    Pieces tiles{m, ceil_div(m, tile_rows)};
    for (long t = 0; t < tiles.count; t++) {
        long i = tiles.start(t), n = tiles.start(t + 1) - i;
        pack<T>(to + i * k, a.at + i * a.row, a.row, a.col, n, k, n);
    }
    if (alpha != T(1))
        for (long i = 0; i < m * k; i++) to[i] *= alpha;
}

// Rows [0, m) of c from packed rows of a and panels of b (columns [j0, j1) of panels; `b` is the first panel).
template <class T>
OUTLINE void multiply_block(long m, long k, const T* a, const T* b, long panel_step, long j0, long j1, T* c,
                            long step, const T* bias, bool add) {
    constexpr long w = Simd<T>::columns, half = Simd<T>::lanes;
    alignas(64) T edge[tile_rows * w], first[w] = {};
    Pieces tiles{m, ceil_div(m, tile_rows)};
    for (long j = j0; j < j1; j += w, b += panel_step) {
        const long n = j1 - j < w ? j1 - j : w;
        Base<T> base = Base<T>::zero();
        if (bias) {
            for (long q = 0; q < n; q++) first[q] = bias[j + q];
            base = {first, 0};
        }
        for (long t = 0; t < tiles.count; t++) {
            const long i = tiles.start(t), rows = tiles.start(t + 1) - i;
            const Packed<T> right{b, n > half ? w : half};
            T* to = c + i * step + j;
            if (n == w) {
                tile_of<T, 2>(rows, k, a + i * k, right, to, step, add ? Base<T>{to, step} : base);
                continue;
            }
            if (n > half)
                tile_of<T, 2>(rows, k, a + i * k, right, edge, w, base);
            else
                tile_of<T, 1>(rows, k, a + i * k, right, edge, w, base);
            for (long r = 0; r < rows; r++)
                for (long q = 0; q < n; q++) to[r * step + q] = add ? to[r * step + q] + edge[r * w + q] : edge[r * w + q];
        }
    }
}

// How a product is shared out: rows in blocks, columns in groups of panels (one group where rows stay whole).
struct Grid {
    long rows, columns;
    Grid(long m, long panels, int threads, bool whole) {
        const long tiles = ceil_div(m, tile_rows);
        rows = ceil_div(m, block_rows);
        const long even = ceil_div(rows, threads) * threads;
        if (even <= tiles && (rows > 1 || whole || even * tile_rows * 2 <= m || panels < threads)) rows = even;
        columns = whole || rows >= threads ? 1 : ceil_div(threads, rows);
        if (columns > panels) columns = panels;
    }
};

// c = alpha a b + bias, or += alpha a b, for row-major c. done is called for finished rows by the thread that made them,
// while they are in its cache.
template <class T>
OUTLINE void gemm_blocks(long m, long n, long k, T alpha, Matrix<T> a, Matrix<T> b, bool add, T* c, long step,
                         const T* bias, int threads, Range done = {}) {
    const bool whole = bool(done);
    constexpr long w = Simd<T>::columns;
    const long panels = ceil_div(n, w);
    const Pieces depth{k, k ? ceil_div(k, block_depth) : 1};
    const long most = depth.size / depth.count + 1;
    // Columns that are packed at once: what a shared cache holds.
    long chunk = (1L << 20) / most / w + 1;
    if (chunk > panels || whole) chunk = panels;
    T* packed = scratch<T>(0, chunk * w * most + 64);
    parallel(threads, [&](int me, int count) {
        bool first = true;
        for (long p0 = 0; p0 < panels; p0 += chunk) {
            const long here = panels - p0 < chunk ? panels - p0 : chunk;
            const Grid grid(m, here, count, whole);
            const Pieces rows{m, grid.rows}, groups{here, grid.columns};
            const long total = grid.rows * grid.columns;
            T* left = scratch<T>(1, (m / grid.rows + 1) * most + 64);
            for (long d = 0; d < depth.count; d++, first = false) {
                const long k0 = depth.start(d), kc = depth.start(d + 1) - k0;
                if (count > 1 && !first) meet();
                for (long p = here * me / count; p < here * (me + 1) / count; p++) {
                    const long j = (p0 + p) * w, width = n - j < w ? n - j : w;
                    pack<T>(packed + p * w * kc, b.at + j * b.col + k0 * b.row, b.col, b.row, width, kc,
                            width > Simd<T>::lanes ? w : Simd<T>::lanes);
                }
                if (count > 1) meet();
                for (long item = total * me / count; item < total * (me + 1) / count; item++) {
                    const long i0 = rows.start(item / grid.columns), i1 = rows.start(item / grid.columns + 1);
                    const long q0 = groups.start(item % grid.columns), q1 = groups.start(item % grid.columns + 1);
                    const long j0 = (p0 + q0) * w, j1 = (p0 + q1) * w < n ? (p0 + q1) * w : n;
                    pack_rows<T>(left, a.part(i0, k0), i1 - i0, kc, alpha);
                    multiply_block<T>(i1 - i0, kc, left, packed + q0 * w * kc, w * kc, j0, j1, c + i0 * step, step,
                                      d ? nullptr : bias, add || d);
                    if (d + 1 == depth.count) done(i0 * n, i1 * n);
                }
            }
        }
    });
}

// The same for few results that are long sums: each thread sums a part of k.
template <class T>
OUTLINE void gemm_deep(long m, long n, long k, T alpha, Matrix<T> a, Matrix<T> b, bool add, T* c, long step,
                       const T* bias, int threads) {
    T* parts = scratch<T>(2, threads * m * n);
    const Pieces depth{k, threads};
    parallel(threads, [&](int me, int count) {
        for (long p = me; p < threads; p += count) {
            const long k0 = depth.start(p), kc = depth.start(p + 1) - k0;
            gemm_blocks<T>(m, n, kc, alpha, a.part(0, k0), b.part(k0, 0), false, parts + p * m * n, n, nullptr, 1);
        }
        if (count > 1) meet();
        for (long i = m * me / count; i < m * (me + 1) / count; i++)
            for (long j = 0; j < n; j++) {
                T sum = parts[i * n + j];
                for (long p = 1; p < threads; p++) sum += parts[(p * m + i) * n + j];
                if (bias) sum += bias[j];
                c[i * step + j] = add ? c[i * step + j] + sum : sum;
            }
    });
}

// y = alpha a x (+ bias), or a sum into y.
template <class T>
OUTLINE void matvec(long m, long k, T alpha, Matrix<T> a, const T* x, long xs, bool add, T* y, long ys, const T* bias,
                    long bs, int threads) {
    typedef typename Simd<T>::type V;
    typedef typename Simd<T>::loose L;
    constexpr int n = Simd<T>::lanes;
    const T* dense = x;
    if (xs != 1) {
        T* to = scratch<T>(2, k);
        for (long p = 0; p < k; p++) to[p] = x[p * xs];
        dense = to;
    }
    parallel(threads, [&](int me, int count) {
        const long i0 = m * me / count, i1 = m * (me + 1) / count;
        auto put = [&](long i, T sum) {
            sum = alpha * sum + (bias ? bias[i * bs] : T(0));
            y[i * ys] = add ? y[i * ys] + sum : sum;
        };
        if (a.row == 1 && a.col != 1 && i1 - i0 > 1) {
            constexpr long most = 1024;
            T room[most];
            for (long i = i0; i < i1; i += most) {
                const long rows = i1 - i < most ? i1 - i : most;
                for (long r = 0; r < rows; r++) room[r] = 0;
                for (long p = 0; p < k; p++) {
                    const T* from = a.at + i + p * a.col;
                    const T f = dense[p];
                    for (long r = 0; r < rows; r++) room[r] += f * from[r];
                }
                for (long r = 0; r < rows; r++) put(i + r, room[r]);
            }
            return;
        }
        for (long i = i0; i < i1; i++) {
            const T* from = a.at + i * a.row;
            T sum = 0;
            long p = 0;
            if (a.col == 1 && k >= n) {
                V s[4] = {};
                for (; p + 4 * n <= k; p += 4 * n)
                    for (int q = 0; q < 4; q++) s[q] += ((const L*)(from + p + q * n))[0] * ((const L*)(dense + p + q * n))[0];
                for (; p + n <= k; p += n) s[0] += ((const L*)(from + p))[0] * ((const L*)(dense + p))[0];
                s[0] += s[1] + (s[2] + s[3]);
                for (int q = 0; q < n; q++) sum += s[0][q];
            }
            for (; p < k; p++) sum += from[p * a.col] * dense[p];
            put(i, sum);
        }
    });
}

// c = alpha a b + bias (n numbers, or none), or c += alpha a b where `add`; rows of c are `crs` apart. Element types other
// than float and double: see `product`.
template <class T>
OUTLINE void gemm(long m, long n, long k, double alpha, const Given<T>* a, long ars, long acs, const Given<T>* b,
                  long brs, long bcs, bool add, T* c, long crs, const Given<T>* bias) {
    if (m <= 0 || n <= 0) return;
    const Matrix<T> left{a, ars, acs}, right{b, brs, bcs};
    const int threads = threads_for(double(m) * n * k);
    if (n == 1) return matvec<T>(m, k, T(alpha), left, b, brs, add, c, crs, bias, 0, threads);
    if (m == 1) return matvec<T>(n, k, T(alpha), right.turned(), a, acs, add, c, 1, bias, 1, threads);
    // Few long sums: packing would cost more than it saves.
    if (n <= 3 && acs == 1 && k >= 64) {
        for (long j = 0; j < n; j++)
            matvec<T>(m, k, T(alpha), left, b + j * bcs, brs, add, c + j, crs, bias ? bias + j : nullptr, 0, threads);
        return;
    }
    if (m <= 3 && brs == 1 && k >= 64) {
        for (long i = 0; i < m; i++)
            matvec<T>(n, k, T(alpha), right.turned(), a + i * ars, acs, add, c + i * crs, 1, bias, 1, threads);
        return;
    }
    if (threads > 1 && k >= 64 * threads && m * n <= 1L << 16 && k > 4 * (m < n ? n : m))
        return gemm_deep<T>(m, n, k, T(alpha), left, right, add, c, crs, bias, threads);
    gemm_blocks<T>(m, n, k, T(alpha), left, right, add, c, crs, bias, threads);
}

// `gemm` for row-major c without gaps, and done(first, end) for its elements as soon as whole rows are complete: what
// reads them finds them in cache.
template <class T>
void gemm_then(long m, long n, long k, double alpha, const Given<T>* a, long ars, long acs, const Given<T>* b, long brs,
               long bcs, bool add, T* c, long crs, const Given<T>* bias, Range done) {
    if (m <= 0) return;
    const int threads = threads_for(double(m) * n * k);
    if (n > 1 && m > 1 && k < 8 * (m + n) && (threads == 1 || m >= 2 * threads * tile_rows))
        return gemm_blocks<T>(m, n, k, T(alpha), {a, ars, acs}, {b, brs, bcs}, add, c, crs, bias, threads, done);
    gemm<T>(m, n, k, alpha, a, ars, acs, b, brs, bcs, add, c, crs, bias);
    finish(done, m, n, threads);
}

// Products for two dimensions of batches: matrix (x, y) of a starts at a + x * ax + y * ay, and so on; steps may be 0.
template <class T>
void bmm(long outer, long inner, long m, long n, long k, const Given<T>* a, long ax, long ay, long ars, long acs,
         const Given<T>* b, long bx, long by, long brs, long bcs, T* c, long cx, long cy, long crs) {
    const double each = double(m) * n * k;
    const long batch = outer * inner;
    const int threads = threads_for(each * batch);
    auto one = [&](long i) {
        const long x = i / inner, y = i % inner;
        gemm<T>(m, n, k, 1, a + x * ax + y * ay, ars, acs, b + x * bx + y * by, brs, bcs, false, c + x * cx + y * cy, crs,
                nullptr);
    };
    if (threads > 1 && (batch >= 4 * threads || (each < 1e6 && batch > 1)))
        parallel(threads, [&](int me, int count) {
            for (long i = batch * me / count; i < batch * (me + 1) / count; i++) one(i);
        });
    else
        for (long i = 0; i < batch; i++) one(i);
}

// `bmm` for whole numbers, summed as S; sums wrap.
template <class S, class T>
void product(long outer, long inner, long m, long n, long k, const Given<T>* a, long ax, long ay, long ars, long acs,
             const Given<T>* b, long bx, long by, long brs, long bcs, T* c, long cx, long cy, long crs) {
    const long rows = outer * inner * m;
    parallel(threads_for(double(rows) * n * k), [&](int me, int count) {
        for (long row = rows * me / count; row < rows * (me + 1) / count; row++) {
            const long x = row / m / inner, y = row / m % inner, i = row % m;
            const T* left = a + x * ax + y * ay + i * ars;
            const T* right = b + x * bx + y * by;
            for (long j = 0; j < n; j++) {
                S sum = 0;
                for (long p = 0; p < k; p++) sum = add(sum, mul(S(left[p * acs]), S(right[p * brs + j * bcs])));
                c[x * cx + y * cy + i * crs + j] = T(sum);
            }
        }
    });
}

}  // namespace lamella
