// Element types of compiled programs, and conversions between them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#define INLINE __attribute__((always_inline))
// Before a loop: its steps do not depend on each other, whatever the pointers in it may suggest.
#if defined(__clang__)
#define VECTOR _Pragma("clang loop vectorize(assume_safety)")
#else
#define VECTOR _Pragma("GCC ivdep")
#endif
#define KERNEL static __attribute__((noinline)) void

namespace lamella {

constexpr float inf32 = std::numeric_limits<float>::infinity();
constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();
constexpr double inf64 = std::numeric_limits<double>::infinity();
constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();

template <class To, class From>
INLINE inline To bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "bits: the same size");
    To to;
    __builtin_memcpy(&to, &x, sizeof(To));
    return to;
}

// The same, but the compiler does not know that.
inline INLINE bool steady(bool x) {
    asm("" : "+r"(x));
    return x;
}

// The upper half of a float; rounds to nearest, ties to even.
struct bfloat16 {
    uint16_t half;
    bfloat16() = default;
    INLINE bfloat16(float x) {
        uint32_t u = bits<uint32_t>(x);
        uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
        half = uint16_t(x != x ? (u >> 16) | 0x40u : rounded);
    }
    INLINE operator float() const { return bits<float>(uint32_t(half) << 16); }
};

// IEEE half precision.
struct float16 {
    uint16_t half;
    float16() = default;
    INLINE float16(float x) {
#if defined(__AVX512FP16__) || defined(__aarch64__)
        _Float16 h = _Float16(x);
        half = bits<uint16_t>(h);
#else
        uint32_t u = bits<uint32_t>(x), sign = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
        // Normal: rebias and round. Subnormal: let a float addition do the rounding.
        uint32_t normal = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;
        uint32_t small = bits<uint32_t>(bits<float>(a) + 0.5f) - 0x3f000000u;
        uint32_t r = a < 0x38800000u ? small : normal;
        r = a >= 0x477ff000u ? 0x7c00u : r;
        r = a > 0x7f800000u ? 0x7e00u | ((a >> 13) & 0x3ffu) : r;
        half = uint16_t(r | sign);
#endif
    }
    INLINE operator float() const {
#if defined(__AVX512FP16__) || defined(__aarch64__)
        return float(bits<_Float16>(half));
#else
        uint32_t a = half & 0x7fffu, sign = uint32_t(half & 0x8000u) << 16;
        float small = float(int32_t(a)) * 5.9604644775390625e-8f;  // subnormal: a * 2^-24
        uint32_t normal = (a << 13) + 0x38000000u, special = (a << 13) + 0x70000000u;
        uint32_t r = a < 0x400u ? bits<uint32_t>(small) : a < 0x7c00u ? normal : special;
        return bits<float>(r | sign);
#endif
    }
};

// Float to integer, toward zero; out of range and NaN give what x86's conversions give.
template <class To, class From>
INLINE inline To convert(From x) {
    if (sizeof(To) < 4) return To(convert<int32_t>(x));
#if defined(__x86_64__)
    return To(x);
#else
    constexpr To low = std::numeric_limits<To>::min();
    return x >= From(low) && x < -From(low) ? To(x) : low;
#endif
}

// Integer arithmetic that wraps.
template <class T> struct Unsigned { typedef uint32_t type; };
template <> struct Unsigned<long> { typedef uint64_t type; };
template <class T> INLINE inline T add(T a, T b) {
    typedef typename Unsigned<T>::type U;
    return T(U(a) + U(b));
}
template <class T> INLINE inline T sub(T a, T b) {
    typedef typename Unsigned<T>::type U;
    return T(U(a) - U(b));
}
template <class T> INLINE inline T mul(T a, T b) {
    typedef typename Unsigned<T>::type U;
    return T(U(a) * U(b));
}
template <class T> INLINE inline T neg(T a) { return sub(T(0), a); }
template <> INLINE inline bool add(bool a, bool b) { return a | b; }
template <> INLINE inline bool mul(bool a, bool b) { return a & b; }

// A function of a range whose type does not tell what it does: templates that take it are compiled once. It may be made of
// nothing, and does nothing then.
struct Range {
    const void* what = nullptr;
    void (*call)(const void*, long, long) = nullptr;
    explicit operator bool() const { return call; }
    void operator()(long first, long last) const {
        if (call) call(what, first, last);
    }
};
template <class F>
inline Range range(const F& what) {
    return {&what, [](const void* self, long first, long last) { (*static_cast<const F*>(self))(first, last); }};
}

// Memory that grows and is used again.
struct Room {
    void* at = nullptr;
    size_t size = 0;
    ~Room() { std::free(at); }
    template <class T>
    T* take(long count) {
        size_t need = (size_t(count) * sizeof(T) + 127) / 64 * 64;
        if (size < need) {
            std::free(at);
            at = std::aligned_alloc(64, size = need + need / 4 / 64 * 64);
        }
        return static_cast<T*>(at);
    }
};

INLINE inline long least(long a, long b) { return a < b ? a : b; }

template <class T> INLINE inline bool is_nan(T x) { return x != x; }
template <class T> INLINE inline bool is_inf(T) { return false; }
template <> INLINE inline bool is_inf(float x) { return (bits<uint32_t>(x) & 0x7fffffffu) == 0x7f800000u; }
template <> INLINE inline bool is_inf(double x) { return std::fabs(x) == inf64; }
template <class T> INLINE inline T maximum(T a, T b) { return a > b || a != a ? a : b; }
template <class T> INLINE inline T minimum(T a, T b) { return a < b || a != a ? a : b; }
template <class T> INLINE inline T fmax(T a, T b) { return a >= b || b != b ? a : b; }
template <class T> INLINE inline T fmin(T a, T b) { return a <= b || b != b ? a : b; }

}  // namespace lamella
