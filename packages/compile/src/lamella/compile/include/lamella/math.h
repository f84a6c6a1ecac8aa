// Functions of float and double. Those of float are branch-free, so that loops over them become vector code, and
// within 2 units in the last place of the true value; those of double are the C library's.
#pragma once

#include "angles.h"
#include "types.h"

namespace lamella {

#define LAMELLA_LIBRARY(name) \
    inline double name(double x) { return std::name(x); }
#define LAMELLA_BOTH(name) \
    LAMELLA_LIBRARY(name)  \
    inline float name(float x) { return std::name(x); }

LAMELLA_LIBRARY(exp) LAMELLA_LIBRARY(exp2) LAMELLA_LIBRARY(expm1) LAMELLA_LIBRARY(log) LAMELLA_LIBRARY(log2)
LAMELLA_LIBRARY(log10) LAMELLA_LIBRARY(log1p) LAMELLA_LIBRARY(sin) LAMELLA_LIBRARY(cos)
LAMELLA_LIBRARY(tanh) LAMELLA_LIBRARY(erf)
LAMELLA_BOTH(tan) LAMELLA_BOTH(sinh) LAMELLA_BOTH(cosh) LAMELLA_BOTH(asin) LAMELLA_BOTH(acos) LAMELLA_BOTH(atan)
LAMELLA_BOTH(asinh) LAMELLA_BOTH(acosh) LAMELLA_BOTH(atanh) LAMELLA_BOTH(erfc) LAMELLA_BOTH(lgamma)
#undef LAMELLA_LIBRARY
#undef LAMELLA_BOTH

INLINE inline float sqrt(float x) { return __builtin_sqrtf(x); }
INLINE inline double sqrt(double x) { return __builtin_sqrt(x); }
INLINE inline float floor(float x) { return __builtin_floorf(x); }
INLINE inline double floor(double x) { return __builtin_floor(x); }
INLINE inline float ceil(float x) { return __builtin_ceilf(x); }
INLINE inline double ceil(double x) { return __builtin_ceil(x); }
INLINE inline float trunc(float x) { return __builtin_truncf(x); }
INLINE inline double trunc(double x) { return __builtin_trunc(x); }
INLINE inline float abs(float x) { return __builtin_fabsf(x); }
INLINE inline double abs(double x) { return __builtin_fabs(x); }
INLINE inline float copysign(float a, float b) { return __builtin_copysignf(a, b); }
INLINE inline double copysign(double a, double b) { return __builtin_copysign(a, b); }

// c[0] + x (c[1] + x (c[2] + ...)).
template <class T, class C>
INLINE inline T polynomial(T, C c) { return T(c); }
template <class T, class C, class... Rest>
INLINE inline T polynomial(T x, C c, Rest... rest) { return T(c) + x * polynomial(x, rest...); }

// 2^n for n in [-1022, 1023].
INLINE inline double power_of_two(long n) { return bits<double>((n + 1023) << 52); }

// The whole number k next to x, |x| < 2^21; the low bits of `u` are k + base.
template <int base>
INLINE inline float whole(float x, uint32_t& u) {
    constexpr float shift = 12582912.0f + base;
    float t = x + shift;
    u = bits<uint32_t>(t);
    return t - shift;
}
// The same for |x| < 2^50; n is k.
INLINE inline double whole(double x, long& n) {
    double t = x + 6755399441055744.0;
    n = bits<long>(t) - 0x4338000000000000L;
    return t - 6755399441055744.0;
}

// e^r - 1 for |r| <= log(2) / 2.
INLINE inline float expm1_near(float r) {
    return r + r * r * polynomial(r, 4.99999970e-1f, 1.66665435e-1f, 4.16672006e-2f, 8.36651865e-3f, 1.38825213e-3f);
}
// x - k log(2).
INLINE inline float less_logs(float x, float k) { return (x - k * 0.693359375f) - k * -2.12194440e-4f; }
// y * 2^n where the low bits of u are n + 254: in two steps, as 2^n need not be a normal number.
INLINE inline float scaled(float y, uint32_t u) {
    uint32_t half = (u << 22) & 0x7f800000u;
    return y * bits<float>(half) * bits<float>((u << 23) - half);
}

INLINE inline float exp(float x) {
    x = x < -105.0f ? -105.0f : x;
    x = x > 90.0f ? 90.0f : x;
    uint32_t u;
    float k = whole<254>(x * 1.44269504f, u);
    return scaled(1.0f + expm1_near(less_logs(x, k)), u);
}

INLINE inline float exp2(float x) {
    x = x < -152.0f ? -152.0f : x;
    x = x > 129.0f ? 129.0f : x;
    uint32_t u;
    float r = x - whole<254>(x, u);
    float y = 1.0f + r * polynomial(r, 6.93147181e-1f, 2.40226511e-1f, 5.55041037e-2f, 9.61803813e-3f, 1.33339351e-3f,
                                    1.54667565e-4f, 1.51961542e-5f);
    return scaled(y, u);
}

INLINE inline float expm1(float x) {
    float c = x < -25.0f ? -25.0f : x;
    c = c > 89.0f ? 89.0f : c;
    uint32_t u;
    float k = whole<126>(c * 1.44269504f, u), r = less_logs(c, k), half = bits<float>(u << 23);
    float near = r + r * r * polynomial(r, 0.5f, 1.66666668e-1f, 4.16663512e-2f, 8.33327351e-3f, 1.39412909e-3f,
                                        1.99139522e-4f);
    return copysign(2.0f * (half * near + (half - 0.5f)), x);
}

// x = 2^n (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), for finite x > 0.
INLINE inline float split(float x, float& n) {
    bool tiny = x < 1.17549435e-38f;
    int32_t u = bits<int32_t>(tiny ? x * 8388608.0f : x), e = (u - 0x3f3504f3) >> 23;
    n = float(e - (tiny ? 23 : 0));
    return bits<float>(u - (e << 23)) - 1.0f;
}
INLINE inline double split(double x, double& n) {  // normal x
    long u = bits<long>(x), e = (u - 0x3fe6a09e667f3bcdL) >> 52;
    n = double(int32_t(e));
    return bits<double>(u - (e << 52)) - 1.0;
}

// y where x is a positive number, and what logarithms are elsewhere.
template <class T>
INLINE inline T where_positive(T x, T y) {
    constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    y = x == inf ? inf : y;
    y = x == 0 ? -inf : y;
    return x >= 0 ? y : nan;
}

INLINE inline float log(float x) {
    float n, f = split(x, n), z = f * f;
    float y = f * z * polynomial(f, 3.33333110e-1f, -2.49999866e-1f, 2.00022266e-1f, -1.66692508e-1f, 1.42186581e-1f,
            -1.23843485e-1f, 1.18729763e-1f, -1.17898077e-1f, 6.91536807e-2f);
    y = (y + n * -2.12194440e-4f) - 0.5f * z;
    return where_positive(x, (f + y) + n * 0.693359375f);
}

// log(1 + f) in double, within 2^-30.
INLINE inline double log1p_near(double f) {
    return f + f * f * (-0.5 + f * polynomial(f, 3.33333104398575886e-1, -2.49999865998283499e-1,
            2.00022266140066102e-1, -1.66692508161428360e-1, 1.42186580901202259e-1, -1.23843484703262369e-1,
            1.18729762944180320e-1, -1.17898076947390185e-1, 6.91536806500495788e-2));
}
INLINE inline float log_by(float x, double whole_factor, double factor) {
    double n, f = split(double(x), n);
    return where_positive(x, float(n * whole_factor + log1p_near(f) * factor));
}
INLINE inline float log2(float x) { return log_by(x, 1.0, 1.44269504088896341); }
INLINE inline float log10(float x) { return log_by(x, 0.301029995663981195, 0.434294481903251828); }
INLINE inline float log1p(float x) {
    double wide = double(x), n, f = split(1.0 + wide, n);
    f = n == 0 ? wide : f;
    float y = float(n * 0.693147180559945309 + log1p_near(f));
    y = x == inf32 ? inf32 : y;
    y = x == -1.0f ? -inf32 : y;
    y = x >= -1.0f ? y : nan32;
    return x == 0 ? x : y;
}

// 1 / (1 + e^-x) = s / (s + e^-r) with x = k log(2) + r and s = 2^k, which may be subnormal.
INLINE inline float sigmoid(float x) {
    x = x < -105.0f ? -105.0f : x;
    x = x > 25.0f ? 25.0f : x;
    uint32_t u;
    float k = whole<127 + 25>(x * 1.44269504f, u), r = less_logs(x, k), s = bits<float>(u << 23) * 0x1p-25f;
    float d = s + 1.0f, lost = s - (d - 1.0f);
    return s / (d + (lost + expm1_near(-r)));
}
inline double sigmoid(double x) {
    double e = std::exp(-std::fabs(x));
    return (x < 0 ? e : 1.0) / (1.0 + e);
}

// e^y + c for -50 <= y <= 0 and c = 0 or -1.
INLINE inline float exp_plus(float y, float c) {
    uint32_t u;
    float k = whole<127>(y * 1.44269504f, u), s = bits<float>(u << 23);
    return s * expm1_near(y - k * 0.693147181f) + (s + c);
}

INLINE inline float tanh(float x) {
    float a = abs(x), z = x * x;
    float small = x * polynomial(z, 1.0f, -3.33333310e-1f, 1.33332293e-1f, -5.39506145e-2f, 2.17254753e-2f,
            -8.24655721e-3f, 2.21308739e-3f);
    float c = a > 10.0f ? 10.0f : a, e = exp_plus(-2.0f * c, 0.0f);
    return a < 0.6f ? small : copysign(1.0f - 2.0f * e / (1.0f + e), x);
}

// 1 - e^-(a + a p(a)) for a = |x|.
INLINE inline float erf(float x) {
    float a = abs(x), c = a > 3.925f ? 3.925f : a;
    float p = polynomial(c, 1.28379172e-1f, 6.36619372e-1f, 1.02777909e-1f, -1.91533229e-2f, -1.59956175e-4f,
            1.66661596e-3f, -6.32623739e-4f, 1.17584274e-4f, -9.25014968e-6f);
    return copysign(exp_plus(-c - c * p, -1.0f), x);
}

#if defined(__FMA__) || defined(__aarch64__)
// The angle in [-pi/4, pi/4] that x is from a multiple of pi/2, and which (mod 4). Beyond 2^24, x is a whole number of at
// most 24 bits times a power of two, of which only the angle counts.
INLINE inline float quadrant(float x, int32_t& q) {
    int32_t power = int32_t(bits<uint32_t>(x) >> 23 & 255) - (127 + 23);
    power = power < 0 ? 0 : power > 104 ? 104 : power;
    double whole_part = double(x * bits<float>(uint32_t(127 - power) << 23)), high = angle_high[power];
    long n;
    double wide = whole_part * high, k = whole(wide * 0.636619772367581343, n);
    double r = (wide - k * 1.57079632673412561417) - k * 6.07710050630396597660e-11;
    r = r - k * 2.02226624879595063154e-21 + whole_part * angle_low[power];
    q = int32_t(n);
    return float(r);
}
INLINE inline float sin_near(float r) {
    float z = r * r;
    return r + r * z * polynomial(z, -1.666666664e-1f, 8.333329362e-3f, -1.983932712e-4f, 2.718237181e-6f);
}
INLINE inline float cos_near(float r) {
    float z = r * r;
    return 1.0f - 0.5f * z + z * z * polynomial(z, 4.166666662e-2f, -1.388888347e-3f, 2.479945153e-5f,
            -2.720504452e-7f);
}
INLINE inline float turned(float r, int32_t q) {
    float y = q & 1 ? cos_near(r) : sin_near(r);
    return bits<float>(bits<int32_t>(y) ^ ((q & 2) << 30));
}
INLINE inline float sin(float x) {
    int32_t q;
    float r = quadrant(x, q);
    return x == 0 ? x : turned(r, q);
}
INLINE inline float cos(float x) {
    int32_t q;
    float r = quadrant(x, q);
    return turned(r, q + 1);
}

#else  // that reduction of angles needs products that are not rounded
inline float sin(float x) { return std::sin(x); }
inline float cos(float x) { return std::cos(x); }
#endif

// |a|^b by logarithms in double; then the cases of the standard.
inline double pow(double a, double b) { return std::pow(a, b); }
INLINE inline float pow(float a, float b) {
    double n, f = split(double(abs(a)), n);
    double log = n + 1.44269504088896341 * (f + f * f * (-0.5 + f * polynomial(f, 3.33333333173071511e-1,
            -2.50000001639979708e-1, 2.00000034749172634e-1, -1.66666486477220793e-1, 1.42854679994749378e-1,
            -1.25006034888974354e-1, 1.11191406974320534e-1, -9.99445036924379443e-2, 8.95991764617567743e-2,
            -8.26332822646710791e-2, 8.68861632520662314e-2, -8.63453536352604134e-2, 4.52005000554461314e-2)));
    log = abs(a) == inf32 ? inf64 : log;
    log = a == 0 ? -inf64 : log;
    double y = double(b) * log;
    y = y < -200 ? -200 : y;
    y = y > 200 ? 200 : y;
    long whole_part;
    double r = y - whole(y, whole_part);
    float power = float(power_of_two(whole_part) * (1.0 + r * polynomial(r, 6.93147180704537291e-1,
            2.40226510665676685e-1, 5.55041036597666571e-2, 9.61803813131633864e-3, 1.33339350665075476e-3,
            1.54667565179090013e-4, 1.51961542145713191e-5)));
    bool whole_b = floor(b) == b, odd = whole_b & (floor(b * 0.5f) * 2.0f != b);
    bool below = bits<int32_t>(a) < 0;
    power = (a < 0) & !whole_b & (abs(b) < inf32) & (a > -inf32) ? nan32 : below & odd ? -power : power;
    power = (a != a) | (b != b) ? nan32 : power;
    power = (abs(a) == 1.0f) & (abs(b) == inf32) ? 1.0f : power;
    return (b == 0) | (a == 1.0f) ? 1.0f : power;
}

}  // namespace lamella

#include "functions.h"
