// Scaled dot-product attention and its gradients. Heads may lie anywhere (four steps each: two for batches, rows,
// columns); the weights are dense. Scores, mask and softmax of a block of rows happen while the block is in a cache.
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

// fn(outer, inner, first row, end) for blocks of rows; whole: one thread does all rows of a batch, in order.
template <class Fn>
void each_block(long outer, long inner, long rows, long size, double work, bool whole, const Fn& fn) {
    const long batch = outer * inner;
    long block = (1L << 16) / (size + 1);
    if (block < 32) block = 32;
    if (block > rows) block = rows;
    const int threads = threads_for(work);
    if (whole && batch < threads) {
        for (long b = 0; b < batch; b++)
            for (long i = 0; i < rows; i += block) fn(b / inner, b % inner, i, i + block < rows ? i + block : rows);
        return;
    }
    if (!whole && batch < 2 * threads && block * threads > rows) block = ceil_div(rows, threads);
    const long blocks = ceil_div(rows, block), total = batch * blocks;
    parallel(threads, [&](int me, int count) {
        // A batch's blocks stay with one thread where sums over them are made.
        const long first = whole ? batch * me / count * blocks : total * me / count;
        const long end = whole ? batch * (me + 1) / count * blocks : total * (me + 1) / count;
        for (long u = first; u < end; u++) {
            const long b = u / blocks, i = u % blocks * block;
            fn(b / inner, b % inner, i, i + block < rows ? i + block : rows);
        }
    });
}

template <class T, class M>
void attention(long outer, long inner, long rows, long keys, long depth, long width, bool causal, double scale, T* out, long ox,
               long oy, long orow, long ocol, T* weights, const Given<T>* q, long qx, long qy, long qrow, long qcol,
               const Given<T>* k, long kx, long ky, long krow, long kcol, const Given<T>* v, long vx, long vy, long vrow,
               long vcol, const M* mask, long mx, long my, long mrow, long mcol, const Given<T>* drop, long dx, long dy,
               long drow, long dcol) {
    const double work = double(outer) * inner * rows * keys * (depth + width + 8);
    each_block(outer, inner, rows, keys, work, false, [&](long x, long y, long i0, long i1) {
        const long end = causal && i1 < keys ? i1 : keys, n = i1 - i0;
        T* s = weights + ((x * inner + y) * rows + i0) * keys;
        gemm<T>(n, end, depth, scale, q + x * qx + y * qy + i0 * qrow, qrow, qcol, k + x * kx + y * ky, kcol, krow, 0, s, keys,
                1, nullptr);
        T* used = drop ? scratch<T>(3, n * keys) : s;
        for (long r = 0; r < n; r++) {
            const long live = causal && i0 + r + 1 < keys ? i0 + r + 1 : keys;
            if (mask) add_mask(s + r * keys, mask + x * mx + y * my + (i0 + r) * mrow, mcol, live);
            softmax_row<T>(s + r * keys, live, keys);
            if (!drop) continue;
            const T* factor = drop + x * dx + y * dy + (i0 + r) * drow;
            for (long j = 0; j < end; j++) used[r * keys + j] = s[r * keys + j] * factor[j * dcol];
        }
        gemm<T>(n, width, end, 1, used, keys, 1, v + x * vx + y * vy, vrow, vcol, 0, out + x * ox + y * oy + i0 * orow, orow,
                ocol, nullptr);
    });
}

// dq, dk, dv and the gradient of the mask (dense, over all scores), where not null; each but the last is laid out by
// four steps.
template <class T>
void attention_backward(long outer, long inner, long rows, long keys, long depth, long width, double scale, Given<T>* dq, long qx2,
                        long qy2, long qrow2, Given<T>* dk, long kx2, long ky2, long krow2, Given<T>* dv, long vx2, long vy2, long vrow2,
                        Given<T>* dmask, const T* weights, const Given<T>* g, long gx, long gy, long grow, long gcol, const Given<T>* q, long qx,
                        long qy, long qrow, long qcol, const Given<T>* k, long kx, long ky, long krow, long kcol, const Given<T>* v,
                        long vx, long vy, long vrow, long vcol, const Given<T>* drop, long dx, long dy, long drow, long dcol) {
    const double work = double(outer) * inner * rows * keys * (3 * depth + 2 * width + 8);
    each_block(outer, inner, rows, keys, work, true, [&](long x, long y, long i0, long i1) {
        const long n = i1 - i0, first = ((x * inner + y) * rows + i0) * keys;
        const T* w = weights + first;
        const T* up = g + x * gx + y * gy + i0 * grow;
        const T* used = w;
        const T* factor = drop ? drop + x * dx + y * dy + i0 * drow : nullptr;
        if (drop && dv) {
            T* to = scratch<T>(3, n * keys);
            for (long r = 0; r < n; r++)
                for (long j = 0; j < keys; j++) to[r * keys + j] = w[r * keys + j] * factor[r * drow + j * dcol];
            used = to;
        }
        if (dv)
            gemm<T>(keys, width, n, 1, used, 1, keys, up, grow, gcol, i0 ? 1 : 0, dv + x * vx2 + y * vy2, vrow2, 1, nullptr);
        if (!dq && !dk && !dmask) return;
        T* s = scratch<T>(4, n * keys);
        gemm<T>(n, keys, width, scale, up, grow, gcol, v + x * vx + y * vy, vcol, vrow, 0, s, keys, 1, nullptr);
        for (long r = 0; r < n; r++) {
            T* row = s + r * keys;
            const T* p = w + r * keys;
            if (drop)
                for (long j = 0; j < keys; j++) row[j] *= factor[r * drow + j * dcol];
            T* product = scratch<T>(5, keys);
#pragma GCC ivdep
            for (long j = 0; j < keys; j++) product[j] = row[j] * p[j];
            const T sum = row_sum<T>(product, keys);
#pragma GCC ivdep
            for (long j = 0; j < keys; j++) row[j] = (row[j] - sum) * p[j];
        }
        if (dq)
            gemm<T>(n, depth, keys, 1, s, keys, 1, k + x * kx + y * ky, krow, kcol, 0, dq + x * qx2 + y * qy2 + i0 * qrow2,
                    qrow2, 1, nullptr);
        if (dk)
            gemm<T>(keys, depth, n, 1, s, 1, keys, q + x * qx + y * qy + i0 * qrow, qrow, qcol, i0 ? 1 : 0,
                    dk + x * kx2 + y * ky2, krow2, 1, nullptr);
        if (dmask)
            for (long j = 0; j < n * keys; j++) dmask[first + j] = s[j] / T(scale);
    });
}

}  // namespace lamella
