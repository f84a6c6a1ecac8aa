// Running sums and products along the threads of a block.
#pragma once

#include "reductions.cuh"

namespace lamella {

// `before` and the values of all threads up to and with this one, as one; `before` becomes that of the last thread.
template <class Op, class T>
INLINE T block_scan(T x, T& before) {
    int thread = thread_of_block(), lane = thread % warp_size, warps = blockDim.x * blockDim.y / warp_size;
    UNROLL for (int step = 1; step < warp_size; step *= 2) {
        T y;
        if constexpr (sizeof(T) < 4) y = T(__shfl_up_sync(everyone, int(x), step));
        else y = __shfl_up_sync(everyone, x, step);
        if (lane >= step) x = Op::of(y, x);
    }
    T* part = shared_room<T, most_threads / warp_size>();
    if (lane == warp_size - 1) part[thread / warp_size] = x;
    __syncthreads();
    T so_far = before;
    for (int n = 0; n < warps; ++n) {
        if (n == thread / warp_size) x = Op::of(so_far, x);
        so_far = Op::of(so_far, part[n]);
    }
    before = so_far;
    return x;
}
template <class T> INLINE T block_scan_sum(T x, T& before) { return block_scan<Plus>(x, before); }
template <class T> INLINE T block_scan_product(T x, T& before) { return block_scan<Times>(x, before); }

}  // namespace lamella
