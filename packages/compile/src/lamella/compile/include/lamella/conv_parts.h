// What convolutions in one to three dimensions are made of: images laid out so that each place of the kernel window reads
// whole runs of memory, and products over them that copy nothing.
//
// Positions of a plane are counted along its padded rows, so that a step of the window is a constant distance in memory;
// the few positions between the end of one row and the start of the next are computed and dropped.
#pragma once
#include "gemm.h"

namespace lamella {

struct Three {
    long v[3];
    long operator[](int i) const { return v[i]; }
    long& operator[](int i) { return v[i]; }
    long all() const { return v[0] * v[1] * v[2]; }
};

// A convolution (n, groups * ci, in) with (groups * co, ci, kernel) to (n, groups * co, out).
struct Conv {
    long n, groups, ci, co;
    Three in, kernel, out, stride, pad, dilation;
    long taps() const { return ci * kernel.all(); }
    double work() const { return double(n) * groups * co * taps() * out.all(); }
};

// Images in memory that is ready: `phases` planes for each channel (every stride-th element of each dimension).
struct Layout {
    Three size, phases;  // of one plane; how many planes along each dimension
    Three before;        // zeros in front, before the split into phases
    long plane() const { return size.all(); }
    long channel() const { return size.all() * phases.all(); }
};

// to: c channels in the layout; from: c channels of size `in`.
template <class T>
OUTLINE void lay_out(T* to, const T* from, long c, Three in, const Layout& l) {
    const long s = l.phases[2], width = l.size[2];
    for (long ch = 0; ch < c; ch++, from += in.all())
        for (long a = 0; a < l.phases[0]; a++)
            for (long b = 0; b < l.phases[1]; b++)
                for (long e = 0; e < s; e++) {
                    // Element x of a row is from[x * s + e - before].
                    const long shift = e - l.before[2];
                    long x0 = shift < 0 ? (-shift + s - 1) / s : 0, x1 = (in[2] - shift + s - 1) / s;
                    if (x1 > width) x1 = width;
                    if (x1 < x0) x0 = x1 = width;
                    for (long z = 0; z < l.size[0]; z++)
                        for (long y = 0; y < l.size[1]; y++, to += width) {
                            const long sz = z * l.phases[0] + a - l.before[0], sy = y * l.phases[1] + b - l.before[1];
                            if (sz < 0 || sz >= in[0] || sy < 0 || sy >= in[1]) {
                                std::memset(to, 0, width * sizeof(T));
                                continue;
                            }
                            const T* row = from + (sz * in[1] + sy) * in[2] + shift;
                            for (long x = 0; x < x0; x++) to[x] = 0;
                            if (s == 1)
                                std::memcpy(to + x0, row + x0, (x1 - x0) * sizeof(T));
                            else
                                for (long x = x0; x < x1; x++) to[x] = row[x * s];
                            for (long x = x1; x < width; x++) to[x] = 0;
                        }
                }
}

// How the input of a convolution is laid out.
inline Layout layout_of(const Conv& s) {
    Layout l;
    for (int d = 0; d < 3; d++) {
        l.phases[d] = s.stride[d];
        l.before[d] = s.pad[d];
        l.size[d] = s.out[d] + (s.kernel[d] - 1) * s.dilation[d] / s.stride[d];
    }
    return l;
}

// Whether an image is in its layout as it lies.
inline bool lies_right(const Layout& l, Three in) {
    for (int d = 0; d < 3; d++)
        if (l.phases[d] != 1 || l.before[d] || l.size[d] != in[d]) return false;
    return true;
}

// Where each place of the window (channel, then place) finds its element of the first window.
inline void tap_offsets(long* to, const Conv& s, const Layout& l) {
    for (long c = 0; c < s.ci; c++)
        for (long a = 0; a < s.kernel[0]; a++)
            for (long b = 0; b < s.kernel[1]; b++)
                for (long e = 0; e < s.kernel[2]; e++) {
                    const Three t{{a * s.dilation[0], b * s.dilation[1], e * s.dilation[2]}}, p = l.phases;
                    const long phase = ((t[0] % p[0]) * p[1] + t[1] % p[1]) * p[2] + t[2] % p[2];
                    *to++ = c * l.channel() + phase * l.plane() +
                            ((t[0] / p[0]) * l.size[1] + t[1] / p[1]) * l.size[2] + t[2] / p[2];
                }
}

// Results: `count` positions along each dimension from `base` on in planes with rows of `width`, and where they go.
struct Window {
    Three count;
    long base, width, plane;
    Three step;  // between neighbours in the result
    long first;  // where the result starts
    long positions() const { return (count[1] - 1) * width + count[2]; }
};

// The runs of a panel: position `from` of the panel and on, to `to` of the result.
struct Runs {
    long count = 0;
    long from[64], to[64], length[64];
    Runs(const Window& v, long j, long n) {
        for (long p = j; p < j + n;) {
            const long y = p / v.width, x = p % v.width;
            if (x >= v.count[2]) {
                p += v.width - x;
                continue;
            }
            const long rest = v.count[2] - x < j + n - p ? v.count[2] - x : j + n - p;
            from[count] = p - j;
            to[count] = y * v.step[1] + x * v.step[2];
            length[count++] = rest;
            p += rest;
        }
    }
};

// Runs of a tile to their places. Whole vectors are written where what lies behind a run comes later anyway: before
// `limit`.
template <class T>
inline void copy_runs(T* out, long out_step, const T* edge, long edge_step, long rows, const Runs& runs, long step, long limit) {
    typedef typename Simd<T>::loose L;
    constexpr long n = Simd<T>::lanes;
    for (long q = 0; q < runs.count; q++) {
        const T* from = edge + runs.from[q];
        T* to = out + runs.to[q];
        const long size = runs.length[q];
        if (step != 1) {
            for (long r = 0; r < rows; r++)
                for (long x = 0; x < size; x++) to[r * out_step + x * step] = from[r * edge_step + x];
            continue;
        }
        long x = 0;
        for (; x + n <= size || (x < size && runs.to[q] + x + n <= limit); x += n)
            for (long r = 0; r < rows; r++) *(L*)(to + r * out_step + x) = *(const L*)(from + r * edge_step + x);
        for (; x < size; x++)
            for (long r = 0; r < rows; r++) to[r * out_step + x] = from[r * edge_step + x];
    }
}

// out (m rows, `out_step` apart) = bias + a x over the panels [p0, p1) of plane d. a: packed, k numbers for each row; x: laid
// out, read at offset[k] + position. `shy`: less than a panel of memory behind x may be read.
template <class T>
OUTLINE void convolve_window(T* out, long out_step, long m, long k, const T* a, const T* x, const long* offset,
                             const T* bias, const Window& v, long d, long p0, long p1, bool shy) {
    constexpr long w = Simd<T>::columns, half = Simd<T>::lanes;
    alignas(64) T edge[tile_rows * w + half];
    const Pieces tiles{m, ceil_div(m, tile_rows)};
    const long end = v.positions();
    const bool dense = v.width == v.count[2] && v.step[2] == 1 && v.step[1] == v.width;
    const long last = (p1 * w < end ? p1 * w : end) - 1;
    const bool rows_meet = v.step[2] == 1 && v.step[1] == v.count[2];
    const long column = last % v.width < v.count[2] ? last % v.width + 1 : v.count[2];
    const long limit = rows_meet ? last / v.width * v.step[1] + column : 0;
    T* shift = bias ? scratch<T>(1, m * w) : nullptr;
    for (long i = 0; bias && i < m; i++)
        for (long q = 0; q < w; q++) shift[i * w + q] = bias[i];
    out += d * v.step[0];
    x += v.base + d * v.plane;
    for (long p = p0; p < p1; p++) {
        const long j = p * w, n = end - j < w ? end - j : w;
        T* packed = nullptr;
        if (shy && n < w) {
            packed = scratch<T>(3, k * w);
            for (long q = 0; q < k; q++)
                for (long i = 0; i < w; i++) packed[q * w + i] = i < n ? x[offset[q] + j + i] : T(0);
        }
        const Placed<T> right{x + j, offset};
        const bool straight = dense && n == w;
        const Runs runs(v, j, straight ? 0 : n);
        for (long t = 0; t < tiles.count; t++) {
            const long i = tiles.start(t), rows = tiles.start(t + 1) - i;
            const Base<T> base = bias ? Base<T>{shift + i * w, w} : Base<T>::zero();
            T* to = straight ? out + i * out_step + j : edge;
            const long step = straight ? out_step : w;
            if (packed)
                tile_of<T, 2>(rows, k, a + i * k, Packed<T>{packed, w}, to, step, base);
            else if (n > half)
                tile_of<T, 2>(rows, k, a + i * k, right, to, step, base);
            else
                tile_of<T, 1>(rows, k, a + i * k, right, to, step, base);
            if (!straight) copy_runs<T>(out + i * out_step, out_step, edge, w, rows, runs, v.step[2], limit);
        }
    }
}

}  // namespace lamella
