// The gradient of a convolution in its weight: sums over positions, vector by vector, of images laid out as for the
// convolution itself.
#pragma once
#include "conv_columns.h"

namespace lamella {

// Sums over positions: to[i * step + j] += sum of g[i * grow + p] x[offset[j] + p] for M rows and N places.
template <class T, int M, int N>
OUTLINE void correlate_tile(T* to, long step, const T* g, long grow, const T* x, const long* offset,
                            long rows, long places, long images, long gimage, long ximage, long length) {
    typedef typename Simd<T>::type V;
    typedef typename Simd<T>::loose L;
    constexpr int n = Simd<T>::lanes;
    V sum[M][N] = {};
    const T* at[N];
    for (long i = 0; i < images; i++, g += gimage, x += ximage) {
        for (int j = 0; j < N; j++) at[j] = x + offset[j < places ? j : places - 1];
        const T* row[M];
        for (int r = 0; r < M; r++) row[r] = g + (r < rows ? r : rows - 1) * grow;
        for (long p = 0; p < length; p += n) {
            V left[M];
#pragma GCC unroll 4
            for (int r = 0; r < M; r++) left[r] = ((const L*)(row[r] + p))[0];
#pragma GCC unroll 8
            for (int j = 0; j < N; j++) {
                V right = ((const L*)(at[j] + p))[0];
                LAMELLA_KEEP(right);
#pragma GCC unroll 4
                for (int r = 0; r < M; r++) sum[r][j] += left[r] * right;
            }
        }
    }
    constexpr int groups = (M * N + n - 1) / n;
    V flat[groups * n] = {};
#pragma GCC unroll 4
    for (int r = 0; r < M; r++)
#pragma GCC unroll 8
        for (int j = 0; j < N; j++) flat[r * N + j] = sum[r][j];
#pragma GCC unroll 16
    for (int q = 0; q < groups; q++) sum_lanes<V, n>(flat + q * n);
    for (int r = 0; r < M && r < rows; r++)
        for (int j = 0; j < N && j < places; j++) to[r * step + j] += flat[(r * N + j) / n * n][(r * N + j) % n];
}

// All tiles of some images of one group.
template <class T>
void correlate(const Conv& s, T* to, const T* g, const T* x, const long* offset, long images, long gimage, long ximage,
               long grow, long length, const Layout& l) {
    constexpr int rows = tile_rows > 6 ? 4 : 2;
    const long k = s.taps(), plane = l.size[1] * l.size[2];
    // A tile of 6 places, or of 3 where that wastes less.
    const bool three = k % 6 && k % 6 <= 3 && k < 12;
    const long width = three ? 3 : 6;
    // As many rows of g at once as the cache of a core holds.
    long block = (1L << 17) / (images * grow) / rows * rows;
    if (block < rows) block = rows;
    auto run = s.co == 1 ? (three ? correlate_tile<T, 1, 3> : correlate_tile<T, 1, 6>)
                         : (three ? correlate_tile<T, rows, 3> : correlate_tile<T, rows, 6>);
    for (long o0 = 0; o0 < s.co; o0 += block)
        for (long d = 0; d < s.out[0]; d++)
            for (long j = 0; j < k; j += width)
                for (long o = o0; o < s.co && o < o0 + block; o += rows)
                    run(to + o * k + j, k, g + o * grow + d * length, grow, x + d * plane, offset + j,
                        s.co - o < rows ? s.co - o : rows, k - j < width ? k - j : width, images, gimage, ximage, length);
}

// g of some images in the rows of the input's layout, with zeros between and a whole number of vectors a row.
template <class T>
void widen_rows(T* to, const T* g, long channels, Three out, long width, long length, T* sums) {
    for (long c = 0; c < channels; c++) {
        T total = 0;
        for (long d = 0; d < out[0]; d++, to += length) {
            T* row = to;
            for (long y = 0; y < out[1]; y++, g += out[2]) {
                std::memcpy(row, g, out[2] * sizeof(T));
                row += out[2];
                const long gap = y + 1 < out[1] ? width - out[2] : to + length - row;
                for (long x = 0; x < gap; x++) row[x] = 0;
                row += gap;
            }
            if (sums) {
                typedef typename Simd<T>::type V;
                V total_of = {};
                for (long p = 0; p < length; p += Simd<T>::lanes) total_of += *(typename Simd<T>::loose*)(to + p);
                for (int q = 0; q < Simd<T>::lanes; q++) total += total_of[q];
            }
        }
        if (sums) sums[c] += total;
    }
}

// dw once more, for inputs that hold infinity or nan: those must not meet the zeros between rows.
template <class T>
OUTLINE void correlate_exactly(const Conv& s, T* dw, const T* g, const T* x, const long* offset, const Layout& l) {
    const long k = s.taps(), positions = s.out.all();
    T* room = scratch<T>(6, s.ci * l.channel());
    T* columns = scratch<T>(5, k * positions);
    for (long at = 0; at < s.n * s.groups; at++) {
        lay_out<T>(room, x + at * s.ci * s.in.all(), s.ci, s.in, l);
        T* to = columns;
        for (long t = 0; t < k; t++)
            for (long d = 0; d < s.out[0]; d++)
                for (long y = 0; y < s.out[1]; y++, to += s.out[2])
                    std::memcpy(to, room + offset[t] + (d * l.size[1] + y) * l.size[2], s.out[2] * sizeof(T));
        gemm<T>(s.co, k, positions, 1, g + at * s.co * positions, positions, 1, columns, 1, positions,
                at >= s.groups, dw + at % s.groups * s.co * k, k, nullptr);
    }
}

// dw (and db, where not null) of a convolution.
template <class T>
OUTLINE void correlate_images(Conv s, T* dw, T* db, const T* g, const T* x) {
    if (better_as_columns<T>(s)) return columns_backward_weight<T>(s, dw, db, g, x);
    constexpr long lanes = Simd<T>::lanes;
    const Layout l = layout_of(s);
    const long k = s.taps(), size = s.groups * s.co * k, width = l.size[2];
    const long length = ceil_div((s.out[1] - 1) * width + s.out[2], lanes) * lanes;
    const long grow = s.out[0] * length, gimage = s.co * grow, ximage = s.ci * l.channel() + 2 * lanes;
    const int threads = threads_for(s.work());
    long* offset = scratch<long>(4, k);
    tap_offsets(offset, s, l);
    // As many images at once as the cache of a core holds, but enough for sums that are long.
    long block = (1L << 17) / (gimage + ximage) + 1;
    if (block * length < 1024) block = ceil_div(1024, length);
    const long share = ceil_div(s.n, threads);
    if (block > share) block = share;
    T* parts = scratch<T>(5, (long)threads * (size + s.groups * s.co));
    parallel(threads, [&](int me, int count) {
        for (long part = me; part < threads; part += count) {
            T* mine = parts + part * (size + s.groups * s.co);
            T* sums = db ? mine + size : nullptr;
            std::memset(mine, 0, (size + s.groups * s.co) * sizeof(T));
            T* wide = scratch<T>(2, block * gimage);
            T* room = scratch<T>(6, block * ximage);
            const long n0 = s.n * part / threads, n1 = s.n * (part + 1) / threads;
            for (long group = 0; group < s.groups; group++)
                for (long i = n0; i < n1; i += block) {
                    const long images = n1 - i < block ? n1 - i : block;
                    for (long q = 0; q < images; q++) {
                        const long at = (i + q) * s.groups + group;
                        widen_rows<T>(wide + q * gimage, g + at * s.co * s.out.all(), s.co, s.out, width, length,
                                      sums ? sums + group * s.co : nullptr);
                        lay_out<T>(room + q * ximage, x + at * s.ci * s.in.all(), s.ci, s.in, l);
                        for (long z = 0; z < 2 * lanes; z++) room[q * ximage + s.ci * l.channel() + z] = 0;
                    }
                    correlate<T>(s, mine + group * s.co * k, wide, room, offset, images, gimage, ximage, grow, length, l);
                }
        }
        if (count > 1) meet();
        auto gather = [&](T* to, long at, long n) {
            for (long i = n * me / count; i < n * (me + 1) / count; i++) {
                T sum = parts[at + i];
                for (long p = 1; p < threads; p++) sum += parts[p * (size + s.groups * s.co) + at + i];
                to[i] = sum;
            }
        };
        gather(dw, 0, size);
        if (db) gather(db, size, s.groups * s.co);
    });
    for (long i = 0; i < size; i++)
        if (dw[i] != dw[i]) return correlate_exactly<T>(s, dw, g, x, offset, l);
}

}  // namespace lamella
