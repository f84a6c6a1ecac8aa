// Functions of numbers on the device, with the meaning of ../math.h and ../functions.h: CUDA's own where it has them.
#pragma once

#include "types.cuh"

namespace lamella {

#define LAMELLA_BOTH(name) \
    INLINE float name(float x) { return ::name##f(x); } \
    INLINE double name(double x) { return ::name(x); }
LAMELLA_BOTH(exp) LAMELLA_BOTH(exp2) LAMELLA_BOTH(expm1) LAMELLA_BOTH(log) LAMELLA_BOTH(log2) LAMELLA_BOTH(log10)
LAMELLA_BOTH(log1p) LAMELLA_BOTH(sqrt) LAMELLA_BOTH(rsqrt) LAMELLA_BOTH(sin) LAMELLA_BOTH(cos) LAMELLA_BOTH(tan)
LAMELLA_BOTH(tanh) LAMELLA_BOTH(sinh) LAMELLA_BOTH(cosh) LAMELLA_BOTH(asin) LAMELLA_BOTH(acos) LAMELLA_BOTH(atan)
LAMELLA_BOTH(asinh) LAMELLA_BOTH(acosh) LAMELLA_BOTH(atanh) LAMELLA_BOTH(erf) LAMELLA_BOTH(erfc) LAMELLA_BOTH(erfinv)
LAMELLA_BOTH(lgamma) LAMELLA_BOTH(floor) LAMELLA_BOTH(ceil) LAMELLA_BOTH(trunc)
#undef LAMELLA_BOTH
INLINE float round_even(float x) { return ::rintf(x); }
INLINE double round_even(double x) { return ::rint(x); }
INLINE float abs(float x) { return ::fabsf(x); }
INLINE double abs(double x) { return ::fabs(x); }

#define LAMELLA_TWO(name) \
    INLINE float name(float a, float b) { return ::name##f(a, b); } \
    INLINE double name(double a, double b) { return ::name(a, b); }
LAMELLA_TWO(pow) LAMELLA_TWO(fmod) LAMELLA_TWO(atan2) LAMELLA_TWO(hypot) LAMELLA_TWO(copysign) LAMELLA_TWO(nextafter)
#undef LAMELLA_TWO

template <class T> INLINE T abs(T x) { return x < 0 ? neg(x) : x; }
template <class T> INLINE T sign(T x) { return x != x ? x : T((x > 0) - (x < 0)); }
template <class T> INLINE T round_even(T x) { return x; }
template <class T> INLINE T floor(T x) { return x; }
template <class T> INLINE T ceil(T x) { return x; }
template <class T> INLINE T trunc(T x) { return x; }
template <class T> INLINE T reciprocal(T x) { return 1 / x; }
template <class T>
INLINE T sigmoid(T x) {
    T e = exp(-abs(x));
    return (x < 0 ? e : T(1)) / (1 + e);
}

// The larger and smaller one: nan wins, and in fmax and fmin it loses.
template <class T> INLINE T maximum(T a, T b) { return a > b || a != a ? a : b; }
template <class T> INLINE T minimum(T a, T b) { return a < b || a != a ? a : b; }
template <class T> INLINE T fmax(T a, T b) { return a >= b || b != b ? a : b; }
template <class T> INLINE T fmin(T a, T b) { return a <= b || b != b ? a : b; }

// Division and remainder with Python's signs.
template <class T>
INLINE T floordiv(T a, T b) {
    if (b == 0) return 0;
    if (Signed<T>::value && b == T(-1)) return neg(a);
    T q = T(a / b);
    return T(q - ((a % b != 0) & ((a < 0) != (b < 0))));
}
template <class T>
INLINE T mod(T a, T b) {
    if (b == 0 || (Signed<T>::value && b == T(-1))) return 0;
    T r = T(a % b);
    return T((r != 0) & ((r < 0) != (b < 0)) ? r + b : r);
}
template <class T>
INLINE T fmod(T a, T b) {
    return b == 0 || (Signed<T>::value && b == T(-1)) ? T(0) : T(a % b);
}
template <class T>
__device__ inline T float_mod(T a, T b) {
    T r = fmod(a, b);
    if (b == 0) return r;
    if (r != 0) return (b < 0) != (r < 0) ? r + b : r;
    return copysign(T(0), b);
}
template <class T>
__device__ inline T float_floordiv(T a, T b) {
    if (b == 0) return a / b;
    T r = fmod(a, b), q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1;
    if (q == 0) return copysign(T(0), a / b);
    T whole = floor(q);
    return q - whole > T(0.5) ? whole + 1 : whole;
}
INLINE float mod(float a, float b) { return float_mod(a, b); }
INLINE double mod(double a, double b) { return float_mod(a, b); }
INLINE float floordiv(float a, float b) { return float_floordiv(a, b); }
INLINE double floordiv(double a, double b) { return float_floordiv(a, b); }

template <class T>
__device__ inline T pow(T a, T n) {
    if (n < 0) return a == 1 ? T(1) : a == T(-1) ? (n % 2 ? T(-1) : T(1)) : T(0);
    T power = 1;
    for (; n > 0; n = T(n >> 1)) {
        if (n & 1) power = mul(power, a);
        a = mul(a, a);
    }
    return power;
}
template <class T>
INLINE T shift_left(T a, T n) {
    return n >= 0 && n < long(sizeof(T) * 8) ? T(typename Unsigned<T>::type(a) << n) : T(0);
}
template <class T>
INLINE T shift_right(T a, T n) {
    return n >= 0 && n < long(sizeof(T) * 8) ? T(a >> n) : T(a < 0 ? -1 : 0);
}

// By reflection, recurrence up to 10, and the asymptotic series.
__device__ inline double digamma(double x) {
    constexpr double pi = 3.14159265358979323846;
    if (x == 0) return copysign(inf64, -x);
    if (x < 0 && x == floor(x)) return nan64;
    double shift = 0;
    if (x < 0) {
        shift = -pi / tan(pi * (x - floor(x)));
        x = 1 - x;
    }
    for (; x < 10; x += 1) shift -= 1 / x;
    double z = 1 / (x * x);
    double tail = z * (1.0 / 132 - z * (691.0 / 32760 - z / 12));
    tail = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - tail))));
    return log(x) - 0.5 / x - tail + shift;
}
__device__ inline float digamma(float x) { return float(digamma(double(x))); }

}  // namespace lamella
