// What the threads of a warp, of a block, or of a column of a block find out together. All of them must take part, and all
// get the result; the order of additions depends on the numbers of threads alone.
#pragma once

#include "math.cuh"

namespace lamella {

constexpr uint32_t everyone = 0xffffffffu;
constexpr int warp_size = 32, most_threads = 1024;

// The best so far and where it was: at < 0 is nothing yet. nan beats all but nan; of equals the first in place wins.
template <class T>
struct Best {
    T value;
    long at = -1;
    template <bool up>
    INLINE void take(T x, long place) {
        bool better = up ? x > value : x < value, same = x == value;
        if (x != x) better = value == value, same = value != value;
        if (at < 0 || better || (same && place < at)) value = x, at = place;
    }
    INLINE void max(T x, long place) { take<true>(x, place); }
    INLINE void min(T x, long place) { take<false>(x, place); }
    INLINE long place() const { return at < 0 ? 0 : at; }
};

// Number, mean and sum of squared distances from it, in one pass (Welford).
template <class T>
struct Moments {
    T count = 0, mean = 0, squares = 0;
    INLINE void add(T x) {
        count += 1;
        T away = x - mean;
        mean += away / count;
        squares += away * (x - mean);
    }
    INLINE void merge(const Moments& other) {
        T both = count + other.count;
        if (both == 0) return;
        T away = other.mean - mean, share = other.count / both;
        mean += away * share;
        squares += other.squares + away * away * count * share;
        count = both;
    }
};

// Ways to make one of two.
struct Plus { template <class T> static INLINE T of(T a, T b) { return add(a, b); } };
struct Times { template <class T> static INLINE T of(T a, T b) { return mul(a, b); } };
struct Larger { template <class T> static INLINE T of(T a, T b) { return maximum(a, b); } };
struct Smaller { template <class T> static INLINE T of(T a, T b) { return minimum(a, b); } };
struct Or { template <class T> static INLINE T of(T a, T b) { return a | b; } };
struct And { template <class T> static INLINE T of(T a, T b) { return a & b; } };
template <bool up>
struct Better {
    template <class T>
    static INLINE Best<T> of(Best<T> a, Best<T> b) {
        if (b.at >= 0) a.template take<up>(b.value, b.at);
        return a;
    }
};
struct Merged {
    template <class T>
    static INLINE Moments<T> of(Moments<T> a, Moments<T> b) {
        a.merge(b);
        return a;
    }
};

// What another lane has.
template <class T>
INLINE T other_lane(T x, int flip) {
    if constexpr (sizeof(T) < 4) return T(__shfl_xor_sync(everyone, int(x), flip));
    else return __shfl_xor_sync(everyone, x, flip);
}
template <class T>
INLINE Best<T> other_lane(Best<T> x, int flip) {
    Best<T> y;
    y.value = other_lane(x.value, flip);
    y.at = other_lane(x.at, flip);
    return y;
}
template <class T>
INLINE Moments<T> other_lane(Moments<T> x, int flip) {
    Moments<T> y;
    y.count = other_lane(x.count, flip);
    y.mean = other_lane(x.mean, flip);
    y.squares = other_lane(x.squares, flip);
    return y;
}

template <class Op, class T>
INLINE T over_warp(T x) {
    int lane = threadIdx.x % warp_size;
    UNROLL for (int flip = warp_size / 2; flip > 0; flip /= 2) {
        T y = other_lane(x, flip);
        x = lane & flip ? Op::of(y, x) : Op::of(x, y);  // the same order in both
    }
    return x;
}

// Shared memory for one value of each of `count` threads or warps; what was there before is done with.
template <class T, int count>
INLINE T* shared_room() {
    __shared__ __align__(16) unsigned char memory[count * sizeof(T)];
    __syncthreads();
    return reinterpret_cast<T*>(memory);
}

INLINE int thread_of_block() { return threadIdx.x + threadIdx.y * blockDim.x; }

template <class Op, class T>
INLINE T over_block(T x) {
    x = over_warp<Op>(x);
    T* part = shared_room<T, most_threads / warp_size>();
    int thread = thread_of_block(), warps = blockDim.x * blockDim.y / warp_size;
    if (thread % warp_size == 0) part[thread / warp_size] = x;
    __syncthreads();
    x = part[0];
    for (int n = 1; n < warps; ++n) x = Op::of(x, part[n]);
    return x;
}

template <class Op, class T>
INLINE T over_column(T x) {
    T* part = shared_room<T, most_threads>() + threadIdx.x;
    int y = threadIdx.y, rows = blockDim.y, step = blockDim.x;
    part[y * step] = x;
    __syncthreads();
    while (rows > 1) {
        int half = (rows + 1) / 2;
        if (y + half < rows) part[y * step] = Op::of(part[y * step], part[(y + half) * step]);
        __syncthreads();
        rows = half;
    }
    return part[0];
}

#define LAMELLA_OVER(where) \
    template <class T> INLINE T where##_sum(T x) { return over_##where<Plus>(x); } \
    template <class T> INLINE T where##_product(T x) { return over_##where<Times>(x); } \
    template <class T> INLINE T where##_max(T x) { return over_##where<Larger>(x); } \
    template <class T> INLINE T where##_min(T x) { return over_##where<Smaller>(x); } \
    template <class T> INLINE Best<T> where##_argmax(Best<T> x) { return over_##where<Better<true>>(x); } \
    template <class T> INLINE Best<T> where##_argmin(Best<T> x) { return over_##where<Better<false>>(x); } \
    template <class T> INLINE Moments<T> where##_moments(Moments<T> x) { return over_##where<Merged>(x); }
LAMELLA_OVER(warp)
LAMELLA_OVER(block)
LAMELLA_OVER(column)
#undef LAMELLA_OVER

INLINE bool warp_any(bool x) { return __any_sync(everyone, x); }
INLINE bool warp_all(bool x) { return __all_sync(everyone, x); }
INLINE bool block_any(bool x) { return __syncthreads_or(x); }
INLINE bool block_all(bool x) { return __syncthreads_and(x); }
INLINE bool column_any(bool x) { return over_column<Or>(x); }
INLINE bool column_all(bool x) { return over_column<And>(x); }

}  // namespace lamella
