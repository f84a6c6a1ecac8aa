// Scaled dot-product attention and its gradients, one tile of rows (or of keys) per block. Scores are never in memory: the
// forward pass keeps, of each row, the logarithm of its sum of exponentials, and the backward pass computes them again.
// Four lanes share a row: each has every fourth score of it, and every fourth chunk of four columns of its results.
#pragma once
#include "loops.cuh"
#include "philox.cuh"

namespace lamella {

struct AttentionSizes {
    long heads, rows, keys;  // heads of one batch
    int depth, width;        // columns of queries and keys, of values
    double scale;
    // Whether a row looks at a key.
    template <bool causal> INLINE bool counts(long i, long j) const {
        return i < rows && j < keys && !(causal && j > i);
    }
};

template <class T>
struct Rows {
    T* first;
    long row, column;
    INLINE T& at(long i, long j) const { return first[i * row + j * column]; }
};

// One matrix for each head: elements from batch to batch, head to head, row to row, column to column.
template <class T>
struct Heads {
    T* first;
    long batch, head, row, column;
    INLINE Rows<T> of(long b, long h) const { return {first + b * batch + h * head, row, column}; }
    INLINE T& at(long b, long h, long i, long j) const { return of(b, h).at(i, j); }
};

// What becomes of a score: nothing, a number is added, it counts where a mask is true.
struct Unmasked {
    template <class A> INLINE A operator()(A score, long, long, long, long) const { return score; }
};
template <class M>
struct Added {
    Heads<const M> mask;
    template <class A> INLINE A operator()(A score, long b, long h, long i, long j) const {
        return score + A(mask.at(b, h, i, j));
    }
};
struct Allowed {
    Heads<const bool> mask;
    template <class A> INLINE A operator()(A score, long b, long h, long i, long j) const {
        return mask.at(b, h, i, j) ? score : A(-inf32);
    }
};

// What weights are multiplied by (dropout).
struct Undropped {
    template <class A> INLINE A of(long, long, long, long) const { return 1; }
};
template <class M>
struct Factors {
    Heads<const M> factor;
    template <class A> INLINE A of(long b, long h, long i, long j) const { return A(factor.at(b, h, i, j)); }
};

// Dropout's noise, drawn where it is used: draw `draw` after the offset in draws = {seed, offset}, element by element.
template <class F>
struct Noise {
    const long* draws;
    long draw;
    double keep;
    F factor;
    long heads, rows, keys;
    template <class A> INLINE A of(long b, long h, long i, long j) const {
        const long at = ((b * heads + h) * rows + i) * keys + j;
        return philox_uniform_double(draws[0], draws[1] + draw, at) < keep ? A(factor) : A(0);
    }
};

// The weight of a score, once the logarithm of its row is known.
template <class A, class Mask>
INLINE A weight_of(const AttentionSizes& size, A score, const A* logs, const Mask& mask, long b, long h, long i, long j) {
    return exp(mask(score * A(size.scale), b, h, i, j) - logs[blockIdx.x * size.rows + i]);
}

// What a score gives to the backward pass: the weight that values were taken with, and the gradient of the score, which is
// weight * (gradient of the weight - delta).
template <class A>
struct Again {
    A used = 0, by_score = 0;
};
template <bool causal, class A, class Mask, class Drop>
INLINE Again<A> again(const AttentionSizes& size, A score, A by_weight, const A* logs, const A* delta, const Mask& mask,
                      const Drop& drop, long b, long h, long i, long j) {
    if (!size.counts<causal>(i, j)) return {};
    const A weight = weight_of(size, score, logs, mask, b, h, i, j), factor = drop.template of<A>(b, h, i, j);
    return {weight * factor, weight * (by_weight * factor - delta[blockIdx.x * size.rows + i])};
}

constexpr int lanes = 4;  // threads of one row
template <class A> INLINE A lanes_max(A x) { x = maximum(x, other_lane(x, 1)); return maximum(x, other_lane(x, 2)); }
template <class A> INLINE A lanes_sum(A x) { x += other_lane(x, 1); return x + other_lane(x, 2); }

// Rows [first, first + tile) of a matrix with `columns` columns, as chunks; zeros outside of it.
template <int tile, int chunks, class A, class T>
INLINE void fetch(Pack<A, 4> (&to)[tile][chunks], Rows<const T> from, long first, long end, int columns) {
    for (int n = threadIdx.x; n < tile * (chunks - 1); n += blockDim.x) {
        const int r = n / (chunks - 1), c = n % (chunks - 1);
        const bool inside = first + r < end;
        if (inside && from.column == 1 && 4 * c + 4 <= columns) {
            const Pack<T, 4> given = load<4>(&from.at(first + r, 4 * c));
            UNROLL for (int e = 0; e < 4; ++e) to[r][c][e] = A(given[e]);
        } else {
            UNROLL for (int e = 0; e < 4; ++e)
                to[r][c][e] = inside && 4 * c + e < columns ? A(from.at(first + r, 4 * c + e)) : A(0);
        }
    }
}

// products[m] = the product of a row and of row lane + lanes * m of a tile.
template <int mine, int tile, int chunks, class A>
INLINE void multiply(A (&products)[mine], const Pack<A, 4> (&row)[chunks], const Pack<A, 4> (&others)[tile][chunks], int lane) {
    UNROLL for (int m = 0; m < mine; ++m) products[m] = 0;
    for (int c = 0; c < chunks - 1; ++c) {
        const Pack<A, 4> a = row[c];
        UNROLL for (int m = 0; m < mine; ++m) {
            const Pack<A, 4> b = others[lane + lanes * m][c];
            products[m] += a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        }
    }
}

// total += weights[k] * row k of a tile, for every fourth chunk of columns.
template <int parts, int tile, int chunks, int wide, class A>
INLINE void gather(Pack<A, 4> (&total)[parts], const A (&weights)[wide], const Pack<A, 4> (&rows)[tile][chunks], int lane) {
    for (int k = 0; k < tile; ++k) {
        const A weight = weights[k];
        UNROLL for (int c = 0; c < parts; ++c) {
            const Pack<A, 4> value = rows[k][lane + lanes * c];
            UNROLL for (int e = 0; e < 4; ++e) total[c][e] += weight * value[e];
        }
    }
}

template <int parts, class A, class T>
INLINE void put(Rows<T> to, long i, int columns, const Pack<A, 4> (&total)[parts], A factor, int lane) {
    UNROLL for (int c = 0; c < parts; ++c)
        UNROLL for (int e = 0; e < 4; ++e) {
            const int j = 4 * (lane + lanes * c) + e;
            if (j < columns) to.at(i, j) = T(total[c][e] * factor);
        }
}

// out = softmax(scale * query @ key.T, masked) @ value for one tile of rows of one head. The softmax is made as keys come:
// when a larger score is met, what was summed so far is scaled down. logs[row] = log(sum of exp(scores)).
template <int width, int tile, bool causal, class A, class T, class Mask, class Drop>
INLINE void attention_forward(AttentionSizes size, Heads<T> out, A* logs, Heads<const T> query, Heads<const T> key,
                              Heads<const T> value, Mask mask, Drop drop) {
    constexpr int chunks = width / 4, mine = tile / lanes;
    __shared__ Pack<A, 4> q[tile][chunks + 1], kv[tile][chunks + 1];  // one chunk more: rows begin in different banks
    __shared__ A weights[tile][tile + 4];
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long first = blockIdx.y * long(tile), i = first + row;
    const long end = causal ? least(size.keys, first + tile) : size.keys;
    fetch(q, query.of(b, h), first, size.rows, size.depth);
    Pack<A, 4> total[chunks / lanes] = {};
    A top = -inf32, sum = 0;
    for (long start = 0; start < end; start += tile) {
        fetch(kv, key.of(b, h), start, size.keys, size.depth);
        __syncthreads();
        A scores[mine], best = top;
        multiply(scores, q[row], kv, lane);
        UNROLL for (int m = 0; m < mine; ++m) {
            const long j = start + lane + lanes * m;
            scores[m] = size.counts<causal>(i, j) ? mask(scores[m] * A(size.scale), b, h, i, j) : A(-inf32);
            best = maximum(best, scores[m]);
        }
        best = lanes_max(best);
        const A shift = best == A(-inf32) ? A(0) : best, shrink = exp(top - shift);
        top = best;
        sum *= shrink;
        UNROLL for (int c = 0; c < chunks / lanes; ++c)
            UNROLL for (int e = 0; e < 4; ++e) total[c][e] *= shrink;
        UNROLL for (int m = 0; m < mine; ++m) {
            const long j = start + lane + lanes * m;
            const A weight = exp(scores[m] - shift);
            sum += weight;
            weights[row][lane + lanes * m] = weight == 0 ? A(0) : weight * drop.template of<A>(b, h, i, j);
        }
        __syncthreads();  // the keys are done with
        fetch(kv, value.of(b, h), start, size.keys, size.width);
        __syncthreads();
        gather(total, weights[row], kv, lane);
        __syncthreads();
    }
    sum = lanes_sum(sum);
    if (i >= size.rows) return;
    put(out.of(b, h), i, size.width, total, sum == 0 ? A(0) : 1 / sum, lane);
    if (lane == 0) logs[blockIdx.x * size.rows + i] = sum == 0 ? A(inf32) : top + log(sum);
}

// The weights themselves, where something else wants them: (heads, rows, keys), dense.
template <int width, int tile, bool causal, class A, class T, class Mask>
INLINE void attention_weights(AttentionSizes size, T* to, const A* logs, Heads<const T> query, Heads<const T> key, Mask mask) {
    constexpr int chunks = width / 4, mine = tile / lanes;
    __shared__ Pack<A, 4> q[tile][chunks + 1], k[tile][chunks + 1];
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long first = blockIdx.y * long(tile), i = first + row;
    fetch(q, query.of(b, h), first, size.rows, size.depth);
    for (long start = 0; start < size.keys; start += tile) {
        fetch(k, key.of(b, h), start, size.keys, size.depth);
        __syncthreads();
        A scores[mine];
        multiply(scores, q[row], k, lane);
        UNROLL for (int m = 0; m < mine; ++m) {
            const long j = start + lane + lanes * m, at = blockIdx.x * size.rows + i;
            if (i >= size.rows || j >= size.keys) continue;
            const bool counts = size.counts<causal>(i, j);
            to[at * size.keys + j] = T(counts ? weight_of(size, scores[m], logs, mask, b, h, i, j) : A(0));
        }
        __syncthreads();
    }
}

// The gradient of the query for one tile of rows.
// delta[row] = the product of the rows of grad and of the forward pass's result.
template <int width, int tile, bool causal, class A, class T, class Mask, class Drop>
INLINE void attention_backward_query(AttentionSizes size, Heads<T> to, const A* logs, const A* delta, Heads<const T> grad,
                                     Heads<const T> query, Heads<const T> key, Heads<const T> value, Mask mask, Drop drop) {
    constexpr int chunks = width / 4, mine = tile / lanes;
    __shared__ Pack<A, 4> q[tile][chunks + 1], g[tile][chunks + 1], k[tile][chunks + 1], v[tile][chunks + 1];
    __shared__ A by_score[tile][tile + 4];
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long first = blockIdx.y * long(tile), i = first + row;
    const long end = causal ? least(size.keys, first + tile) : size.keys;
    fetch(q, query.of(b, h), first, size.rows, size.depth);
    fetch(g, grad.of(b, h), first, size.rows, size.width);
    Pack<A, 4> total[chunks / lanes] = {};
    for (long start = 0; start < end; start += tile) {
        fetch(k, key.of(b, h), start, size.keys, size.depth);
        fetch(v, value.of(b, h), start, size.keys, size.width);
        __syncthreads();
        A scores[mine], by_weight[mine];
        multiply(scores, q[row], k, lane);
        multiply(by_weight, g[row], v, lane);
        UNROLL for (int m = 0; m < mine; ++m) {
            const long j = start + lane + lanes * m;
            by_score[row][lane + lanes * m] =
                again<causal>(size, scores[m], by_weight[m], logs, delta, mask, drop, b, h, i, j).by_score;
        }
        __syncthreads();
        gather(total, by_score[row], k, lane);
        __syncthreads();
    }
    if (i < size.rows) put(to.of(b, h), i, size.depth, total, A(size.scale), lane);
}

// The gradients of key and value for one tile of keys.
template <int width, int tile, bool causal, class A, class T, class Mask, class Drop>
INLINE void attention_backward_key(AttentionSizes size, Heads<T> to_key, Heads<T> to_value, const A* logs, const A* delta,
                                   Heads<const T> grad, Heads<const T> query, Heads<const T> key, Heads<const T> value,
                                   Mask mask, Drop drop) {
    constexpr int chunks = width / 4, mine = tile / lanes;
    __shared__ Pack<A, 4> q[tile][chunks + 1], g[tile][chunks + 1], k[tile][chunks + 1], v[tile][chunks + 1];
    __shared__ A weights[tile][tile + 4], by_score[tile][tile + 4];
    const int own = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long b = blockIdx.x / size.heads, h = blockIdx.x % size.heads;
    const long first = blockIdx.y * long(tile), j = first + own;
    fetch(k, key.of(b, h), first, size.keys, size.depth);
    fetch(v, value.of(b, h), first, size.keys, size.width);
    Pack<A, 4> by_key[chunks / lanes] = {}, by_value[chunks / lanes] = {};
    for (long start = causal ? first : 0; start < size.rows; start += tile) {
        fetch(q, query.of(b, h), start, size.rows, size.depth);
        fetch(g, grad.of(b, h), start, size.rows, size.width);
        __syncthreads();
        A scores[mine], by_weight[mine];
        multiply(scores, k[own], q, lane);
        multiply(by_weight, v[own], g, lane);
        UNROLL for (int m = 0; m < mine; ++m) {
            const long i = start + lane + lanes * m;
            const Again<A> found = again<causal>(size, scores[m], by_weight[m], logs, delta, mask, drop, b, h, i, j);
            weights[own][lane + lanes * m] = found.used;
            by_score[own][lane + lanes * m] = found.by_score;
        }
        __syncthreads();
        gather(by_value, weights[own], g, lane);
        gather(by_key, by_score[own], q, lane);
        __syncthreads();
    }
    if (j >= size.keys) return;
    put(to_key.of(b, h), j, size.depth, by_key, A(size.scale), lane);
    put(to_value.of(b, h), j, size.width, by_value, A(1), lane);
}

}  // namespace lamella
