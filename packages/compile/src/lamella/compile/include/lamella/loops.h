// The loops of compiled programs: shared between threads, and with accumulators that stay in registers.
#pragma once

#include <tuple>

#include "report.h"
#include "stream.h"
#include "totals.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#ifndef LAMELLA_THREAD_WORK
#define LAMELLA_THREAD_WORK 30000  // operations that are worth a thread
#endif

namespace lamella {

static __attribute__((noinline)) void share_range(long steps, double work, Range body) {
#ifdef _OPENMP
    long most = work < 2.0 * LAMELLA_THREAD_WORK || omp_in_parallel() ? 1 : omp_get_max_threads();
    long count = least(least(most, long(work / LAMELLA_THREAD_WORK) + 1), steps);
    if (count > 1) {
#pragma omp parallel num_threads(int(count))
        {
            long threads = omp_get_num_threads(), each = (steps + threads - 1) / threads;
            if (each > 256) each = (each + 63) / 64 * 64;
            long first = each * omp_get_thread_num();
            long last = least(first + each, steps);
            if (first < last) body(first, last);
            drain();
        }
        return;
    }
#endif
    if (steps > 0) body(0, steps);
    drain();
}

// body(first, last) for ranges that make up [0, steps), on several threads where the work is worth it.
template <class F>
inline void share(long steps, double work, const F& body) {
    share_range(steps, work, range(body));
}

// body(j, lane) for each j in [first, last): lanes go to different accumulators. Now and then the totals flush.
template <int n = lane_count, class F, class... Totals>
INLINE inline void lanes(long first, long last, F body, Totals&... totals) {
    constexpr long block = 4096;
    for (long start = first; start < last; start += block) {
        long stop = least(start + block, last), j = start;
        for (; j + n <= stop; j += n) {
            VECTOR _Pragma("GCC unroll 1")
            for (int k = 0; k < n; ++k) body(j + k, k);
        }
        VECTOR for (int k = 0; k < stop - j; ++k) body(j + k, k);
        (totals.flush(), ...);
    }
}

// body(r, k) for each r in [first, last) and k in [0, width), `rows` rows in one pass.
template <int rows, class F, class... Totals>
INLINE inline void columns(long first, long last, long width, F body, Totals&... totals) {
    constexpr long block = 256;
    for (long start = first; start < last; start += block) {
        long stop = least(start + block, last), r = start;
        if constexpr (rows == 4)
            for (; r + 4 <= stop; r += 4) {
                VECTOR for (long k = 0; k < width; ++k) {
                    body(r, k);
                    body(r + 1, k);
                    body(r + 2, k);
                    body(r + 3, k);
                }
            }
        for (; r < stop; ++r) {
            VECTOR for (long k = 0; k < width; ++k) body(r, k);
        }
        (totals.flush(width), ...);
    }
}

// body(first, last, totals) for ranges that make up [0, steps), with fresh totals for each that are merged in order: the
// ranges depend on `steps` alone, so the result does not depend on the number of threads.
template <class F, class... Totals>
inline void share_totals(long steps, double work, F body, Totals&... totals) {
    constexpr long most = 16;
    long count = least(most, least(steps, long(work / LAMELLA_THREAD_WORK) + 1));
    if (count <= 1) return body(0, steps, totals...);
    typedef std::tuple<Totals...> Each;
    Each* each = new Each[count];
    share(count, work, [&](long begin, long end) {
        for (long c = begin; c < end; ++c) {
            Each mine;  // not in memory that other pointers may reach
            std::apply([&](Totals&... own) { body(steps * c / count, steps * (c + 1) / count, own...); }, mine);
            each[c] = mine;
        }
    });
    for (long c = 0; c < count; ++c) std::apply([&](Totals&... own) { (totals.merge(own), ...); }, each[c]);
    delete[] each;
}

// The index that a value stands for: negative ones count from the end, and what is outside is reported (and read as 0).
INLINE inline long place(long index, long size, Report* report, const char* kernel) {
    long at = index < 0 ? index + size : index;
    if (__builtin_expect((unsigned long)at >= (unsigned long)size, 0)) {
        fail(report, kernel, index, size);
        at = 0;
    }
    return at;
}

// The same where negative indices are errors.
INLINE inline long place_from_start(long index, long size, Report* report, const char* kernel) {
    if (__builtin_expect((unsigned long)index >= (unsigned long)size, 0)) {
        fail(report, kernel, index, size);
        index = 0;
    }
    return index;
}

template <class T>
inline void clear(T* to, long n) {
    share(n, double(n) * sizeof(T) / 64,
          [&](long first, long last) { std::memset(to + first, 0, (last - first) * sizeof(T)); });
}
template <class T>
inline void copy(T* to, const T* from, long n) {
    if (to == from) return;
    if (to < from + n && from < to + n) {
        std::memmove(to, from, n * sizeof(T));
        return;
    }
    share(n, double(n) * sizeof(T) / 64,
          [&](long first, long last) { std::memcpy(to + first, from + first, (last - first) * sizeof(T)); });
}

// Memory that a thread keeps between calls: another one for each slot.
template <class T, int slot>
inline T* workspace(long count) {
    static thread_local Room room;
    return room.take<T>(count);
}

}  // namespace lamella
