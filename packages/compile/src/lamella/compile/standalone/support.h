// What host.cpp needs beside the plan: files, memory of the GPU, launches, matrix products by cuBLAS.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// Python's division of whole numbers, for sizes.
inline long floordiv(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
inline long mod(long a, long b) { return a - floordiv(a, b) * b; }
inline long larger(long a, long b) { return a > b ? a : b; }
inline long smaller(long a, long b) { return a < b ? a : b; }

inline std::vector<char> read_file(const std::string& path, long size, long offset = 0) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> content(size);
    file.seekg(offset);
    if (!file.read(content.data(), size) && size) throw std::runtime_error(path + ": " + std::to_string(size) + " bytes are needed");
    return content;
}

inline void write_file(const std::string& path, const std::vector<char>& content) {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(content.data(), content.size())) throw std::runtime_error(path + ": cannot be written");
}

// Command line: --name value.
struct Options {
    std::map<std::string, std::string> given;
    Options(int count, char** words) {
        for (int i = 1; i < count; ++i) {
            std::string word = words[i];
            if (word.rfind("--", 0) != 0 || i + 1 >= count) throw std::runtime_error("expected --name value, got " + word);
            given[word.substr(2)] = words[++i];
        }
    }
    std::string text(const std::string& name, const std::string& otherwise) const {
        auto found = given.find(name);
        return found == given.end() ? otherwise : found->second;
    }
    long size(const std::string& name, long otherwise) const { return std::stol(text(name, std::to_string(otherwise))); }
    double number(const std::string& name, double otherwise) const {
        auto found = given.find(name);
        return found == given.end() ? otherwise : std::stod(found->second);
    }
};

// The first index of a launch that was out of range, as kernels report it.
struct Report {
    int failed;
    long value, size;
};

// A matrix product as cuBLAS takes it: it counts columns first, so its A is the plan's b.
struct Gemm {
    int op_a, op_b;
    long m, n, k, step_a, step_b, step_c, batch_a, batch_b, batch_c, count;
    int element, out, compute;
};

class Cublas {
    typedef int (*Create)(void**);
    typedef int (*SetStream)(void*, cudaStream_t);
    typedef int (*Multiply)(void*, int, int, int, int, int, const void*, const void*, int, int, long long, const void*,
                            int, int, long long, const void*, void*, int, int, long long, int, int, int);
    void* handle = nullptr;
    Multiply multiply = nullptr;

    void open(cudaStream_t stream) {
        void* library = nullptr;
        for (const char* name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12"})
            if (!library) library = dlopen(name, RTLD_NOW);
        if (!library) throw std::runtime_error("libcublas is needed for matrix products (it comes with the CUDA toolkit)");
        auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
        auto set_stream = reinterpret_cast<SetStream>(dlsym(library, "cublasSetStream_v2"));
        multiply = reinterpret_cast<Multiply>(dlsym(library, "cublasGemmStridedBatchedEx"));
        if (!create || !set_stream || !multiply || create(&handle) || set_stream(handle, stream))
            throw std::runtime_error("cuBLAS could not be started");
    }

  public:
    void product(cudaStream_t stream, const Gemm& g, double alpha, double beta, const void* a, const void* b, void* c) {
        if (!handle) open(stream);
        float single[2] = {float(alpha), float(beta)};
        double both[2] = {alpha, beta};
        bool wide = g.compute == 70;  // CUBLAS_COMPUTE_64F
        const void* factors[2] = {wide ? (void*)&both[0] : (void*)&single[0], wide ? (void*)&both[1] : (void*)&single[1]};
        int status = multiply(handle, g.op_a, g.op_b, g.m, g.n, g.k, factors[0], b, g.element, g.step_a, g.batch_a, a,
                              g.element, g.step_b, g.batch_b, factors[1], c, g.out, g.step_c, g.batch_c, g.count,
                              g.compute, -1);
        if (status) throw std::runtime_error("cuBLAS refused a product (status " + std::to_string(status) + ")");
    }
};

// A value that lies row-major in a file, and in the GPU's memory as the plan says.
struct Tensor {
    std::vector<long> shape, stride;
    long width;
    long count() const {
        long n = 1;
        for (long each : shape) n *= each;
        return n;
    }
    long bytes() const { return count() * width; }
    long extent() const {
        long last = 1;
        for (size_t d = 0; d < shape.size(); ++d) {
            if (!shape[d]) return 0;
            last += (shape[d] - 1) * stride[d];
        }
        return last * width;
    }
    // Between file order and memory order.
    void move(const char* from, char* to, bool to_memory) const {
        std::vector<long> at(shape.size(), 0);
        for (long n = 0, total = count(); n < total; ++n) {
            long place = 0;
            for (size_t d = 0; d < shape.size(); ++d) place += at[d] * stride[d];
            if (to_memory) std::memcpy(to + place * width, from + n * width, width);
            else std::memcpy(to + n * width, from + place * width, width);
            for (size_t d = shape.size(); d-- > 0;) {
                if (++at[d] < shape[d]) break;
                at[d] = 0;
            }
        }
    }
};

// The GPU: one stream, memory by slot.
class Machine {
  public:
    cudaStream_t stream = nullptr;
    std::vector<char*> slots;
    Cublas cublas;
    std::map<std::string, Report*> reports;
    long drawn = 0;

    explicit Machine(size_t count) : slots(count, nullptr) {
        check(cudaStreamCreate(&stream), "the GPU cannot be used");
    }
    Report* report(const char* launch) {
        Report*& found = reports[launch];
        if (!found) {
            found = reinterpret_cast<Report*>(allocate(sizeof(Report)));
            check(cudaMemset(found, 0, sizeof(Report)), "memory");
        }
        return found;
    }
    char* allocate(long size) {
        void* memory = nullptr;
        cudaError_t error = cudaMalloc(&memory, size ? size : 1);
        check(error, ("allocating " + std::to_string(size) + " bytes").c_str());
        return static_cast<char*>(memory);
    }
    void put(int slot, const Tensor& tensor, const std::vector<char>& content) {
        std::vector<char> memory(tensor.extent());
        tensor.move(content.data(), memory.data(), true);
        slots[slot] = allocate(memory.size());
        check(cudaMemcpy(slots[slot], memory.data(), memory.size(), cudaMemcpyHostToDevice), "copying to the GPU");
    }
    std::vector<char> get(const char* from, const Tensor& tensor) {
        std::vector<char> memory(tensor.extent()), content(tensor.bytes());
        check(cudaMemcpy(memory.data(), from, memory.size(), cudaMemcpyDeviceToHost), "copying from the GPU");
        tensor.move(memory.data(), content.data(), false);
        return content;
    }
    // Seed and offset of the generator for the draws of one run.
    void draws(int slot, long seed, long count) {
        long state[2] = {seed, drawn};
        drawn += count;
        if (!slots[slot]) slots[slot] = allocate(sizeof state);
        check(cudaStreamSynchronize(stream), "running the kernels");
        check(cudaMemcpy(slots[slot], state, sizeof state, cudaMemcpyHostToDevice), "copying to the GPU");
    }
    template <class... Types>
    void launch(const char* name, const void* kernel, dim3 grid, dim3 block, long shared, Types... values) {
        if (!grid.x || !grid.y || !grid.z) return;
        void* arguments[] = {&values..., nullptr};
        if (shared > 48 * 1024)
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)), name);
        check(cudaLaunchKernel(kernel, grid, block, arguments, shared, stream), name);
    }
    void product(const Gemm& gemm, double alpha, double beta, const void* a, const void* b, void* c) {
        if (gemm.count && gemm.m && gemm.n) cublas.product(stream, gemm, alpha, beta, a, b, c);
    }
    void finish() {
        check(cudaStreamSynchronize(stream), "running the kernels");
        for (const auto& each : reports) {
            Report found;
            check(cudaMemcpy(&found, each.second, sizeof(Report), cudaMemcpyDeviceToHost), "reading a report");
            if (found.failed)
                throw std::runtime_error(each.first + ": index out of range (index=" + std::to_string(found.value) +
                                         ", size=" + std::to_string(found.size) + ")");
        }
    }
};

inline double as_number(const char* at, const std::string& type) {
    if (type == "float32") { float v; std::memcpy(&v, at, 4); return v; }
    if (type == "float64") { double v; std::memcpy(&v, at, 8); return v; }
    if (type == "bfloat16") { uint16_t h; std::memcpy(&h, at, 2); uint32_t w = uint32_t(h) << 16; float v; std::memcpy(&v, &w, 4); return v; }
    if (type == "float16") {
        uint16_t h;
        std::memcpy(&h, at, 2);
        int exponent = h >> 10 & 31, part = h & 1023;
        double v = exponent == 31 ? (part ? NAN : INFINITY) : exponent ? std::ldexp(1024 + part, exponent - 25) : std::ldexp(part, -24);
        return h >> 15 ? -v : v;
    }
    if (type == "int64") { int64_t v; std::memcpy(&v, at, 8); return double(v); }
    if (type == "int32") { int32_t v; std::memcpy(&v, at, 4); return v; }
    if (type == "int16") { int16_t v; std::memcpy(&v, at, 2); return v; }
    return type == "int8" ? double(*reinterpret_cast<const int8_t*>(at)) : double(*reinterpret_cast<const uint8_t*>(at));
}

// Largest difference between what was computed and what eager operators gave; false where it is large.
inline bool compare(const std::string& name, const std::string& type, long width, const std::vector<char>& got,
                    const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return true;
    std::vector<char> wanted(got.size());
    if (!file.read(wanted.data(), wanted.size()) && !wanted.empty()) { std::printf("%s: %s is too short\n", name.c_str(), path.c_str()); return false; }
    double worst = 0, scale = 0;
    for (size_t at = 0; at < got.size(); at += width) {
        double a = as_number(got.data() + at, type), b = as_number(wanted.data() + at, type);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        double away = std::fabs(a - b);
        worst = away > worst || std::isnan(away) ? (std::isnan(away) ? INFINITY : away) : worst;
        scale = std::fabs(b) > scale ? std::fabs(b) : scale;
    }
    double allowed = (type == "float64" ? 1e-9 : type == "float32" ? 1e-3 : type == "float16" || type == "bfloat16" ? 3e-2 : 0) * (1 + scale);
    std::printf("%s: largest difference from eager %g%s\n", name.c_str(), worst, worst > allowed ? "  TOO LARGE" : "");
    return worst <= allowed;
}
