// Products of matrices of whole numbers, which the device's library does not do.
#pragma once
#include "types.cuh"

namespace lamella {

// A batch of matrices: elements from one to the next, from row to row, from column to column.
template <class T>
struct Matrices {
    const T* first;
    long step, row, column;
    INLINE T at(long batch, long i, long j) const { return first[batch * step + i * row + j * column]; }
};

struct ProductSizes {
    long m, n, k;
};

// One 16 x 16 tile of c (m, n) = a (m, k) @ b (k, n), c row-major, for matrix blockIdx.z of a batch. Sums wrap.
template <class T, class Sum>
INLINE void product_tile(ProductSizes size, T* c, Matrices<T> a, Matrices<T> b) {
    constexpr int tile = 16;
    __shared__ T left[tile][tile + 1], right[tile][tile + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const long batch = blockIdx.z, row = blockIdx.y * long(tile) + y, column = blockIdx.x * long(tile) + x;
    Sum sum = 0;
    for (long start = 0; start < size.k; start += tile) {
        left[y][x] = row < size.m && start + x < size.k ? a.at(batch, row, start + x) : T(0);
        right[y][x] = start + y < size.k && column < size.n ? b.at(batch, start + y, column) : T(0);
        __syncthreads();
        for (int p = 0; p < tile; ++p) sum = add(sum, mul(Sum(left[y][p]), Sum(right[p][x])));
        __syncthreads();
    }
    if (row < size.m && column < size.n) c[(batch * size.m + row) * size.n + column] = T(sum);
}

}  // namespace lamella
