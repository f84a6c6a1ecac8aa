// Tests only: what CUDA's device code can call, on the host. See cuda_host.h.
#pragma once

inline void __syncthreads() { emulated::barrier(); }
inline int __syncthreads_or(int x) { return int(emulated::barrier(x != 0) & 1); }
inline int __syncthreads_and(int x) { return int(emulated::barrier(x != 0) >> 1 & 1); }
inline int __syncthreads_count(int x) { return int(emulated::barrier(x != 0) >> 2); }
inline void __syncwarp(unsigned mask = ~0u) { emulated::warp(emulated::warp_barrier, mask, 0, 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __trap() { emulated::stop("trap"); }

// -- warps --------------------------------------------------------------------------------------------------------------

namespace emulated {

inline int lane_id() { return s.self->number % lanes; }

template <class T>
inline T exchange(unsigned mask, T x, int source) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t value = 0;
    std::memcpy(&value, &x, sizeof x);
    value = warp(shuffle, mask, value, source);
    std::memcpy(&x, &value, sizeof x);
    return x;
}

}  // namespace emulated

template <class T>
inline T __shfl_sync(unsigned mask, T x, int source, int width = 32) {
    int base = emulated::lane_id() & ~(width - 1);
    return emulated::exchange(mask, x, base + (source & (width - 1)));
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T x, unsigned delta, int width = 32) {
    int lane = emulated::lane_id(), within = lane & (width - 1);
    return emulated::exchange(mask, x, within + int(delta) < width ? lane + int(delta) : lane);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T x, unsigned delta, int width = 32) {
    int lane = emulated::lane_id(), within = lane & (width - 1);
    return emulated::exchange(mask, x, within >= int(delta) ? lane - int(delta) : lane);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T x, int bits, int width = 32) {
    int lane = emulated::lane_id(), source = lane ^ bits;
    return emulated::exchange(mask, x, source < (lane & ~(width - 1)) + width ? source : lane);
}
inline unsigned __ballot_sync(unsigned mask, int x) {
    return unsigned(emulated::warp(emulated::ballot, mask, x != 0, 0)) & mask;
}
inline int __any_sync(unsigned mask, int x) { return __ballot_sync(mask, x) != 0; }
inline int __all_sync(unsigned mask, int x) { return __ballot_sync(mask, !x) == 0; }

// -- atomics: fibers are interrupted nowhere else than at barriers ------------------------------------------------------

template <class T, class F>
inline T atomic_change(T* at, F change) {
    T old = *at;
    *at = T(change(old));
    return old;
}
template <class T> inline T atomicAdd(T* at, T x) { return atomic_change(at, [=](T a) { return a + x; }); }
template <class T> inline T atomicSub(T* at, T x) { return atomic_change(at, [=](T a) { return a - x; }); }
template <class T> inline T atomicMax(T* at, T x) { return atomic_change(at, [=](T a) { return a > x ? a : x; }); }
template <class T> inline T atomicMin(T* at, T x) { return atomic_change(at, [=](T a) { return a < x ? a : x; }); }
template <class T> inline T atomicAnd(T* at, T x) { return atomic_change(at, [=](T a) { return a & x; }); }
template <class T> inline T atomicOr(T* at, T x) { return atomic_change(at, [=](T a) { return a | x; }); }
template <class T> inline T atomicXor(T* at, T x) { return atomic_change(at, [=](T a) { return a ^ x; }); }
template <class T> inline T atomicExch(T* at, T x) { return atomic_change(at, [=](T) { return x; }); }
template <class T> inline T atomicInc(T* at, T x) { return atomic_change(at, [=](T a) { return a >= x ? 0 : a + 1; }); }
template <class T> inline T atomicCAS(T* at, T from, T to) {
    return atomic_change(at, [=](T a) { return a == from ? to : a; });
}

// -- bits and numbers ---------------------------------------------------------------------------------------------------

namespace emulated {

template <class To, class From>
inline To cast(From x) {
    static_assert(sizeof(To) == sizeof(From), "the same size");
    To to;
    std::memcpy(&to, &x, sizeof to);
    return to;
}

}  // namespace emulated

inline int __float_as_int(float x) { return emulated::cast<int>(x); }
inline unsigned __float_as_uint(float x) { return emulated::cast<unsigned>(x); }
inline float __int_as_float(int x) { return emulated::cast<float>(x); }
inline float __uint_as_float(unsigned x) { return emulated::cast<float>(x); }
inline long long __double_as_longlong(double x) { return emulated::cast<long long>(x); }
inline double __longlong_as_double(long long x) { return emulated::cast<double>(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t(a) * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
template <class T> inline T __ldg(const T* at) { return *at; }
template <class T> inline T __ldcs(const T* at) { return *at; }
template <class T> inline void __stcs(T* at, T x) { *at = x; }
using std::max;
using std::min;

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline double erfinv(double x) {  // Newton's method on erf, from a start that is near
    double a = std::fabs(x);
    if (!(a < 1)) return a == 1 ? std::copysign(HUGE_VAL, x) : NAN;
    double w = -std::log((1 - a) * (1 + a)), l = 4.3307467508 - w / 2;
    double y = std::sqrt(std::sqrt(l * l + w / 0.147) - l);
    for (int step = 0; step < 4; ++step) {
        double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
        double d = error / (1.1283791670955126 * std::exp(-y * y));
        y -= d / (1 + y * d);
    }
    return std::copysign(y, x);
}
inline float erfinvf(float x) { return float(erfinv(double(x))); }

// -- short vectors ------------------------------------------------------------------------------------------------------

#define LAMELLA_VECTORS(type, name) \
    struct alignas(2 * sizeof(type)) name##2 { type x, y; }; \
    struct name##3 { type x, y, z; }; \
    struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; }; \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
LAMELLA_VECTORS(float, float) LAMELLA_VECTORS(double, double) LAMELLA_VECTORS(int, int) LAMELLA_VECTORS(short, short)
LAMELLA_VECTORS(unsigned short, ushort) LAMELLA_VECTORS(signed char, char) LAMELLA_VECTORS(unsigned char, uchar)
LAMELLA_VECTORS(long, long) LAMELLA_VECTORS(unsigned long, ulong)
#undef LAMELLA_VECTORS
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// -- half precision -----------------------------------------------------------------------------------------------------

struct __half { unsigned short bits; };
#ifdef __FLT16_MAX__
inline float __half2float(__half x) { return float(emulated::cast<_Float16>(x.bits)); }
inline __half __float2half_rn(float x) { return {emulated::cast<unsigned short>(_Float16(x))}; }
inline __half __float2half(float x) { return __float2half_rn(x); }
#endif
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline __half __ushort_as_half(unsigned short x) { return {x}; }
