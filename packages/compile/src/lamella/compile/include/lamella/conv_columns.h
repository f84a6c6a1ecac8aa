// Convolutions of small images as products: the windows of many images side by side as columns. Positions between rows cost
// nothing here, but every element is copied once for each place of the window.
#pragma once
#include "conv_parts.h"

namespace lamella {

// Whether the copies cost less than the positions between rows that would be computed for nothing.
template <class T>
inline bool better_as_columns(const Conv& s) {
    constexpr long lanes = Simd<T>::lanes;
    const Layout l = layout_of(s);
    const long done = s.out[0] * ceil_div((s.out[1] - 1) * l.size[2] + s.out[2], lanes) * lanes;
    const double waste = double(done) / s.out.all() - 1;
    return waste > 0.2 && waste * s.co > 3 * lanes;
}

// Columns of some images of one group at a time.
template <class T>
struct Columns {
    const Conv& s;
    Layout l;
    long k, positions, block;
    const int* place;  // of each place of the window, for each position: where it reads a laid out image
    explicit Columns(const Conv& s) : s(s), l(layout_of(s)), k(s.taps()), positions(s.out.all()) {
        long* offset = scratch<long>(4, k);
        tap_offsets(offset, s, l);
        int* to = scratch<int>(4, k * positions);
        place = to;
        for (long t = 0; t < k; t++)
            for (long d = 0; d < s.out[0]; d++)
                for (long y = 0; y < s.out[1]; y++)
                    for (long x = 0; x < s.out[2]; x++) *to++ = int(offset[t] + (d * l.size[1] + y) * l.size[2] + x);
        block = (1L << 20) / (k * positions) + 1;
        if (block > s.n) block = s.n;
    }
    // fn(group, first image, images) for each block.
    template <class Fn>
    void blocks(const Fn& fn) const {
        for (long g = 0; g < s.groups; g++)
            for (long i = 0; i < s.n; i += block) fn(g, i, s.n - i < block ? s.n - i : block);
    }
    // fn(image of the block, memory for a laid out image) for each image, on several threads.
    template <class Fn>
    void each(long images, const Fn& fn) const {
        parallel(threads_for(8.0 * images * k * positions), [&](int me, int count) {
            T* room = scratch<T>(6, s.ci * l.channel());
            for (long q = images * me / count; q < images * (me + 1) / count; q++) fn(q, room);
        });
    }
    // x: the first image's group. Images are `step` apart.
    void gather(T* to, const T* x, long step, long images) const {
        each(images, [&](long q, T* room) {
            lay_out<T>(room, x + q * step, s.ci, s.in, l);
            for (long t = 0; t < k; t++) {
                T* row = to + (t * images + q) * positions;
                const int* at = place + t * positions;
                for (long p = 0; p < positions; p++) row[p] = room[at[p]];
            }
        });
    }
    void scatter(T* dx, long step, const T* from, long images, const T* bias) const {
        each(images, [&](long q, T* room) {
            std::memset(room, 0, s.ci * l.channel() * sizeof(T));
            for (long t = 0; t < k; t++) {
                const T* row = from + (t * images + q) * positions;
                const int* at = place + t * positions;
                for (long p = 0; p < positions; p++) room[at[p]] += row[p];
            }
            take_out(dx + q * step, room, bias);
        });
    }
    // The image in a layout, as it lies outside.
    void take_out(T* to, const T* room, const T* bias) const {
        auto at = [&](int d, long x, long step) -> long {
            const long p = x + l.before[d], index = p / l.phases[d];
            if (index >= l.size[d]) return -1;
            return p % l.phases[d] * step + index * (d == 2 ? 1 : d == 1 ? l.size[2] : l.size[1] * l.size[2]);
        };
        for (long c = 0; c < s.ci; c++, room += l.channel())
            for (long z = 0; z < s.in[0]; z++)
                for (long y = 0; y < s.in[1]; y++) {
                    const long a = at(0, z, l.phases[1] * l.phases[2] * l.plane()), b = at(1, y, l.phases[2] * l.plane());
                    for (long x = 0; x < s.in[2]; x++) {
                        const long e = at(2, x, l.plane());
                        *to++ = (a < 0 || b < 0 || e < 0 ? T(0) : room[a + b + e]) + (bias ? bias[c] : T(0));
                    }
                }
    }
};

// to: rows of channels, images side by side. g: the first image's group.
template <class T>
inline void side_by_side(T* to, const T* g, long step, long channels, long images, long positions) {
    for (long c = 0; c < channels; c++)
        for (long q = 0; q < images; q++, to += positions)
            std::memcpy(to, g + q * step + c * positions, positions * sizeof(T));
}

template <class T>
OUTLINE void columns_forward(const Conv& s, T* out, const T* x, const T* weight, const T* bias) {
    const Columns<T> made(s);
    const long k = made.k, p = made.positions, in = s.ci * s.in.all();
    made.blocks([&](long g, long i, long images) {
        const long wide = images * p;
        T* columns = scratch<T>(3, k * wide);
        T* product = scratch<T>(5, s.co * wide);
        made.gather(columns, x + (i * s.groups + g) * in, s.groups * in, images);
        gemm<T>(s.co, wide, k, 1, weight + g * s.co * k, k, 1, columns, wide, 1, false, product, wide, nullptr);
        for (long q = 0; q < images; q++)
            for (long o = 0; o < s.co; o++) {
                T* to = out + (((i + q) * s.groups + g) * s.co + o) * p;
                const T* from = product + o * wide + q * p;
                const T shift = bias ? bias[g * s.co + o] : T(0);
                for (long j = 0; j < p; j++) to[j] = from[j] + shift;
            }
    });
}

template <class T>
OUTLINE void columns_backward_input(const Conv& s, T* dx, const T* g, const T* weight, const T* bias) {
    const Columns<T> made(s);
    const long k = made.k, p = made.positions, in = s.ci * s.in.all();
    made.blocks([&](long group, long i, long images) {
        const long wide = images * p;
        T* columns = scratch<T>(3, k * wide);
        T* up = scratch<T>(5, s.co * wide);
        side_by_side<T>(up, g + (i * s.groups + group) * s.co * p, s.groups * s.co * p, s.co, images, p);
        gemm<T>(k, wide, s.co, 1, weight + group * s.co * k, 1, k, up, wide, 1, false, columns, wide, nullptr);
        made.scatter(dx + (i * s.groups + group) * in, s.groups * in, columns, images, bias ? bias + group * s.ci : nullptr);
    });
}

template <class T>
OUTLINE void columns_backward_weight(const Conv& s, T* dw, T* db, const T* g, const T* x) {
    const Columns<T> made(s);
    const long k = made.k, p = made.positions, in = s.ci * s.in.all();
    made.blocks([&](long group, long i, long images) {
        const long wide = images * p;
        T* columns = scratch<T>(3, k * wide);
        T* up = scratch<T>(5, s.co * wide);
        made.gather(columns, x + (i * s.groups + group) * in, s.groups * in, images);
        side_by_side<T>(up, g + (i * s.groups + group) * s.co * p, s.groups * s.co * p, s.co, images, p);
        gemm<T>(s.co, k, wide, 1, up, wide, 1, columns, 1, wide, i > 0, dw + group * s.co * k, k, nullptr);
        for (long o = 0; db && o < s.co; o++) {
            T sum = i ? db[group * s.co + o] : T(0);
            for (long j = 0; j < wide; j++) sum += up[o * wide + j];
            db[group * s.co + o] = sum;
        }
    });
}

}  // namespace lamella
