// What recurrent loops share. Each thread does a range of the state's units in all steps: its part of the weight stays
// packed in its cache, and threads meet once in each step.
#pragma once
#include "gemm.h"
#include "math.h"

namespace lamella {

// A sequence: `steps` times, `rows` of the states, and how many of them each time has (not set: all).
struct Times {
    long steps, rows;
    const long* sizes;
    bool reverse;
    long size(long t) const { return sizes ? sizes[t] : rows; }
    long total() const {
        long sum = sizes ? 0 : steps * rows;
        for (long t = 0; sizes && t < steps; t++) sum += sizes[t];
        return sum;
    }
};

// Goes over the times in the order in which they are run, or in the opposite one.
struct Walk {
    Times times;
    bool backwards;  // opposite to the order of the forward loop
    long at, first;  // the time, and its first row
    Walk(const Times& times, bool backwards) : times(times), backwards(backwards) {
        const bool down = times.reverse != backwards;
        at = down ? times.steps - 1 : 0;
        first = down ? times.total() - (times.steps ? times.size(at) : 0) : 0;
    }
    bool more() const { return at >= 0 && at < times.steps; }
    long count() const { return times.size(at); }
    void next() {
        if (times.reverse != backwards) {
            if (--at >= 0) first -= times.size(at);
        } else {
            first += times.size(at++);
        }
    }
    // The first row of the time that the forward loop runs before this one, and how many rows it has.
    long before_first() const { return times.reverse ? first + count() : first - (at ? times.size(at - 1) : 0); }
    long before_count() const {
        if (times.reverse) return at + 1 < times.steps ? times.size(at + 1) : 0;
        return at ? times.size(at - 1) : 0;
    }
};

// Units in blocks of one vector: those of a thread.
struct Units {
    long first, end;
    template <class T>
    static Units of(long size, int me, int count) {
        constexpr long n = Simd<T>::lanes;
        const long blocks = ceil_div(size, n);
        const long end = blocks * (me + 1) / count * n;
        return {blocks * me / count * n, end < size ? end : size};
    }
};

// The weight (G * size, size) for units [u, end): for each block of units, for each k, one vector for each gate.
template <class T, int G>
void pack_gates(T* to, const T* weight, long size, Units units) {
    constexpr long n = Simd<T>::lanes;
    for (long u = units.first; u < units.end; u += n, to += size * G * n) {
        const long m = units.end - u < n ? units.end - u : n;
        const long whole = size / n * n;
        for (int g = 0; g < G; g++) {
            const T* from = weight + (g * size + u) * size;
            for (long p = 0; p < whole; p += n)
                pack_square<T, vector_bytes>(to + p * G * n + g * n, from + p, size, m, G * n);
            for (long p = whole; p < size; p++)
                for (long q = 0; q < n; q++) to[p * G * n + g * n + q] = q < m ? from[q * size + p] : T(0);
        }
    }
}

// How many units a cell does: a whole vector is known when it is compiled.
template <long N>
struct Whole {
    constexpr operator long() const { return N; }
};

// Rows [0, rows) of m columns from `from` to the place of unit u in packed rows.
template <class T>
inline void pack_units(T* to, const T* from, long row, long rows, long m) {
    T room[Simd<T>::lanes * (tile_rows + 1)];
    pack<T>(room, from, row, 1, rows, m, rows);
    std::memcpy(to, room, m * rows * sizeof(T));
}

// The forward loop. cell(row, r, u, m, part): row of the sequence, row of the state, units [u, u + m); part: for each gate
// the product of the old state and the weight. It puts the new state into h, which starts as the first one.
template <class T, int G, class Cell>
void loop_forward(const Times& times, long size, const T* weight, T* h, const Cell& cell) {
    constexpr long n = Simd<T>::lanes, w = G * n;
    constexpr int most = tile_rows > 6 ? (G > 3 ? 7 : 8) : (G > 1 ? 2 : 6);
    const Pieces tiles{times.rows, ceil_div(times.rows, most)};
    const long states = times.rows * size + n;
    const int threads = threads_for(double(times.total()) * size * size * G);
    T* packed_states = scratch<T>(3, 2 * states);
    parallel(threads, [&](int me, int count) {
        const Units units = Units::of<T>(size, me, count);
        T* packed = scratch<T>(4, (units.end - units.first + n) * size * G + n);
        pack_gates<T, G>(packed, weight, size, units);
        T *old = packed_states, *fresh = packed_states + states;
        auto keep = [&](T* to, long t, long u, long m) {
            const long r0 = tiles.start(t), rows = tiles.start(t + 1) - r0;
            pack_units<T>(to + r0 * size + u * rows, h + r0 * size + u, size, rows, m);
        };
        for (long t = 0; t < tiles.count; t++)
            for (long u = units.first; u < units.end; u += n) keep(old, t, u, units.end - u < n ? units.end - u : n);
        if (count > 1) meet();
        for (Walk walk(times, false); walk.more(); walk.next()) {
            for (long u = units.first; u < units.end; u += n) {
                const Packed<T> right{packed + (u - units.first) * size * G, w};
                const long m = units.end - u < n ? units.end - u : n;
                for (long t = 0; t < tiles.count; t++) {
                    const long r0 = tiles.start(t), rows = tiles.start(t + 1) - r0;
                    const long live = walk.count() - r0 < rows ? walk.count() - r0 : rows;
                    alignas(64) T part[most * w];
                    if (live > 0)
                        tile_of<T, G, Packed<T>, most>(rows, size, old + r0 * size, right, part, w, Base<T>::zero());
                    for (long r = 0; r < live; r++)
                        if (m == n)
                            cell(walk.first + r0 + r, r0 + r, u, Whole<n>{}, part + r * w);
                        else
                            cell(walk.first + r0 + r, r0 + r, u, m, part + r * w);
                    keep(fresh, t, u, m);
                }
            }
            T* other = old;
            old = fresh;
            fresh = other;
            if (count > 1) meet();
        }
    });
}

// The backward loop. cell(walk, row, r, u, m) writes the gradients of the gates of units [u, u + m) into d (rows of all
// times, G * size). Then dh (rows, size) of these units becomes their product with the weight (added to dh where `add`).
template <class T, int G, class Cell>
void loop_backward(const Times& times, long size, const T* weight, const T* d, T* dh, bool add, const Cell& cell) {
    constexpr long n = Simd<T>::lanes, w = 2 * n;
    const long k = G * size, gates = times.rows * k + n;
    const int threads = threads_for(double(times.total()) * size * k);
    T* packed_gates = scratch<T>(3, 2 * gates);
    parallel(threads, [&](int me, int count) {
        const Units units = Units::of<T>(size, me, count);
        T* packed = scratch<T>(4, (units.end - units.first + w) * k + n);
        for (long u = units.first; u < units.end; u += w)
            pack<T>(packed + (u - units.first) * k, weight + u, 1, size, units.end - u < w ? units.end - u : w, k,
                    units.end - u > n ? w : n);
        T *here = packed_gates, *other = packed_gates + gates;
        for (Walk walk(times, true); walk.more(); walk.next()) {
            const Pieces tiles{walk.count(), ceil_div(walk.count(), tile_rows)};
            for (long t = 0; t < tiles.count; t++) {
                const long r0 = tiles.start(t), rows = tiles.start(t + 1) - r0;
                for (long u = units.first; u < units.end; u += n) {
                    const long m = units.end - u < n ? units.end - u : n;
                    for (long r = r0; r < r0 + rows; r++)
                        if (m == n)
                            cell(walk, walk.first + r, r, u, Whole<n>{});
                        else
                            cell(walk, walk.first + r, r, u, m);
                    for (int g = 0; g < G; g++)
                        pack_units<T>(here + r0 * k + (g * size + u) * rows, d + (walk.first + r0) * k + g * size + u, k, rows, m);
                }
            }
            if (count > 1) meet();
            multiply_block<T>(walk.count(), k, here, packed, w * k, units.first, units.end, dh, size, nullptr, add);
            T* swap = here;
            here = other;
            other = swap;
        }
    });
}

// For each row of the sequence the state before it.
template <class T>
T* states_before(const Times& times, long size, const T* states, const T* first) {
    T* before = scratch<T>(5, times.total() * size);
    for (Walk walk(times, false); walk.more(); walk.next()) {
        const long had = walk.before_count() < walk.count() ? walk.before_count() : walk.count();
        std::memcpy(before + walk.first * size, states + walk.before_first() * size, had * size * sizeof(T));
        std::memcpy(before + (walk.first + had) * size, first + had * size, (walk.count() - had) * size * sizeof(T));
    }
    return before;
}

// dw (G * size, size) = the gradients of gates, transposed, times the states before.
template <class T>
void weight_gradient(const Times& times, long size, long gates, const T* d, const T* before, T* dw) {
    gemm<T>(gates, size, times.total(), 1, d, 1, gates, before, size, 1, false, dw, size, nullptr);
}

// fn(q) for each unit of a cell; they do not depend on each other.
template <class M, class Fn>
INLINE inline void each(M m, const Fn& fn) {
    const long units = m;
#pragma GCC ivdep
    for (long q = 0; q < units; q++) fn(q);
}

// to[q] += from[at + q], where there is something to add.
template <class T, class M>
INLINE inline void add_up(T* to, const T* from, long at, M m) {
    if (from) each(m, [&](long q) INLINE { to[q] += from[at + q]; });
}

template <class T>
inline void start_from(T* to, const T* from, long count) {
    if (from)
        std::memcpy(to, from, count * sizeof(T));
    else
        std::memset(to, 0, count * sizeof(T));
}

}  // namespace lamella
