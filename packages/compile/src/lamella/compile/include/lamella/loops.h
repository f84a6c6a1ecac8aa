// The loops of compiled programs: sharing them between threads, and reducing with accumulators that stay in registers.
#pragma once

#include <cstdlib>
#include <tuple>

#include "report.h"
#include "types.h"
#ifdef _OPENMP
#include <omp.h>
#endif

namespace lamella {

// A function of a range whose type does not tell what it does: templates that take it are compiled once.
struct Range {
    const void* what;
    void (*call)(const void*, long, long);
    void operator()(long first, long last) const { call(what, first, last); }
};
template <class F>
inline Range range(const F& what) {
    return {&what, [](const void* self, long first, long last) { (*static_cast<const F*>(self))(first, last); }};
}

static __attribute__((noinline)) void share_range(long steps, double work, Range body) {
#ifdef _OPENMP
    long most = work < 60000 || omp_in_parallel() ? 1 : omp_get_max_threads();
    long count = least(least(most, long(work / 30000) + 1), steps);
    if (count > 1) {
        long each = (steps + count - 1) / count;
        if (each > 256) each = (each + 63) / 64 * 64;
#pragma omp parallel num_threads(int(count))
        {
            long first = each * omp_get_thread_num();
            long last = least(first + each, steps);
            if (first < last) body(first, last);
        }
        return;
    }
#endif
    if (steps > 0) body(0, steps);
}

// body(first, last) for ranges that make up [0, steps), on several threads where the work is worth it.
template <class F>
inline void share(long steps, double work, const F& body) {
    share_range(steps, work, range(body));
}

constexpr int lane_count = 32;

// body(j, lane) for each j in [first, last): lanes go to different accumulators. Now and then the totals flush.
template <class F, class... Totals>
INLINE inline void lanes(long first, long last, F body, Totals&... totals) {
    constexpr long block = 4096;
    for (long start = first; start < last; start += block) {
        long stop = least(start + block, last), j = start;
        for (; j + lane_count <= stop; j += lane_count) {
#pragma GCC ivdep
            for (int k = 0; k < lane_count; ++k) body(j + k, k);
        }
#pragma GCC ivdep
        for (int k = 0; k < stop - j; ++k) body(j + k, k);
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
#pragma GCC ivdep
                for (long k = 0; k < width; ++k) {
                    body(r, k);
                    body(r + 1, k);
                    body(r + 2, k);
                    body(r + 3, k);
                }
            }
        for (; r < stop; ++r) {
#pragma GCC ivdep
            for (long k = 0; k < width; ++k) body(r, k);
        }
        (totals.flush(width), ...);
    }
}

// body(first, last, totals) for ranges that make up [0, steps), with fresh totals for each that are merged in order: the
// ranges depend on `steps` alone, so the result does not depend on the number of threads.
template <class F, class... Totals>
inline void share_totals(long steps, double work, F body, Totals&... totals) {
    constexpr long most = 16;
    long count = least(most, least(steps, long(work / 30000) + 1));
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

// The type to add up block sums in.
template <class T> struct Wide { typedef T type; };
template <> struct Wide<float> { typedef double type; };

template <class T>
struct Sum {
    T lane[lane_count] = {};
    typename Wide<T>::type total = 0;
    INLINE void add(int k, T x) { lane[k] = plus(lane[k], x); }
    INLINE void flush() {
        for (int half = lane_count / 2; half; half /= 2)
            for (int k = 0; k < half; ++k) lane[k] = plus(lane[k], lane[k + half]);
        total = Sum<typename Wide<T>::type>::plus(total, lane[0]);
        for (int k = 0; k < lane_count; ++k) lane[k] = 0;
    }
    INLINE void merge(Sum& other) {
        other.flush();
        total += other.total;
    }
    INLINE T result() {
        flush();
        return T(total);
    }
    static INLINE T plus(T a, T b) {
        if constexpr (std::numeric_limits<T>::is_integer) return lamella::add(a, b);
        else return a + b;
    }
};

template <class T>
struct Product {
    T lane[lane_count];
    INLINE Product() {
        for (int k = 0; k < lane_count; ++k) lane[k] = 1;
    }
    INLINE void add(int k, T x) { lane[k] = times(lane[k], x); }
    INLINE void flush() {}
    INLINE void merge(Product& other) {
        for (int k = 0; k < lane_count; ++k) add(k, other.lane[k]);
    }
    static INLINE T times(T a, T b) {
        if constexpr (std::numeric_limits<T>::is_integer) return mul(a, b);
        else return a * b;
    }
    INLINE T result() {
        T product = 1;
        for (int k = 0; k < lane_count; ++k) product = times(product, lane[k]);
        return product;
    }
};

template <class T, bool up>
struct Extreme {
    static constexpr T start = std::numeric_limits<T>::has_infinity
                                   ? (up ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity())
                                   : (up ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
    static constexpr bool floats = std::numeric_limits<T>::has_quiet_NaN;
    T lane[lane_count], nan[floats ? lane_count : 1];  // NaN would lose a comparison: it is kept apart
    INLINE Extreme() {
        for (int k = 0; k < lane_count; ++k) lane[k] = start;
        for (T& x : nan) x = 0;
    }
    static INLINE T pick(T best, T x) { return up ? maximum(x, best) : minimum(x, best); }
    INLINE void add(int k, T x) {
        lane[k] = (up ? x > lane[k] : x < lane[k]) ? x : lane[k];
        if constexpr (floats) nan[k] = x != x ? x : nan[k];
    }
    INLINE void flush() {}
    INLINE void merge(Extreme& other) { add(0, other.result()); }
    INLINE T result() {
        for (int half = lane_count / 2; half; half /= 2)
            for (int k = 0; k < half; ++k) {
                T x = lane[k + half];
                lane[k] = (up ? x > lane[k] : x < lane[k]) ? x : lane[k];
            }
        T best = lane[0];
        for (T x : nan) best = x != x ? x : best;
        return best;
    }
};
template <class T> using Max = Extreme<T, true>;
template <class T> using Min = Extreme<T, false>;

template <class T>
struct Any {
    uint8_t lane[lane_count] = {};
    INLINE void add(int k, bool x) { lane[k] |= uint8_t(x); }
    INLINE void flush() {}
    INLINE void merge(Any& other) {
        for (int k = 0; k < lane_count; ++k) lane[k] |= other.lane[k];
    }
    INLINE bool result() {
        int any = 0;
        for (int k = 0; k < lane_count; ++k) any |= lane[k];
        return any != 0;
    }
};
template <class T>
struct All {
    uint8_t lane[lane_count] = {};
    INLINE void add(int k, bool x) { lane[k] |= uint8_t(!x); }
    INLINE void flush() {}
    INLINE void merge(All& other) {
        for (int k = 0; k < lane_count; ++k) lane[k] |= other.lane[k];
    }
    INLINE bool result() {
        int any = 0;
        for (int k = 0; k < lane_count; ++k) any |= lane[k];
        return any == 0;
    }
};

// Whether x beats what was best so far: NaN beats all but NaN, equals do not.
template <bool up, class T>
INLINE inline bool beats(T x, T best) {
    return (up ? x > best : x < best) | ((x != x) & (best == best));
}

template <class T, bool up>
struct ArgExtreme {
    T lane[lane_count];
    long at[lane_count];
    INLINE ArgExtreme() {
        for (int k = 0; k < lane_count; ++k) lane[k] = Extreme<T, up>::start, at[k] = -1;
    }
    INLINE void add(int k, T x, long index) {
        bool take = beats<up>(x, lane[k]) | (at[k] < 0);
        lane[k] = take ? x : lane[k];
        at[k] = take ? index : at[k];
    }
    INLINE void flush() {}
    INLINE void merge(ArgExtreme& other) {  // its indices come later
        for (int k = 0; k < lane_count; ++k)
            if (other.at[k] >= 0) add(k, other.lane[k], other.at[k]);
    }
    INLINE long result() {
        T best = lane[0];
        long where = at[0];
        for (int k = 1; k < lane_count; ++k) {
            bool same = lane[k] == best || (lane[k] != lane[k] && best != best);
            if (at[k] >= 0 && (where < 0 || beats<up>(lane[k], best) || (same && at[k] < where)))
                best = lane[k], where = at[k];
        }
        return where < 0 ? 0 : where;
    }
};
template <class T> using ArgMax = ArgExtreme<T, true>;
template <class T> using ArgMin = ArgExtreme<T, false>;

// Accumulators side by side, for reductions over rows.
template <class T, int n>
struct SumRow {
    alignas(64) T lane[n] = {};
    alignas(64) T total[n] = {};
    INLINE void add(long k, T x) { lane[k] = Sum<T>::plus(lane[k], x); }
    INLINE void flush(long width) {
        for (long k = 0; k < width; ++k) total[k] = Sum<T>::plus(total[k], lane[k]), lane[k] = 0;
    }
    INLINE void merge(SumRow& other) {
        for (long k = 0; k < n; ++k) total[k] = Sum<T>::plus(total[k], other.total[k]);
    }
    INLINE T result(long k) { return total[k]; }
};
template <class T, int n>
struct ProductRow {
    alignas(64) T lane[n];
    INLINE ProductRow() {
        for (int k = 0; k < n; ++k) lane[k] = 1;
    }
    INLINE void add(long k, T x) { lane[k] = Product<T>::times(lane[k], x); }
    INLINE void flush(long) {}
    INLINE void merge(ProductRow& other) {
        for (long k = 0; k < n; ++k) add(k, other.lane[k]);
    }
    INLINE T result(long k) { return lane[k]; }
};
template <class T, int n, bool up>
struct ExtremeRow {
    alignas(64) T lane[n];
    INLINE ExtremeRow() {
        for (int k = 0; k < n; ++k) lane[k] = Extreme<T, up>::start;
    }
    INLINE void add(long k, T x) { lane[k] = Extreme<T, up>::pick(lane[k], x); }
    INLINE void flush(long) {}
    INLINE void merge(ExtremeRow& other) {
        for (long k = 0; k < n; ++k) add(k, other.lane[k]);
    }
    INLINE T result(long k) { return lane[k]; }
};
template <class T, int n> using MaxRow = ExtremeRow<T, n, true>;
template <class T, int n> using MinRow = ExtremeRow<T, n, false>;
template <class T, int n>
struct AnyRow {
    uint8_t lane[n] = {};
    INLINE void add(long k, bool x) { lane[k] |= uint8_t(x); }
    INLINE void flush(long) {}
    INLINE void merge(AnyRow& other) {
        for (long k = 0; k < n; ++k) lane[k] |= other.lane[k];
    }
    INLINE bool result(long k) { return lane[k] != 0; }
};
template <class T, int n>
struct AllRow {
    uint8_t lane[n] = {};
    INLINE void add(long k, bool x) { lane[k] |= uint8_t(!x); }
    INLINE void flush(long) {}
    INLINE void merge(AllRow& other) {
        for (long k = 0; k < n; ++k) lane[k] |= other.lane[k];
    }
    INLINE bool result(long k) { return lane[k] == 0; }
};
template <class T, int n, bool up>
struct ArgExtremeRow {
    T lane[n];
    long at[n];
    INLINE ArgExtremeRow() {
        for (int k = 0; k < n; ++k) lane[k] = Extreme<T, up>::start, at[k] = -1;
    }
    INLINE void add(long k, T x, long index) {
        bool take = beats<up>(x, lane[k]) | (at[k] < 0);
        lane[k] = take ? x : lane[k];
        at[k] = take ? index : at[k];
    }
    INLINE void flush(long) {}
    INLINE void merge(ArgExtremeRow& other) {
        for (long k = 0; k < n; ++k)
            if (other.at[k] >= 0) add(k, other.lane[k], other.at[k]);
    }
    INLINE long result(long k) { return at[k] < 0 ? 0 : at[k]; }
};
template <class T, int n> using ArgMaxRow = ArgExtremeRow<T, n, true>;
template <class T, int n> using ArgMinRow = ArgExtremeRow<T, n, false>;

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

template <class T> inline void clear(T* to, long n) { std::memset(to, 0, n * sizeof(T)); }
template <class T> inline void copy(T* to, const T* from, long n) {
    if (to != from) std::memmove(to, from, n * sizeof(T));
}

// Memory that a thread keeps between calls.
template <class T>
inline T* workspace(int slot, long count) {
    struct Room {
        void* at = nullptr;
        size_t size = 0;
        ~Room() { std::free(at); }
    };
    static thread_local Room rooms[16];
    Room& room = rooms[slot % 16];
    size_t need = (size_t(count) * sizeof(T) + 127) / 64 * 64;
    if (room.size < need) {
        std::free(room.at);
        room.at = std::aligned_alloc(64, need);
        room.size = need;
    }
    return static_cast<T*>(room.at);
}

}  // namespace lamella
