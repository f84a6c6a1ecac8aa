// Accumulators of reductions: several lanes, so that a loop can keep them in a vector, or rows of them side by side, each
// with a result of its own. Lanes are rows whose results become one.
#pragma once

#include "types.h"

namespace lamella {

constexpr int lane_count = 32;

// All lanes as one: halves on halves.
template <int n, class T, class F>
INLINE inline T fold(const T* lane, F two) {
    if constexpr (n == 1) {
        return lane[0];
    } else {
        T half[n / 2];
        for (int k = 0; k < n / 2; ++k) half[k] = two(lane[k], lane[k + n / 2]);
        return fold<n / 2>(half, two);
    }
}

// The type to add up block sums in.
template <class T> struct Wide { typedef T type; };
template <> struct Wide<float> { typedef double type; };

template <class T, int n = lane_count>
struct Sum {
    T lane[n] = {};
    typename Wide<T>::type total = 0;
    INLINE void add(int k, T x) { lane[k] = plus(lane[k], x); }
    INLINE void flush() {
        total = Sum<typename Wide<T>::type>::plus(total, fold<n>(lane, [](T a, T b) INLINE { return plus(a, b); }));
        for (int k = 0; k < n; ++k) lane[k] = 0;
    }
    INLINE void merge(Sum& other) {
        other.flush();
        total = Sum<typename Wide<T>::type>::plus(total, other.total);
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

template <class T, int n>
struct ProductRow {
    alignas(64) T lane[n];
    INLINE ProductRow() {
        for (int k = 0; k < n; ++k) lane[k] = 1;
    }
    INLINE void add(long k, T x) { lane[k] = times(lane[k], x); }
    INLINE void flush(long) {}
    INLINE void merge(ProductRow& other) {
        for (long k = 0; k < n; ++k) add(k, other.lane[k]);
    }
    INLINE T result(long k) { return lane[k]; }
    static INLINE T times(T a, T b) {
        if constexpr (std::numeric_limits<T>::is_integer) return mul(a, b);
        else return a * b;
    }
};
template <class T, int n = lane_count>
struct Product : ProductRow<T, n> {
    INLINE void flush() {}
    INLINE T result() {
        return fold<n>(this->lane, [](T a, T b) INLINE { return ProductRow<T, n>::times(a, b); });
    }
};

template <class T, bool up, int n = lane_count>
struct Extreme {
    static constexpr T start = std::numeric_limits<T>::has_infinity
                                   ? (up ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity())
                                   : (up ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
    static constexpr bool floats = std::numeric_limits<T>::has_quiet_NaN;
    T lane[n], nan[floats ? n : 1];  // NaN would lose a comparison: it is kept apart
    INLINE Extreme() {
        for (int k = 0; k < n; ++k) lane[k] = start;
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
        T best = fold<n>(lane, [](T a, T b) INLINE { return (up ? a > b : a < b) ? a : b; });
        if constexpr (floats) {
            T odd = fold<n>(nan, [](T a, T b) INLINE { return a != a ? a : b; });
            best = odd != odd ? odd : best;
        }
        return best;
    }
};
template <class T, int n = lane_count> using Max = Extreme<T, true, n>;
template <class T, int n = lane_count> using Min = Extreme<T, false, n>;

// Whether one is true, or not all are.
template <int n, bool all>
struct TruthRow {
    uint8_t lane[n] = {};
    INLINE void add(long k, bool x) { lane[k] |= uint8_t(x != all); }
    INLINE void flush(long) {}
    INLINE void merge(TruthRow& other) {
        for (long k = 0; k < n; ++k) lane[k] |= other.lane[k];
    }
    INLINE bool result(long k) { return (lane[k] != 0) != all; }
};
template <class T, int n> using AnyRow = TruthRow<n, false>;
template <class T, int n> using AllRow = TruthRow<n, true>;
template <int n, bool all>
struct Truth : TruthRow<n, all> {
    INLINE void flush() {}
    INLINE bool result() {
        int any = 0;
        for (int k = 0; k < n; ++k) any |= this->lane[k];
        return (any != 0) != all;
    }
};
template <class T, int n = lane_count> using Any = Truth<n, false>;
template <class T, int n = lane_count> using All = Truth<n, true>;

// Whether x beats what was best so far: NaN beats all but NaN, equals do not.
template <bool up, class T>
INLINE inline bool beats(T x, T best) {
    return (up ? x > best : x < best) | ((x != x) & (best == best));
}

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
    INLINE void merge(ArgExtremeRow& other) {  // its indices come later
        for (long k = 0; k < n; ++k)
            if (other.at[k] >= 0) add(k, other.lane[k], other.at[k]);
    }
    INLINE long result(long k) { return at[k] < 0 ? 0 : at[k]; }
};
template <class T, bool up, int n = lane_count>
struct ArgExtreme : ArgExtremeRow<T, n, up> {
    using ArgExtremeRow<T, n, up>::lane;
    using ArgExtremeRow<T, n, up>::at;
    INLINE void flush() {}
    INLINE long result() {
        T best = lane[0];
        long where = at[0];
        for (int k = 1; k < n; ++k) {
            bool same = lane[k] == best || (lane[k] != lane[k] && best != best);
            if (at[k] >= 0 && (where < 0 || beats<up>(lane[k], best) || (same && at[k] < where)))
                best = lane[k], where = at[k];
        }
        return where < 0 ? 0 : where;
    }
};
template <class T, int n> using ArgMaxRow = ArgExtremeRow<T, n, true>;
template <class T, int n> using ArgMinRow = ArgExtremeRow<T, n, false>;
template <class T, int n = lane_count> using ArgMax = ArgExtreme<T, true, n>;
template <class T, int n = lane_count> using ArgMin = ArgExtreme<T, false, n>;

// Sums side by side, for reductions over rows.
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

}  // namespace lamella
