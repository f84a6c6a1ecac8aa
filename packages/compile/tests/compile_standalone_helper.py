"""Folders of emitted programs, built by g++ and run: a CUDA run time and a cuBLAS of the host stand in for a GPU's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import compile_cuda_emulation as emulation

from lamella.compile.build import compilers

HERE = Path(__file__).parent

RUNTIME = r"""
#pragma once
#include <cstdlib>
#include <cstring>
#include <string>
typedef int cudaError_t;
typedef void* cudaStream_t;
typedef void* cudaEvent_t;
enum { cudaSuccess = 0, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
struct uint3 { unsigned x, y, z; };
struct dim3 : uint3 { dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : uint3{x, y, z} {} };
struct EmulatedLaunch { const char* kernel; uint3 grid, block; size_t shared; void** arguments; int order; };
extern "C" const char* lamella_launch(const void* kernel, const EmulatedLaunch* launch);
inline std::string& emulated_error() { static std::string text; return text; }
inline const char* cudaGetErrorString(cudaError_t) { return emulated_error().c_str(); }
inline cudaError_t cudaStreamCreate(cudaStream_t*) { return 0; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return 0; }
inline cudaError_t cudaMalloc(void** at, size_t size) {
    *at = aligned_alloc(256, (size + 511) / 256 * 256);
    std::memset(*at, 0xA5, size);
    return 0;
}
inline cudaError_t cudaMemset(void* at, int value, size_t size) { std::memset(at, value, size); return 0; }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t size, int) { std::memcpy(to, from, size); return 0; }
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
inline cudaError_t cudaFuncSetAttribute(const void*, int, int) { return 0; }
inline cudaError_t cudaEventCreate(cudaEvent_t*) { return 0; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return 0; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return 0; }
inline cudaError_t cudaEventElapsedTime(float* found, cudaEvent_t, cudaEvent_t) { *found = 1; return 0; }
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                    cudaStream_t) {
    EmulatedLaunch launch = {"kernel", grid, block, shared, arguments, 0};
    const char* error = lamella_launch(kernel, &launch);
    if (error) emulated_error() = error;
    return error ? 1 : 0;
}
"""

CUBLAS = r"""
template <class T>
void multiply(int ta, int tb, long m, long n, long k, T alpha, const T* a, long lda, long sa, const T* b, long ldb,
              long sb, T beta, T* c, long ldc, long sc, long count) {
    for (long p = 0; p < count; ++p, a += sa, b += sb, c += sc)
        for (long j = 0; j < n; ++j)
            for (long i = 0; i < m; ++i) {
                T total = 0;
                for (long l = 0; l < k; ++l)
                    total += (ta ? a[l + i * lda] : a[i + l * lda]) * (tb ? b[j + l * ldb] : b[l + j * ldb]);
                T& out = c[i + j * ldc];
                out = alpha * total + (beta == 0 ? T(0) : beta * out);
            }
}
extern "C" int cublasCreate_v2(void** handle) { static int one; *handle = &one; return 0; }
extern "C" int cublasSetStream_v2(void*, void*) { return 0; }
extern "C" int cublasGemmStridedBatchedEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* a,
        int at, int lda, long long sa, const void* b, int bt, int ldb, long long sb, const void* beta, void* c, int ct,
        int ldc, long long sc, int count, int compute, int algo) {
    if (at != bt || at != ct || compute != (at == 1 ? 70 : 68) || algo != -1 || lda < 1 || ldb < 1 || ldc < m) return 7;
    if (at == 0)
        multiply<float>(ta, tb, m, n, k, *(const float*)alpha, (const float*)a, lda, sa, (const float*)b, ldb, sb,
                        *(const float*)beta, (float*)c, ldc, sc, count);
    else if (at == 1)
        multiply<double>(ta, tb, m, n, k, *(const double*)alpha, (const double*)a, lda, sa, (const double*)b, ldb, sb,
                         *(const double*)beta, (double*)c, ldc, sc, count);
    else return 15;
    return 0;
}
"""


def build(folder: Path) -> Path:
    """Build a folder's program for the host."""
    fake = folder / "emulated"
    fake.mkdir()
    (fake / "cuda_runtime.h").write_text(RUNTIME)
    text = (folder / "program.cu").read_text()
    names = list(dict.fromkeys(emulation.kernels(text)))
    table = "".join(f"    if (kernel == (const void*)&{name}) return {name}_launch(launch);\n" for name in names)
    (fake / "kernels.cpp").write_text(
        emulation.host_text(text) + '\nextern "C" const char* lamella_launch(const void* kernel, const '
        "emulated::Launch* launch) {\n" + table + '    return "no such kernel";\n}\n')
    (fake / "cublas.cpp").write_text(CUBLAS)
    compiler = compilers.find()
    command = list(compiler.command)
    for arguments in (["-O1", "-shared", "-fPIC", "-o", "libcublas.so", "cublas.cpp"],
                      ["-O1", "-std=c++17", "-w", "-fno-strict-aliasing", "-I../include", "-include",
                       str(HERE / "cuda_host.h"), "-c", "-o", "kernels.o", "kernels.cpp"],
                      ["-O1", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I.", "-I..", "-o", "program",
                       "../host.cpp", "kernels.o", "-ldl"]):
        done = subprocess.run([*command, *arguments], cwd=fake, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return fake / "program"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess:
    """Run a built program in its folder."""
    fake = folder / "emulated"
    return subprocess.run([str(fake / "program"), *options], cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "LD_LIBRARY_PATH": str(fake)})
