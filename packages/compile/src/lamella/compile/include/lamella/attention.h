// Scaled dot-product attention and its gradients. Heads may lie anywhere (four steps each: two for batches, rows,
// columns; the columns of results lie together); the weights are dense. Scores, mask and softmax of a block of rows happen while the block is in a cache.
#pragma once
#include "gemm.h"
#include "math.h"

namespace lamella {

template <class T>
inline T row_sum(const T* x, long n) {
    constexpr long w = Simd<T>::lanes;
    typename Simd<T>::type lanes = {};
    long j = 0;
    for (; j + w <= n; j += w) lanes += *(const typename Simd<T>::loose*)(x + j);
    T sum = 0;
    for (; j < n; j++) sum += x[j];
    for (long q = 0; q < w; q++) sum += lanes[q];
    return sum;
}

template <class T>
inline T row_top(const T* x, long n) {
    constexpr long w = Simd<T>::lanes;
    typedef typename Simd<T>::type V;
    V lanes = V{} - inf32;
    long j = 0;
    for (; j + w <= n; j += w) {
        const V v = *(const typename Simd<T>::loose*)(x + j);
        lanes = v > lanes ? v : lanes;
    }
    T top = -inf32;
    for (; j < n; j++) top = x[j] > top ? x[j] : top;
    for (long q = 0; q < w; q++) top = lanes[q] > top ? lanes[q] : top;
    return top;
}

// A mask of numbers is added; one of truth values (bytes) says which scores count.
template <class T, class M>
inline void add_mask(T* s, const M* m, long step, long n) {
    for (long j = 0; j < n; j++)
        if constexpr (sizeof(M) > 1)
            s[j] += m[j * step];
        else
            s[j] = m[j * step] ? s[j] : T(-inf32);
}

// The softmax of n scores, in place; zeros behind them up to `all`, and zeros where no score is finite.
template <class T>
inline void softmax_row(T* s, long n, long all) {
    T top = row_top<T>(s, n);
    top = top == T(-inf32) ? T(0) : top;
#pragma GCC ivdep
    for (long j = 0; j < n; j++) s[j] = exp(s[j] - top);
    const T sum = row_sum<T>(s, n), factor = 1 / (sum == 0 ? T(1) : sum);
#pragma GCC ivdep
    for (long j = 0; j < n; j++) s[j] *= factor;
    for (long j = n; j < all; j++) s[j] = 0;
}

// How many rows are done at once: scores that stay in a cache; fewer where later columns are left out.
inline long rows_at_once(long rows, long keys, bool later_left_out) {
    long block = (1L << 16) / (keys + 1);
    if (later_left_out && block > 64) block = rows > 64 ? 64 : 32;
    if (block < 32) block = 32;
    return block < rows ? block : rows;
}

// fn(outer, inner, first row, end) for blocks of rows; whole: one thread does all rows of a batch, in order.
template <class Fn>
void each_block(long outer, long inner, long rows, long block, double work, bool whole, const Fn& fn) {
    const long batch = outer * inner;
    const int threads = threads_for(work);
    if (!whole && batch < 2 * threads && block * threads > rows) block = ceil_div(rows, threads);
    const long blocks = ceil_div(rows, block), total = batch * blocks;
    auto one = [&](long u) {
        const long b = u / blocks, i = u % blocks * block;
        fn(b / inner, b % inner, i, i + block < rows ? i + block : rows);
    };
    // Batches that are fewer than threads: the products inside use all threads.
    parallel(whole && batch < threads ? 1 : threads, [&](int me, int count) {
        const long first = whole ? batch * me / count * blocks : total * me / count;
        const long end = whole ? batch * (me + 1) / count * blocks : total * (me + 1) / count;
        for (long u = first; u < end; u++) one(u);
    });
}

template <class T, class M>
void attention(long outer, long inner, long rows, long keys, long depth, long width, bool causal, double scale, T* out, long ox,
               long oy, long orow, Given<T>* weights, const Given<T>* q, long qx, long qy, long qrow, long qcol,
               const Given<T>* k, long kx, long ky, long krow, long kcol, const Given<T>* v, long vx, long vy, long vrow,
               long vcol, const M* mask, long mx, long my, long mrow, long mcol, const Given<T>* drop, long dx, long dy,
               long drow, long dcol) {
    const double work = double(outer) * inner * rows * keys * (depth + width + 8);
    each_block(outer, inner, rows, rows_at_once(rows, keys, causal), work, false, [&](long x, long y, long i0, long i1) {
        const long end = causal && i1 < keys ? i1 : keys, n = i1 - i0;
        T* s = weights ? weights + ((x * inner + y) * rows + i0) * keys : scratch<T>(4, n * keys);
        gemm<T>(n, end, depth, scale, q + x * qx + y * qy + i0 * qrow, qrow, qcol, k + x * kx + y * ky, kcol, krow, false, s,
                keys, nullptr);
        T* used = drop ? scratch<T>(3, n * keys) : s;
        for (long r = 0; r < n; r++) {
            const long live = causal && i0 + r + 1 < keys ? i0 + r + 1 : keys;
            if (mask) add_mask(s + r * keys, mask + x * mx + y * my + (i0 + r) * mrow, mcol, live);
            softmax_row<T>(s + r * keys, live, keys);
            if (!drop) continue;
            const T* factor = drop + x * dx + y * dy + (i0 + r) * drow;
            for (long j = 0; j < end; j++) used[r * keys + j] = s[r * keys + j] * factor[j * dcol];
        }
        gemm<T>(n, width, end, 1, used, keys, 1, v + x * vx + y * vy, vrow, vcol, false, out + x * ox + y * oy + i0 * orow,
                orow, nullptr);
    });
}

// Behind which column all weights of n rows are 0.
template <class T>
inline long last_used(const T* w, long n, long keys) {
    long end = 0;
    for (long r = 0; r < n; r++) {
        long j = keys;
        while (j > end && w[r * keys + j - 1] == 0) j--;
        end = j;
    }
    return end;
}

// A row of the gradient of weights becomes that of the scores.
template <class T>
inline void scores_gradient(T* row, const T* weights, const T* factor, long step, long n) {
    if (factor)
        for (long j = 0; j < n; j++) row[j] *= factor[j * step];
    T* product = scratch<T>(5, n);
#pragma GCC ivdep
    for (long j = 0; j < n; j++) product[j] = row[j] * weights[j];
    const T sum = row_sum<T>(product, n);
#pragma GCC ivdep
    for (long j = 0; j < n; j++) row[j] = (row[j] - sum) * weights[j];
}

// dq, dk, dv and the gradient of the mask (dense, over all scores), where not null; each but the last is laid out by
// four steps.
template <class T>
void attention_backward(long outer, long inner, long rows, long keys, long depth, long width, double scale, Given<T>* dq,
                        long qx2, long qy2, long qrow2, Given<T>* dk, long kx2, long ky2, long krow2, Given<T>* dv, long vx2,
                        long vy2, long vrow2, Given<T>* dmask, const T* weights, const Given<T>* g, long gx, long gy,
                        long grow, long gcol, const Given<T>* q, long qx, long qy, long qrow, long qcol, const Given<T>* k,
                        long kx, long ky, long krow, long kcol, const Given<T>* v, long vx, long vy, long vrow, long vcol,
                        const Given<T>* drop, long dx, long dy, long drow, long dcol) {
    const double work = double(outer) * inner * rows * keys * (3 * depth + 2 * width + 8);
    const long block = rows_at_once(rows, keys, weights[keys - 1] == 0);
    each_block(outer, inner, rows, block, work, true, [&](long x, long y, long i0, long i1) {
        const long n = i1 - i0, first = ((x * inner + y) * rows + i0) * keys;
        const T* w = weights + first;
        const long end = last_used<T>(w, n, keys);
        const T* up = g + x * gx + y * gy + i0 * grow;
        const T* factor = drop ? drop + x * dx + y * dy + i0 * drow : nullptr;
        T* to_v = dv ? dv + x * vx2 + y * vy2 : nullptr;
        T* to_k = dk ? dk + x * kx2 + y * ky2 : nullptr;
        for (long j = 0; i0 == 0 && j < keys; j++) {
            if (dv) std::memset(to_v + j * vrow2, 0, width * sizeof(T));
            if (dk) std::memset(to_k + j * krow2, 0, depth * sizeof(T));
        }
        const T* used = w;
        if (drop && dv) {
            T* to = scratch<T>(3, n * keys);
            for (long r = 0; r < n; r++)
                for (long j = 0; j < end; j++) to[r * keys + j] = w[r * keys + j] * factor[r * drow + j * dcol];
            used = to;
        }
        if (dv) gemm<T>(end, width, n, 1, used, 1, keys, up, grow, gcol, true, to_v, vrow2, nullptr);
        if (!dq && !dk && !dmask) return;
        T* s = scratch<T>(4, n * keys);
        gemm<T>(n, end, width, scale, up, grow, gcol, v + x * vx + y * vy, vcol, vrow, false, s, keys, nullptr);
        for (long r = 0; r < n; r++)
            scores_gradient<T>(s + r * keys, w + r * keys, drop ? factor + r * drow : nullptr, dcol, end);
        if (dq)
            gemm<T>(n, depth, end, 1, s, keys, 1, k + x * kx + y * ky, krow, kcol, false,
                    dq + x * qx2 + y * qy2 + i0 * qrow2, qrow2, nullptr);
        if (dk)
            gemm<T>(end, depth, n, 1, s, 1, keys, q + x * qx + y * qy + i0 * qrow, qrow, qcol, true, to_k, krow2, nullptr);
        for (long r = 0; dmask && r < n; r++)
            for (long j = 0; j < keys; j++) dmask[first + r * keys + j] = j < end ? s[r * keys + j] / T(scale) : T(0);
    });
}

}  // namespace lamella
