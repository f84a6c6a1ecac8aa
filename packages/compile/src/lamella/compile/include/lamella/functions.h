// Functions of any element type that need no tables: signs, remainders, powers, shifts, rounding.
#pragma once

#include "math.h"

namespace lamella {

template <class T> INLINE inline T abs(T x) { return x < 0 ? neg(x) : x; }
template <class T> INLINE inline T sign(T x) { return T((x > 0) - (x < 0)); }
INLINE inline float sign(float x) { return x != x ? x : float((x > 0) - (x < 0)); }
INLINE inline double sign(double x) { return x != x ? x : double((x > 0) - (x < 0)); }
INLINE inline float round_even(float x) { return __builtin_rintf(x); }
INLINE inline double round_even(double x) { return __builtin_rint(x); }
template <class T> INLINE inline T round_even(T x) { return x; }
template <class T> INLINE inline T floor(T x) { return x; }
template <class T> INLINE inline T ceil(T x) { return x; }
template <class T> INLINE inline T trunc(T x) { return x; }
template <class T> INLINE inline T rsqrt(T x) { return 1 / sqrt(x); }
template <class T> INLINE inline T reciprocal(T x) { return 1 / x; }
inline float nextafter(float a, float b) { return std::nextafter(a, b); }
inline double nextafter(double a, double b) { return std::nextafter(a, b); }
inline float atan2(float a, float b) { return std::atan2(a, b); }
inline double atan2(double a, double b) { return std::atan2(a, b); }
inline float hypot(float a, float b) { return std::hypot(a, b); }
inline double hypot(double a, double b) { return std::hypot(a, b); }

// Division and remainder with Python's signs.
template <class T> INLINE inline T floordiv(T a, T b) {
    if (b == 0) return 0;
    if (T(-1) < T(0) && b == T(-1)) return neg(a);
    T q = T(a / b);
    return T(q - ((a % b != 0) & ((a < 0) != (b < 0))));
}
template <class T> INLINE inline T mod(T a, T b) {
    if (b == 0 || (T(-1) < T(0) && b == T(-1))) return 0;
    T r = T(a % b);
    return T((r != 0) & ((r < 0) != (b < 0)) ? r + b : r);
}
template <class T> INLINE inline T fmod(T a, T b) {
    if (b == 0 || (T(-1) < T(0) && b == T(-1))) return 0;
    return T(a % b);
}
INLINE inline float fmod(float a, float b) { return std::fmod(a, b); }
INLINE inline double fmod(double a, double b) { return std::fmod(a, b); }
template <class T> inline T float_mod(T a, T b) {
    T r = std::fmod(a, b);
    if (b == 0) return r;
    if (r != 0) return (b < 0) != (r < 0) ? r + b : r;
    return copysign(T(0), b);
}
template <class T> inline T float_floordiv(T a, T b) {
    if (b == 0) return a / b;
    T r = std::fmod(a, b), q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1;
    if (q == 0) return copysign(T(0), a / b);
    T whole = std::floor(q);
    return q - whole > T(0.5) ? whole + 1 : whole;
}
inline float mod(float a, float b) { return float_mod(a, b); }
inline double mod(double a, double b) { return float_mod(a, b); }
inline float floordiv(float a, float b) { return float_floordiv(a, b); }
inline double floordiv(double a, double b) { return float_floordiv(a, b); }

template <class T> inline T pow(T a, T n) {
    if (n < 0) return a == 1 ? T(1) : a == T(-1) ? (n % 2 ? T(-1) : T(1)) : T(0);
    T power = 1;
    for (; n > 0; n = T(n >> 1)) {
        if (n & 1) power = mul(power, a);
        a = mul(a, a);
    }
    return power;
}

template <class T> INLINE inline T shift_left(T a, T n) {
    typedef typename Unsigned<T>::type U;
    constexpr long width = sizeof(T) * 8;
    return n >= 0 && n < width ? T(U(a) << n) : T(0);
}
template <class T> INLINE inline T shift_right(T a, T n) {
    constexpr long width = sizeof(T) * 8;
    return n >= 0 && n < width ? T(a >> n) : T(a < 0 ? -1 : 0);
}

// Functions that need double, and loops.
inline double digamma(double x) {
    if (x == 0) return copysign(inf64, -x);
    if (x < 0 && x == std::floor(x)) return nan64;
    double shift = 0;
    if (x < 0) {  // reflection
        double part = x - std::floor(x);
        shift = -3.14159265358979323846 / std::tan(3.14159265358979323846 * part);
        x = 1 - x;
    }
    for (; x < 10; x += 1) shift -= 1 / x;
    double z = 1 / (x * x);
    double tail = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
    return std::log(x) - 0.5 / x - tail + shift;
}
inline float digamma(float x) { return float(digamma(double(x))); }

inline double erfinv(double x) {
    double a = std::fabs(x);
    if (!(a < 1)) return a == 1 ? copysign(inf64, x) : nan64;
    double w = -std::log((1 - a) * (1 + a));
    double l = 4.3307467508 - w / 2;  // Winitzki's start, then Halley's steps
    double y = std::sqrt(std::sqrt(l * l + w / 0.147) - l);
    for (int step = 0; step < 4; ++step) {
        double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
        double slope = 1.1283791670955126 * std::exp(-y * y);
        double d = error / slope;
        y -= d / (1 + y * d);
    }
    return copysign(y, x);
}
inline float erfinv(float x) { return float(erfinv(double(x))); }

}  // namespace lamella
