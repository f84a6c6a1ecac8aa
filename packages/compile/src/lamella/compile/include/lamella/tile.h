// The innermost part of matrix products and convolutions: a tile of the result that stays in registers.
#pragma once
#include <cstring>
#include <utility>

#include "types.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#define OUTLINE __attribute__((noinline))

namespace lamella {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int tile_rows = 8;
#else
constexpr int tile_rows = 6;
#endif

template <class T>
struct Simd {
    typedef T type __attribute__((vector_size(vector_bytes), may_alias));
    typedef T loose __attribute__((vector_size(vector_bytes), may_alias, aligned(sizeof(T))));  // any address
    static constexpr int lanes = vector_bytes / sizeof(T);
    static constexpr int columns = 2 * lanes;  // of a tile
};

// Keeps a vector in a register where the compiler would load it again for each use.
#if defined(__x86_64__) && defined(__AVX512F__)
#define LAMELLA_KEEP(x) __asm__("" : "+v"(x))
#elif defined(__x86_64__)
#define LAMELLA_KEEP(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__)
#define LAMELLA_KEEP(x) __asm__("" : "+w"(x))
#else
#define LAMELLA_KEEP(x)
#endif

// How many threads so many multiplications are worth.
inline int threads_for(double work) {
#ifdef _OPENMP
    return work < 1e6 || omp_in_parallel() ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}

// work(number of this thread, number of threads) on so many threads.
template <class Work>
inline void parallel(int threads, const Work& work) {
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        work(omp_get_thread_num(), omp_get_num_threads());
        return;
    }
#endif
    work(0, 1);
}

// Wait for all threads of `parallel`.
inline void meet() {
#ifdef _OPENMP
#pragma omp barrier
#endif
}

// All of `rows` rows of `each` elements are complete: this thread's part of them.
inline void finish_part(Range done, long rows, long each, int me, int count) {
    done(rows * me / count * each, rows * (me + 1) / count * each);
}
inline void finish(Range done, long rows, long each, int threads) {
    if (done) parallel(threads, [&](int me, int count) { finish_part(done, rows, each, me, count); });
}

// A type that a call does not deduce from this argument.
template <class T>
struct Given_ {
    typedef T type;
};
template <class T>
using Given = typename Given_<T>::type;

inline long ceil_div(long a, long b) { return (a + b - 1) / b; }

// Memory that a thread keeps between calls; what was asked for before under the same slot is gone.
template <class T>
inline T* scratch(int slot, long count) {
    static thread_local Room rooms[8];
    return rooms[slot].take<T>(count + 64 / sizeof(T));
}

// Rows of the second operand: packed one after the other, or anywhere.
template <class T>
struct Packed {
    const T* at;
    long step;
    const T* operator()(long k) const { return at + k * step; }
};
template <class T>
struct Placed {
    const T* at;
    const long* offset;
    const T* operator()(long k) const { return at + offset[k]; }
};

// What a tile may be added to: rows of numbers, `step` apart (0: the same for all rows).
template <class T>
struct Base {
    const T* at;
    long step;
    static Base zero() {
        alignas(64) static const T zeros[4 * Simd<T>::lanes] = {};
        return {zeros, 0};
    }
};

// c (M x N vectors, rows `step` apart) = base + a b. a is packed: M numbers for each k.
template <class T, int M, int N, class B>
OUTLINE void tile(long k, const T* a, B b, T* c, long step, Base<T> base) {
    typedef typename Simd<T>::type V;
    typedef typename Simd<T>::loose L;
    constexpr int n = Simd<T>::lanes;
    V sum[M][N] = {};
    for (long p = 0; p < k; p++, a += M) {
        const T* row = b(p);
        V right[N];
#pragma GCC unroll 4
        for (int j = 0; j < N; j++) right[j] = ((const L*)(row + j * n))[0];
#pragma GCC unroll 16
        for (int i = 0; i < M; i++)
#pragma GCC unroll 4
            for (int j = 0; j < N; j++) sum[i][j] += a[i] * right[j];
    }
#pragma GCC unroll 16
    for (int i = 0; i < M; i++)
#pragma GCC unroll 4
        for (int j = 0; j < N; j++)
            *(L*)(c + i * step + j * n) = sum[i][j] + *(const L*)(base.at + i * base.step + j * n);
}

// `tile` for m rows.
template <class T, int N, class B, int M = tile_rows>
inline void tile_of(long m, long k, const T* a, B b, T* c, long step, Base<T> base) {
    if (m == M) return tile<T, M, N, B>(k, a, b, c, step, base);
    if constexpr (M > 1) tile_of<T, N, B, M - 1>(m, k, a, b, c, step, base);
}

#if defined(__clang__)
template <class V, int n, int S, int... I>
INLINE inline void exchange_lanes(V& x, V& y, std::integer_sequence<int, I...>) {
    const V a = __builtin_shufflevector(x, y, (I & S ? I - S + n : I)...);
    const V b = __builtin_shufflevector(x, y, (I & S ? I + n : I + S)...);
    x = a;
    y = b;
}
#endif

// Lanes of x and y change places where bit S of their numbers says so: x gets what is low, y what is high.
template <class V, int n, int S>
INLINE inline void exchange(V& x, V& y) {
#if defined(__clang__)
    exchange_lanes<V, n, S>(x, y, std::make_integer_sequence<int, n>{});
#else
    typedef decltype(V{} < V{}) Mask;
    Mask low, high;
#pragma GCC unroll 16
    for (int i = 0; i < n; i++) {
        low[i] = i & S ? i - S + n : i;
        high[i] = i & S ? i + n : i + S;
    }
    const V a = __builtin_shuffle(x, y, low), b = __builtin_shuffle(x, y, high);
    x = a;
    y = b;
#endif
}

// A square of n vectors, transposed in place.
template <class V, int n, int S>
INLINE inline void transpose_step(V* v) {
#pragma GCC unroll 16
    for (int i = 0; i < n; i++)
        if (!(i & S)) exchange<V, n, S>(v[i], v[i + S]);
    if constexpr (2 * S < n) transpose_step<V, n, 2 * S>(v);
}

// v[0] becomes the sums of n vectors, each in its lane.
template <class V, int n, int S = 1>
INLINE inline void sum_lanes(V* v) {
#pragma GCC unroll 16
    for (int i = 0; i < n / S; i += 2) {
        exchange<V, n, S>(v[i], v[i + 1]);
        v[i / 2] = v[i] + v[i + 1];
    }
    if constexpr (2 * S < n) sum_lanes<V, n, 2 * S>(v);
}

// to[p * width + i] = from[i * row + p] for p < n, i < m, in vectors of `Bytes`.
template <class T, int Bytes>
inline void pack_square(T* to, const T* from, long row, long m, long width) {
    typedef T V __attribute__((vector_size(Bytes), may_alias));
    typedef T L __attribute__((vector_size(Bytes), may_alias, aligned(sizeof(T))));
    constexpr int n = Bytes / sizeof(T);
    V v[n];
    if (m >= n) {
#pragma GCC unroll 16
        for (int r = 0; r < n; r++) v[r] = ((const L*)(from + r * row))[0];
    } else {
#pragma GCC unroll 16
        for (int r = 0; r < n; r++) v[r] = r < m ? (V)((const L*)(from + r * row))[0] : V{};
    }
    if constexpr (n > 1) transpose_step<V, n, 1>(v);
    // In narrow panels each store's surplus is overwritten by a later one.
#pragma GCC unroll 16
    for (int r = 0; r < n; r++) ((L*)(to + r * width))[0] = v[r];
}

// to[k * width + i] = from[i * row + k * col] for i < m, zeros up to width; one vector behind the end may be written.
template <class T>
OUTLINE void pack(T* to, const T* from, long row, long col, long m, long k, long width) {
    constexpr int n = Simd<T>::lanes;
    typedef typename Simd<T>::loose L;
    if (row == 1) {
        typedef T H __attribute__((vector_size(vector_bytes / 2), may_alias, aligned(sizeof(T))));
        for (long p = 0; p < k; p++, to += width) {
            const T* x = from + p * col;
            if (m == width && m == n / 2) {
                *(H*)to = *(const H*)x;
            } else if (m == width && m == 2 * n) {
                ((L*)to)[0] = ((const L*)x)[0];
                ((L*)(to + n))[0] = ((const L*)(x + n))[0];
            } else {
                for (long i = 0; i < m; i++) to[i] = x[i];
                for (long i = m; i < width; i++) to[i] = 0;
            }
        }
        return;
    }
    if (col != 1) {
        for (long p = 0; p < k; p++, to += width) {
            for (long i = 0; i < m; i++) to[i] = from[i * row + p * col];
            for (long i = m; i < width; i++) to[i] = 0;
        }
        return;
    }
    const bool narrow = width <= n / 2;
    const int step = narrow ? n / 2 : n;
    const long whole = k / step * step;
    for (long p = 0; p < whole; p += step)
        for (long i = (width - 1) / step * step; i >= 0; i -= step)
            if (narrow)
                pack_square<T, vector_bytes / 2>(to + p * width + i, from + i * row + p, row, m - i, width);
            else
                pack_square<T, vector_bytes>(to + p * width + i, from + i * row + p, row, m - i, width);
    for (long p = whole; p < k; p++) {
        for (long i = 0; i < m; i++) to[p * width + i] = from[i * row + p];
        for (long i = m; i < width; i++) to[p * width + i] = 0;
    }
}

}  // namespace lamella
