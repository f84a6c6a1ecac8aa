// Stores that go around the cache: memory that is only written is not read first, which is a third of the traffic.
#pragma once

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace lamella {

#if defined(__AVX512F__)
typedef __m512i Block;
inline void store_around(Block* to, Block value) { _mm512_stream_si512(to, value); }
#elif defined(__AVX__)
typedef __m256i Block;
inline void store_around(Block* to, Block value) { _mm256_stream_si256(to, value); }
#elif defined(__SSE2__)
typedef __m128i Block;
inline void store_around(Block* to, Block value) { _mm_stream_si128(to, value); }
#endif

// Copy n elements; `from` is aligned to 64 bytes. Other threads see them after `drain`.
template <class T>
inline void stream(T* to, const T* from, long n) {
#ifdef __SSE2__
    if (reinterpret_cast<uintptr_t>(to) % 64 == 0) {
        constexpr long each = sizeof(Block) / sizeof(T);
        long i = 0;
        for (; i + each <= n; i += each)
            store_around(reinterpret_cast<Block*>(to + i), *reinterpret_cast<const Block*>(from + i));
        to += i, from += i, n -= i;
    }
#endif
    std::memcpy(to, from, n * sizeof(T));
}
inline void drain() {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

}  // namespace lamella
