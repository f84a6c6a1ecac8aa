// The BLAS that the process has loaded already, with row-major matrices and sizes of type long.
//
// The run time calls `lamella_init` once after loading a library. Pointers come from the OpenBLAS inside NumPy (sizes of
// 64 bits) or from scipy.linalg.cython_blas (sizes of 32 bits); `wide` tells which. One shared object is one translation
// unit, so the table may be static.
#pragma once

#include <cstdint>

namespace lamella {
namespace blas {

struct Table {
    void* sgemm;
    void* dgemm;
    void* sgemv;
    void* dgemv;
    void* wide;         // not null: integers have 64 bits
    void* set_threads;  // void (*)(int), or null
    void* get_threads;  // int (*)(), or null
};

static Table table;

template <class T, class I>
using Gemm = void (*)(const char*, const char*, const I*, const I*, const I*, const T*, const T*, const I*, const T*,
                      const I*, const T*, T*, const I*);
template <class T, class I>
using Gemv = void (*)(const char*, const I*, const I*, const T*, const T*, const I*, const T*, const I*, const T*, T*,
                      const I*);

inline void* gemm_of(const float*) { return table.sgemm; }
inline void* gemm_of(const double*) { return table.dgemm; }
inline void* gemv_of(const float*) { return table.sgemv; }
inline void* gemv_of(const double*) { return table.dgemv; }

template <class T, class I>
inline void gemm_as(bool ta, bool tb, I m, I n, I k, T alpha, const T* a, I lda, const T* b, I ldb, T beta, T* c, I ldc) {
    // The routine thinks in columns: c' = b' a'.
    reinterpret_cast<Gemm<T, I>>(gemm_of(a))(tb ? "T" : "N", ta ? "T" : "N", &n, &m, &k, &alpha, b, &ldb, a, &lda, &beta,
                                             c, &ldc);
}

template <class T, class I>
inline void gemv_as(bool ta, I m, I n, T alpha, const T* a, I lda, const T* x, I incx, T beta, T* y, I incy) {
    reinterpret_cast<Gemv<T, I>>(gemv_of(a))(ta ? "N" : "T", &n, &m, &alpha, a, &lda, x, &incx, &beta, y, &incy);
}

// c[m,n] = alpha * op(a)[m,k] @ op(b)[k,n] + beta * c; op transposes where ta (tb) is set. lda is the distance between
// rows of `a` as it lies in memory (m x k, or k x m where ta). c is not read where beta is 0.
template <class T>
inline void gemm(bool ta, bool tb, long m, long n, long k, T alpha, const T* a, long lda, const T* b, long ldb, T beta,
                 T* c, long ldc) {
    if (table.wide)
        gemm_as<T, int64_t>(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else
        gemm_as<T, int32_t>(ta, tb, int32_t(m), int32_t(n), int32_t(k), alpha, a, int32_t(lda), b, int32_t(ldb), beta, c,
                            int32_t(ldc));
}

// y = alpha * op(a) @ x + beta * y; `a` lies in memory as m rows of n. y has m elements (n where ta).
template <class T>
inline void gemv(bool ta, long m, long n, T alpha, const T* a, long lda, const T* x, long incx, T beta, T* y, long incy) {
    if (table.wide)
        gemv_as<T, int64_t>(ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
    else
        gemv_as<T, int32_t>(ta, int32_t(m), int32_t(n), alpha, a, int32_t(lda), x, int32_t(incx), beta, y, int32_t(incy));
}

inline int threads() { return table.get_threads ? reinterpret_cast<int (*)()>(table.get_threads)() : 1; }
inline void set_threads(int n) {
    if (table.set_threads) reinterpret_cast<void (*)(int)>(table.set_threads)(n);
}

}  // namespace blas
}  // namespace lamella

extern "C" __attribute__((used, visibility("default"))) inline void lamella_init(void** pointers) {
    lamella::blas::table = *reinterpret_cast<lamella::blas::Table*>(pointers);
}
