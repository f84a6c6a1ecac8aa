// Attention of 16-bit types on tensor cores: the functions of attention.cuh, with the same arguments and meaning. A warp
// does 16 rows (of keys, for their gradients), a block 64. Sums are float; weights are rounded before they are multiplied.
#pragma once
#include "attention.cuh"

namespace lamella {

template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };

// Two values as the tensor cores take them, the first in the lower half.
template <class T> INLINE uint32_t two(T a, T b) { return uint32_t(a.half) | uint32_t(b.half) << 16; }
template <class T> INLINE uint32_t two_at(const T* p) { return two(p[0], p[1]); }

// c (16 x 8) += a (16 x 16) @ b (16 x 8). Lane 4 * g + t has of c: rows g and g + 8, columns 2 * t and the next; of a: the
// same rows, columns 2 * t, 2 * t + 8 and the next ones; of b: column g, rows as a's columns.
template <class T>
INLINE void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#ifdef LAMELLA_EMULATED
    __shared__ uint32_t held[32][32][6];
    uint32_t(&warp)[32][6] = held[threadIdx.x / 32];
    const int me = threadIdx.x % 32, g = me / 4, t = me % 4;
    const uint32_t own[6] = {a[0], a[1], a[2], a[3], b0, b1};
    for (int n = 0; n < 6; ++n) warp[me][n] = own[n];
    __syncwarp();
    auto of = [&](int lane, int n, int k) { T x; x.half = uint16_t(warp[lane][n] >> 16 * (k % 2)); return float(x); };
    for (int k = 0; k < 16; ++k)
        for (int e = 0; e < 4; ++e)
            c[e] += of(4 * g + k % 8 / 2, k / 8 * 2 + e / 2, k) * of(4 * (2 * t + e % 2) + k % 8 / 2, 4 + k / 8, k);
    __syncwarp();
#else
#define LAMELLA_MMA(type) \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, " \
                 "{%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
    if constexpr (Same<T, float16>::value) LAMELLA_MMA("f16");
    else LAMELLA_MMA("bf16");
#undef LAMELLA_MMA
#endif
}

// 16 rows of a matrix with `columns` columns, from row `first` on, as left operands: one for each 16 columns.
template <int parts, class T>
INLINE void left_operand(uint32_t (&a)[parts][4], Rows<const T> from, long first, long end, int columns) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int part = 0; part < parts; ++part)
        UNROLL for (int n = 0; n < 4; ++n) {
            const long i = first + g + n % 2 * 8;
            const int j = 16 * part + 2 * t + n / 2 * 8;
            const T zero = T(0.0f), x = i < end && j < columns ? from.at(i, j) : zero;
            a[part][n] = two(x, i < end && j + 1 < columns ? from.at(i, j + 1) : zero);
        }
}

// Rows [first, first + tile) of a matrix into shared memory; also (or only) transposed.
template <bool straight, bool turned, int tile, int width, class T>
INLINE void fetch_halves(T (&to)[straight ? tile : 1][width + 8], T (&over)[turned ? width : 1][tile + 8], Rows<const T> from,
                         long first, long end, int columns) {
    for (int n = threadIdx.x; n < tile * width / 4; n += blockDim.x) {
        const int r = n / (width / 4), c = n % (width / 4) * 4;
        const bool inside = first + r < end;
        Pack<T, 4> x;
        if (inside && from.column == 1 && c + 4 <= columns) {
            x = load<4>(&from.at(first + r, c));
        } else {
            UNROLL for (int e = 0; e < 4; ++e) x[e] = inside && c + e < columns ? from.at(first + r, c + e) : T(0.0f);
        }
        UNROLL for (int e = 0; e < 4; ++e) {
            if constexpr (straight) to[r][c + e] = x[e];
            if constexpr (turned) over[c + e][r] = x[e];
        }
    }
}

// products (16 x tile) = a @ rows of a tile.
template <int tiles, int parts, class T, int tile, int wide>
INLINE void multiply_rows(float (&products)[tiles][4], const uint32_t (&a)[parts][4], const T (&rows)[tile][wide]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    UNROLL for (int n = 0; n < tiles; ++n) {
        UNROLL for (int e = 0; e < 4; ++e) products[n][e] = 0;
        UNROLL for (int part = 0; part < parts; ++part) {
            const T* row = &rows[8 * n + g][16 * part + 2 * t];
            multiply_add<T>(products[n], a[part], two_at(row), two_at(row + 8));
        }
    }
}

// total (16 x width) += weights (16 x tile) @ a tile that lies transposed.
template <class T, int tiles, int parts, int width, int wide>
INLINE void gather_rows(float (&total)[parts][4], const float (&weights)[tiles][4], const T (&over)[width][wide]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    UNROLL for (int k = 0; k < tiles / 2; ++k) {
        const auto &one = weights[2 * k], &next = weights[2 * k + 1];
        const uint32_t a[4] = {two(T(one[0]), T(one[1])), two(T(one[2]), T(one[3])), two(T(next[0]), T(next[1])),
                               two(T(next[2]), T(next[3]))};
        UNROLL for (int n = 0; n < parts; ++n) {
            const T* row = &over[8 * n + g][16 * k + 2 * t];
            multiply_add<T>(total[n], a, two_at(row), two_at(row + 8));
        }
    }
}

// Where element e of a 16 x 8 tile lies.
INLINE int row_of(int e) { return threadIdx.x % 32 / 4 + e / 2 * 8; }
INLINE int column_of(int n, int e) { return 8 * n + 2 * (threadIdx.x % 4) + e % 2; }

template <int parts, class T>
INLINE void put_rows(Rows<T> to, long first, long end, int columns, const float (&total)[parts][4], float upper, float lower) {
    UNROLL for (int n = 0; n < parts; ++n)
        UNROLL for (int e = 0; e < 4; ++e) {
            const long i = first + row_of(e);
            const int j = column_of(n, e);
            if (i < end && j < columns) to.at(i, j) = T(total[n][e] * (e < 2 ? upper : lower));
        }
}

template <int width, int tile, bool causal, class T, class Mask, class Drop>
INLINE void attention_forward_halves(AttentionSizes size, Heads<T> out, float* logs, Heads<const T> query, Heads<const T> key,
                                     Heads<const T> value, Mask mask, Drop drop) {
    __shared__ T k[tile][width + 8], v[width][tile + 8], none[1][width + 8], nothing[1][tile + 8];
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long block = blockIdx.y * 64L, first = block + threadIdx.x / 32 * 16;
    const long end = causal ? least(size.keys, block + 64) : size.keys;
    uint32_t q[width / 16][4];
    left_operand(q, query.of(b, h), first, size.rows, size.depth);
    float total[width / 8][4] = {}, top[2] = {-inf32, -inf32}, sum[2] = {0, 0};
    for (long start = 0; start < end; start += tile) {
        fetch_halves<true, false, tile, width>(k, nothing, key.of(b, h), start, size.keys, size.depth);
        fetch_halves<false, true, tile, width>(none, v, value.of(b, h), start, size.keys, size.width);
        __syncthreads();
        float scores[tile / 8][4], best[2] = {top[0], top[1]};
        multiply_rows(scores, q, k);
        UNROLL for (int n = 0; n < tile / 8; ++n)
            UNROLL for (int e = 0; e < 4; ++e) {
                const long i = first + row_of(e), j = start + column_of(n, e);
                scores[n][e] = size.counts<causal>(i, j) ? mask(scores[n][e] * float(size.scale), b, h, i, j) : -inf32;
                best[e / 2] = maximum(best[e / 2], scores[n][e]);
            }
        float shift[2];
        UNROLL for (int r = 0; r < 2; ++r) {
            best[r] = lanes_max(best[r]);
            shift[r] = best[r] == -inf32 ? 0 : best[r];
            const float shrink = exp(top[r] - shift[r]);
            top[r] = best[r];
            sum[r] *= shrink;
            UNROLL for (int n = 0; n < width / 8; ++n) total[n][2 * r] *= shrink, total[n][2 * r + 1] *= shrink;
        }
        UNROLL for (int n = 0; n < tile / 8; ++n)
            UNROLL for (int e = 0; e < 4; ++e) {
                const long i = first + row_of(e), j = start + column_of(n, e);
                const float weight = exp(scores[n][e] - shift[e / 2]);
                sum[e / 2] += weight;
                scores[n][e] = weight == 0 ? 0 : weight * drop.template of<float>(b, h, i, j);
            }
        gather_rows<T>(total, scores, v);
        __syncthreads();
    }
    float factor[2];
    UNROLL for (int r = 0; r < 2; ++r) {
        sum[r] = lanes_sum(sum[r]);
        factor[r] = sum[r] == 0 ? 0 : 1 / sum[r];
        const long i = first + row_of(2 * r);
        if (threadIdx.x % 4 == 0 && i < size.rows)
            logs[blockIdx.x * size.rows + i] = sum[r] == 0 ? inf32 : top[r] + log(sum[r]);
    }
    put_rows(out.of(b, h), first, size.rows, size.width, total, factor[0], factor[1]);
}

template <int width, int tile, bool causal, class T, class Mask, class Drop>
INLINE void attention_backward_query_halves(AttentionSizes size, Heads<T> to, const float* logs, const float* delta,
                                            Heads<const T> grad, Heads<const T> query, Heads<const T> key, Heads<const T> value,
                                            Mask mask, Drop drop) {
    __shared__ T k[tile][width + 8], over[width][tile + 8], v[tile][width + 8], nothing[1][tile + 8];
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long block = blockIdx.y * 64L, first = block + threadIdx.x / 32 * 16;
    const long end = causal ? least(size.keys, block + 64) : size.keys;
    uint32_t q[width / 16][4], g[width / 16][4];
    left_operand(q, query.of(b, h), first, size.rows, size.depth);
    left_operand(g, grad.of(b, h), first, size.rows, size.width);
    float total[width / 8][4] = {};
    for (long start = 0; start < end; start += tile) {
        fetch_halves<true, true, tile, width>(k, over, key.of(b, h), start, size.keys, size.depth);
        fetch_halves<true, false, tile, width>(v, nothing, value.of(b, h), start, size.keys, size.width);
        __syncthreads();
        float scores[tile / 8][4], by_weight[tile / 8][4];
        multiply_rows(scores, q, k);
        multiply_rows(by_weight, g, v);
        UNROLL for (int n = 0; n < tile / 8; ++n)
            UNROLL for (int e = 0; e < 4; ++e) {
                const long i = first + row_of(e), j = start + column_of(n, e);
                scores[n][e] =
                    again<causal>(size, scores[n][e], by_weight[n][e], logs, delta, mask, drop, b, h, i, j).by_score;
            }
        gather_rows<T>(total, scores, over);
        __syncthreads();
    }
    put_rows(to.of(b, h), first, size.rows, size.depth, total, float(size.scale), float(size.scale));
}

template <int width, int tile, bool causal, class T, class Mask, class Drop>
INLINE void attention_backward_key_halves(AttentionSizes size, Heads<T> to_key, Heads<T> to_value, const float* logs,
                                          const float* delta, Heads<const T> grad, Heads<const T> query, Heads<const T> key,
                                          Heads<const T> value, Mask mask, Drop drop) {
    __shared__ T q[tile][width + 8], q_over[width][tile + 8], g[tile][width + 8], g_over[width][tile + 8];
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long block = blockIdx.y * 64L, first = block + threadIdx.x / 32 * 16;
    uint32_t k[width / 16][4], v[width / 16][4];
    left_operand(k, key.of(b, h), first, size.keys, size.depth);
    left_operand(v, value.of(b, h), first, size.keys, size.width);
    float by_key[width / 8][4] = {}, by_value[width / 8][4] = {};
    for (long start = causal ? block : 0; start < size.rows; start += tile) {
        fetch_halves<true, true, tile, width>(q, q_over, query.of(b, h), start, size.rows, size.depth);
        fetch_halves<true, true, tile, width>(g, g_over, grad.of(b, h), start, size.rows, size.width);
        __syncthreads();
        float used[tile / 8][4], made[tile / 8][4];
        multiply_rows(used, k, q);
        multiply_rows(made, v, g);
        UNROLL for (int n = 0; n < tile / 8; ++n)
            UNROLL for (int e = 0; e < 4; ++e) {
                const long j = first + row_of(e), i = start + column_of(n, e);
                const Again<float> found =
                    again<causal>(size, used[n][e], made[n][e], logs, delta, mask, drop, b, h, i, j);
                used[n][e] = found.used;
                made[n][e] = found.by_score;
            }
        gather_rows<T>(by_value, used, g_over);
        gather_rows<T>(by_key, made, q_over);
        __syncthreads();
    }
    put_rows(to_key.of(b, h), first, size.keys, size.depth, by_key, float(size.scale), float(size.scale));
    put_rows(to_value.of(b, h), first, size.keys, size.width, by_value, 1.0f, 1.0f);
}

}  // namespace lamella
