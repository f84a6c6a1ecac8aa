// A convolution, and its gradient in the input, which is a convolution apart for each phase of the stride.
#pragma once
#include "conv_columns.h"

namespace lamella {

// Shares out (image, group, part, panels): fn(image, group, part, plane, first panel, end). Returns whether some group of
// channels was done by several threads.
struct Shares {
    long chunks = 1, units, parts, groups;
    const Window* windows;
    Shares(int threads, long n, long groups, long parts, const Window* windows, long width)
        : units(n * groups * parts), parts(parts), groups(groups), windows(windows) {
        long most = 1;
        for (long p = 0; p < parts; p++) {
            const long here = ceil_div(windows[p].positions(), width);
            most = here > most ? here : most;
        }
        if (threads > 1 && units < 4 * threads) chunks = ceil_div(4 * threads, units);
        if (chunks > most) chunks = most;
        units *= chunks;
    }
    bool split() const { return chunks > 1 || parts > 1; }
    template <class Fn, class Done>
    void run(int me, int count, long width, const Fn& fn, const Done& done) const {
        for (long u = units * me / count; u < units * (me + 1) / count; u++) {
            const long chunk = u % chunks, part = u / chunks % parts, at = u / chunks / parts;
            const Window& v = windows[part];
            if (v.count.all() > 0) {
                const Pieces pieces{ceil_div(v.positions(), width), chunks};
                for (long d = 0; d < v.count[0]; d++)
                    fn(at / groups, at % groups, part, d, pieces.start(chunk), pieces.start(chunk + 1));
            }
            if (!split()) done(at);
        }
    }
};

template <class T>
OUTLINE void convolve(Conv s, T* out, const T* x, const T* weight, const T* bias, Range done) {
    if (better_as_columns<T>(s)) {
        columns_forward<T>(s, out, x, weight, bias);
        return finish(done, s.n * s.groups * s.co, s.out.all(), threads_for(s.work()));
    }
    const Layout l = layout_of(s);
    const long k = s.taps(), wide = s.in.all(), size = s.co * s.out.all(), images = s.n * s.groups;
    const bool direct = lies_right(l, s.in);
    const int threads = threads_for(s.work());
    long* offset = scratch<long>(4, k);
    tap_offsets(offset, s, l);
    T* packed = scratch<T>(5, s.groups * s.co * k + 64);
    for (long g = 0; g < s.groups; g++)
        pack_rows<T>(packed + g * s.co * k, Matrix<T>{weight + g * s.co * k, k, 1}, s.co, k, T(1));
    const Window v{s.out, 0, l.size[2], l.size[1] * l.size[2], {{s.out[1] * s.out[2], s.out[2], 1}}, 0};
    const Shares shares(threads, s.n, s.groups, 1, &v, Simd<T>::columns);
    parallel(threads, [&](int me, int count) {
        T* room = direct ? nullptr : scratch<T>(6, s.ci * l.channel() + Simd<T>::columns);
        long ready = -1;
        shares.run(me, count, Simd<T>::columns, [&](long image, long g, long, long d, long p0, long p1) {
            const long at = image * s.groups + g;
            const T* from = x + at * s.ci * wide;
            if (!direct && ready != at) lay_out<T>(room, from, s.ci, s.in, l);
            ready = at;
            convolve_window<T>(out + at * size, s.out.all(), s.co, k, packed + g * s.co * k, direct ? from : room, offset,
                               bias ? bias + g * s.co : nullptr, v, d, p0, p1,
                               direct && wide * s.ci * (images - 1 - at) < Simd<T>::columns);
        }, [&](long at) { done(at * size, (at + 1) * size); });
        if (!shares.split() || !done) return;
        if (count > 1) meet();
        finish_part(done, images * s.co, s.out.all(), me, count);
    });
}

// What one phase of a gradient of the input is: the places of the window that reach it.
struct Phase {
    long k;               // how many products it sums
    long weights, table;  // where its packed weights and offsets start
};

// Packs weights and offsets of a phase: places t with t * dilation % stride == r. Returns how many.
template <class T>
long pack_phase(T* packed, long* offset, const T* weight, const Conv& s, const Layout& l, const Three& r, const Three& reach) {
    const long taps = s.kernel.all();
    long* places = scratch<long>(7, taps);
    long many = 0;
    for (long a = 0; a < s.kernel[0]; a++)
        for (long b = 0; b < s.kernel[1]; b++)
            for (long e = 0; e < s.kernel[2]; e++) {
                const Three t{{a * s.dilation[0], b * s.dilation[1], e * s.dilation[2]}};
                long at = 0;
                bool hit = true;
                for (int d = 0; d < 3; d++) {
                    hit = hit && t[d] % s.stride[d] == r[d];
                    at = at * l.size[d] + reach[d] - t[d] / s.stride[d];
                }
                if (!hit) continue;
                places[many] = (a * s.kernel[1] + b) * s.kernel[2] + e;
                for (long o = 0; o < s.co; o++) offset[o * taps + many] = o * l.channel() + at;
                many++;
            }
    // Close the gaps: one row of places for each output channel.
    for (long o = 1; o < s.co && many < taps; o++)
        for (long q = 0; q < many; q++) offset[o * many + q] = offset[o * taps + q];
    const Pieces tiles{s.ci, ceil_div(s.ci, tile_rows)};
    for (long g = 0; g < s.groups; g++)
        for (long t = 0; t < tiles.count; t++) {
            const long c0 = tiles.start(t), rows = tiles.start(t + 1) - c0;
            T* to = packed + (g * s.ci + c0) * s.co * many;
            for (long o = 0; o < s.co; o++)
                for (long q = 0; q < many; q++)
                    for (long c = 0; c < rows; c++)
                        *to++ = weight[((g * s.co + o) * s.ci + c0 + c) * taps + places[q]];
        }
    return many;
}

// dx of a convolution: a convolution of g, apart for each phase of the stride. bias: added to each of its channels.
template <class T>
OUTLINE void convolve_back(Conv s, T* dx, const T* g, const T* weight, const T* bias, Range done) {
    if (better_as_columns<T>(s)) {
        columns_backward_input<T>(s, dx, g, weight, bias);
        return finish(done, s.n * s.groups * s.ci, s.in.all(), threads_for(s.work()));
    }
    const int threads = threads_for(s.work());
    const long phases = s.stride.all(), taps = s.kernel.all();
    Layout l;
    Three reach;
    for (int d = 0; d < 3; d++) {
        reach[d] = (s.kernel[d] - 1) * s.dilation[d] / s.stride[d];
        l.phases[d] = 1;
        l.before[d] = reach[d];
        l.size[d] = (s.in[d] - 1 + s.pad[d]) / s.stride[d] + 1 + reach[d];
    }
    // Rows of fewer than all phases are the shorter, so there is room for all.
    long* offset = scratch<long>(4, phases * s.co * taps);
    T* packed = scratch<T>(5, phases * s.groups * s.ci * s.co * taps + 64);
    struct Free {
        void* at;
        ~Free() { std::free(at); }
    } held{std::malloc(phases * (sizeof(Phase) + sizeof(Window)))};
    Phase* phase = (Phase*)held.at;
    Window* windows = (Window*)(phase + phases);
    long weights = 0, table = 0;
    for (long p = 0; p < phases; p++) {
        const Three r{{p / (s.stride[1] * s.stride[2]), p / s.stride[2] % s.stride[1], p % s.stride[2]}};
        Window& v = windows[p];
        v = {{}, 0, l.size[2], l.size[1] * l.size[2], {}, 0};
        long first = 0;
        for (int d = 0; d < 3; d++) {
            const long q0 = s.pad[d] > r[d] ? ceil_div(s.pad[d] - r[d], s.stride[d]) : 0;
            const long x0 = q0 * s.stride[d] + r[d] - s.pad[d];
            v.count[d] = x0 < s.in[d] ? (s.in[d] - 1 - x0) / s.stride[d] + 1 : 0;
            v.base = v.base * l.size[d] + q0;
            first = first * s.in[d] + x0;
        }
        v.step = {{s.stride[0] * s.in[1] * s.in[2], s.stride[1] * s.in[2], s.stride[2]}};
        const long many = pack_phase<T>(packed + weights, offset + table, weight, s, l, r, reach);
        phase[p] = {many * s.co, weights, table};
        weights += s.groups * s.ci * s.co * many;
        table += s.co * taps;
        v.first = first;
    }
    const long wide = s.out.all(), size = s.ci * s.in.all(), images = s.n * s.groups;
    const Shares shares(threads, s.n, s.groups, phases, windows, Simd<T>::columns);
    parallel(threads, [&](int me, int count) {
        const bool direct = lies_right(l, s.out);
        T* room = direct ? nullptr : scratch<T>(6, s.co * l.channel() + Simd<T>::columns);
        long ready = -1;
        shares.run(me, count, Simd<T>::columns, [&](long image, long group, long part, long d, long p0, long p1) {
            const long at = image * s.groups + group;
            const T* from = g + at * s.co * wide;
            if (!direct && ready != at) lay_out<T>(room, from, s.co, s.out, l);
            ready = at;
            const Phase& f = phase[part];
            const Window& v = windows[part];
            convolve_window<T>(dx + at * size + v.first, s.in.all(), s.ci, f.k, packed + f.weights + group * s.ci * f.k,
                               direct ? from : room, offset + f.table, bias ? bias + group * s.ci : nullptr, v, d, p0, p1,
                               direct && wide * s.co * (images - 1 - at) < Simd<T>::columns);
        }, [&](long at) { done(at * size, (at + 1) * size); });
        if (!shares.split() || !done) return;
        if (count > 1) meet();
        finish_part(done, images * s.ci, s.in.all(), me, count);
    });
}

}  // namespace lamella
