// What the emitted kernels are made of: element types, functions, reductions, and the accesses to memory below. No header
// of the toolkit is needed. Kernels are one-dimensional grids of one-dimensional blocks, but for those that reduce by
// columns (blocks of two dimensions) and scatters (grids of two).
//
// types.cuh       int8_t int16_t int32_t uint8_t uint16_t uint32_t uint64_t, INLINE (`__device__` functions that are
//                 always inlined), UNROLL (before a loop), struct float16, struct bfloat16 (from float, rounding to
//                 nearest even, and to float)
//                 inf32 nan32 inf64 nan64
//                 To bits<To>(From x)           To convert<To>(From x)        float to integer, as eager
//                 T add(T, T)  sub  mul  neg    wrap for integers; of bool: or, and
//                 T lowest<T>()  T highest<T>() what no element is beyond: infinities for floats
//                 bool is_nan(T)  is_inf(T)     long least(long, long)
// math.cuh        of float and double: exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh
//                 asin acos atan asinh acosh atanh erf erfc erfinv lgamma digamma sigmoid; floor ceil trunc round_even abs
//                 sign (of integers too)
//                 of two: floordiv mod fmod pow maximum minimum fmax fmin (of integers too) atan2 hypot copysign nextafter;
//                 of integers: shift_left shift_right. All with the meaning of ../functions.h and ../math.h.
// reductions.cuh  every thread of a warp (of a block; of those with its threadIdx.x) gives a value and gets the result; the
//                 order of the additions depends on nothing but the sizes. No thread may be missing. They may be called one
//                 after the other: each waits until shared memory is free.
//                 T warp_sum(T) warp_product warp_max warp_min (nan wins)  bool warp_any(bool) warp_all
//                 T block_sum(T) block_product block_max block_min         bool block_any(bool) block_all
//                 T column_sum(T) column_product column_max column_min     bool column_any(bool) column_all
//                 struct Best<T> {T value; long at;}, at first {?, -1}: nothing seen
//                     void max(T x, long at), min(T x, long at)            takes x if it beats what is there, or is equal
//                                                                          and has a smaller index; nan beats all but nan
//                     long place()                                         at, or 0 where nothing was seen
//                 Best<T> warp_argmax(Best<T>) warp_argmin block_argmax block_argmin column_argmax column_argmin
//                 blocks have up to 1024 threads, a multiple of 32; those of two dimensions too.
// scan.cuh        T block_scan_sum(T x, T& before), block_scan_product: the sum of `before` and of x of all threads up to
//                 and with this one; `before` becomes that of the last thread
#pragma once

#include "types.cuh"
#include "math.cuh"
#include "reductions.cuh"
#include "scan.cuh"

namespace lamella {

// The number of this thread in the grid's first dimension, and how many there are.
INLINE long grid_thread() { return long(blockIdx.x) * blockDim.x + threadIdx.x; }
INLINE long grid_threads() { return long(gridDim.x) * blockDim.x; }
// The number of this thread's warp in the grid, and of the thread in its warp.
INLINE long grid_warp() { return grid_thread() / 32; }
INLINE int lane() { return threadIdx.x % 32; }

// Some elements side by side, which are moved by accesses of up to 16 bytes.
template <class T, int n>
struct alignas(sizeof(T) * n < 16 ? sizeof(T) * n : 16) Pack {
    T at[n];
    INLINE T& operator[](int k) { return at[k]; }
    INLINE const T& operator[](int k) const { return at[k]; }
};
template <class T, int n>
INLINE bool aligned(const T* p) {
    return reinterpret_cast<unsigned long>(p) % alignof(Pack<T, n>) == 0;
}
template <int n, class T>
INLINE Pack<T, n> load(const T* from) {
    if (aligned<T, n>(from)) return *reinterpret_cast<const Pack<T, n>*>(from);
    Pack<T, n> found;
    UNROLL for (int k = 0; k < n; ++k) found[k] = from[k];
    return found;
}
template <class T, int n>
INLINE void store(T* to, const Pack<T, n>& values) {
    if (aligned<T, n>(to)) {
        *reinterpret_cast<Pack<T, n>*>(to) = values;
        return;
    }
    UNROLL for (int k = 0; k < n; ++k) to[k] = values[k];
}

// The first index of a launch that was out of range: whether there is one, the index, and what it had to be less than.
struct Report {
    int failed;
    long value, size;
};
INLINE void fail(Report* report, long value, long size) {
    if (atomicCAS(&report->failed, 0, 1) == 0) report->value = value, report->size = size;
}

// The index that a value stands for: negative ones count from the end.
INLINE long place(long index, long size) { return index < 0 ? index + size : index; }
INLINE long place_from_start(long index, long) { return index; }
// The same with a check: what is outside is reported, and read as 0.
INLINE long place(long index, long size, Report* report) {
    if (index >= -size && index < size) return place(index, size);
    fail(report, index, size);
    return 0;
}
INLINE long place_from_start(long index, long size, Report* report) {
    if (index >= 0 && index < size) return index;
    fail(report, index, size);
    return 0;
}

// Whether a place belongs to block `block` of `owners`: all writes to one place are by one thread, in order.
template <int owners>
INLINE bool mine(long at, unsigned block) { return (unsigned long)at % owners == block; }

// Lists which threads of the block say yes, in order; returns how many do. The list holds until the next call.
INLINE int listed(bool yes, int* list) {
    __shared__ int counts[32];
    unsigned votes = __ballot_sync(everyone, yes);
    int warp = threadIdx.x / 32, before = 0, all = 0;
    __syncthreads();
    if (lane() == 0) counts[warp] = __popc(votes);
    __syncthreads();
    for (int n = 0; n < blockDim.x / 32; ++n) {
        before += n < warp ? counts[n] : 0;
        all += counts[n];
    }
    if (yes) list[before + __popc(votes & ((1u << lane()) - 1))] = threadIdx.x;
    __syncthreads();
    return all;
}

}  // namespace lamella
