// Random numbers that depend on nothing but seed, offset and place: Philox 4x32 with 10 rounds (Salmon et al., 2011).
// Element i of a draw takes the counter (i, offset), each as two words, low first; the key is the seed.
#pragma once

#include "math.cuh"

namespace lamella {

struct Philox {
    uint32_t word[4];
};

INLINE Philox philox(uint64_t seed, uint64_t offset, uint64_t i) {
    uint32_t a = uint32_t(i), b = uint32_t(i >> 32), c = uint32_t(offset), d = uint32_t(offset >> 32);
    uint32_t first = uint32_t(seed), second = uint32_t(seed >> 32);
    UNROLL for (int round = 0; round < 10; ++round) {
        uint64_t left = uint64_t(a) * 0xD2511F53u, right = uint64_t(c) * 0xCD9E8D57u;
        a = uint32_t(right >> 32) ^ b ^ first;
        b = uint32_t(right);
        c = uint32_t(left >> 32) ^ d ^ second;
        d = uint32_t(left);
        first += 0x9E3779B9u;
        second += 0xBB67AE85u;
    }
    return {{a, b, c, d}};
}

// In [0, 1): the upper 24 bits of a word, or the upper 53 bits of the first two.
INLINE float philox_uniform(uint64_t seed, uint64_t offset, uint64_t i) {
    return float(philox(seed, offset, i).word[0] >> 8) * 0x1p-24f;
}
INLINE double philox_uniform_double(uint64_t seed, uint64_t offset, uint64_t i) {
    Philox p = philox(seed, offset, i);
    return double((uint64_t(p.word[1]) << 32 | p.word[0]) >> 11) * 0x1p-53;
}

// Of the normal distribution (Box and Muller): sqrt(-2 log u) cos(2 pi v), u in (0, 1] of the first 53 bits, v in [0, 1) of
// the rest; computed in double.
INLINE double philox_normal(uint64_t seed, uint64_t offset, uint64_t i) {
    Philox p = philox(seed, offset, i);
    double u = double(((uint64_t(p.word[1]) << 32 | p.word[0]) >> 11) + 1) * 0x1p-53;
    double v = double((uint64_t(p.word[3]) << 32 | p.word[2]) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586477 * v);
}

}  // namespace lamella
