// Element types of programs on the device, and conversions between them. Needs no other header: NVRTC has none.
#pragma once

#define INLINE __device__ __forceinline__
#define UNROLL _Pragma("unroll")

namespace lamella {

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

constexpr float inf32 = __builtin_bit_cast(float, 0x7f800000u), nan32 = __builtin_bit_cast(float, 0x7fc00000u);
constexpr double inf64 = inf32, nan64 = nan32;

template <class To, class From>
INLINE To bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "bits: the same size");
    To to;
    memcpy(&to, &x, sizeof(To));
    return to;
}

// The upper half of a float; rounds to nearest, ties to even.
struct bfloat16 {
    uint16_t half;
    bfloat16() = default;
    INLINE bfloat16(float x) {
        uint32_t u = bits<uint32_t>(x), rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
        half = uint16_t(x != x ? (u >> 16) | 0x40u : rounded);
    }
    INLINE operator float() const { return bits<float>(uint32_t(half) << 16); }
};

// IEEE half precision.
struct float16 {
    uint16_t half;
    float16() = default;
#ifdef LAMELLA_EMULATED  // tests build this for the CPU
    float16(float x) : half(bits<uint16_t>(_Float16(x))) {}
    operator float() const { return float(bits<_Float16>(half)); }
#else
    INLINE float16(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x)); }
    INLINE operator float() const {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
        return x;
    }
#endif
};

// What types are: whole numbers, and those that can be negative.
template <class T> struct Whole { static constexpr bool value = true; };
template <> struct Whole<float> { static constexpr bool value = false; };
template <> struct Whole<double> { static constexpr bool value = false; };
template <> struct Whole<float16> { static constexpr bool value = false; };
template <> struct Whole<bfloat16> { static constexpr bool value = false; };
template <class T> struct Signed { static constexpr bool value = T(-1) < T(0); };

// What no element is beyond: infinities for floats.
template <class T>
INLINE constexpr T lowest() {
    if constexpr (!Whole<T>::value) return T(-inf32);
    else return Signed<T>::value ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0);
}
template <class T>
INLINE constexpr T highest() {
    if constexpr (!Whole<T>::value) return T(inf32);
    else return T(~lowest<T>());
}
template <> INLINE constexpr bool highest<bool>() { return true; }

// Between numbers and whole numbers, toward zero; what is out of range is as the device has it, for eager too.
template <class To, class From>
INLINE To convert(From x) { return To(x); }

// Arithmetic that wraps on whole numbers; on bool: or, and.
template <class T> struct Unsigned { typedef uint32_t type; };
template <> struct Unsigned<long> { typedef uint64_t type; };
template <class T>
INLINE T add(T a, T b) {
    if constexpr (Whole<T>::value) return T(typename Unsigned<T>::type(a) + typename Unsigned<T>::type(b));
    else return a + b;
}
template <class T>
INLINE T sub(T a, T b) {
    if constexpr (Whole<T>::value) return T(typename Unsigned<T>::type(a) - typename Unsigned<T>::type(b));
    else return a - b;
}
template <class T>
INLINE T mul(T a, T b) {
    if constexpr (Whole<T>::value) return T(typename Unsigned<T>::type(a) * typename Unsigned<T>::type(b));
    else return a * b;
}
template <class T>
INLINE T neg(T a) {
    if constexpr (Whole<T>::value) return sub(T(0), a);
    else return -a;
}
template <> INLINE bool add(bool a, bool b) { return a | b; }
template <> INLINE bool mul(bool a, bool b) { return a & b; }

INLINE long least(long a, long b) { return a < b ? a : b; }

template <class T> INLINE bool is_nan(T x) { return x != x; }
template <class T>
INLINE bool is_inf(T x) {
    if constexpr (Whole<T>::value) return false;
    else return x == T(inf32) || x == T(-inf32);
}

}  // namespace lamella
