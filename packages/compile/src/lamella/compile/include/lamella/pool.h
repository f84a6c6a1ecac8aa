// Maximum pooling over two dimensions, with the places of the maxima, and its gradient.
#pragma once
#include "loops.h"
#include "types.h"

namespace lamella {

// Whether b takes the place of a: a later element is larger, or is no number (the last of those counts).
template <class T>
INLINE inline bool takes(T b, T a) {
    return (b > a) | (b != b);
}

// A row of windows of two by two elements side by side.
template <class T>
inline void pool_row(T* __restrict out, uint8_t* __restrict places, const T* __restrict r0, const T* __restrict r1, long n) {
    constexpr long step = 32;
    for (long start = 0; start < n; start += step) {
        const long width = least(step, n - start);
        T best[step];
        int place[step];
#pragma GCC ivdep
        for (long k = 0; k < width; ++k) {
            const long x = 2 * (start + k);
            T a = r0[x];
            int p = 0;
            const bool t1 = takes(r0[x + 1], a);
            a = t1 ? r0[x + 1] : a;
            p = t1 ? 1 : p;
            const bool t2 = takes(r1[x], a);
            a = t2 ? r1[x] : a;
            p = t2 ? 2 : p;
            const bool t3 = takes(r1[x + 1], a);
            best[k] = t3 ? r1[x + 1] : a;
            place[k] = t3 ? 3 : p;
        }
        for (long k = 0; k < width; ++k) out[start + k] = best[k];
        for (long k = 0; k < width; ++k) places[start + k] = uint8_t(place[k]);
    }
}

// out and places (images, h / 2, w / 2) of x (images, h, w).
template <class T>
void max_pool_pairs(long images, long h, long w, T* out, uint8_t* places, const T* x) {
    const long oh = h / 2, ow = w / 2;
    share(images * oh, double(images) * h * w, [&](long first, long last) {
        for (long r = first; r < last; ++r) {
            const T* row = x + (r / oh * h + r % oh * 2) * w;
            pool_row(out + r * ow, places + r * ow, row, row + w, ow);
        }
    });
}

// One row of the input under windows side by side: a gradient goes to the place in its window that is `code` plus 0, 1 ...
template <class T>
inline void put_row(T* __restrict out, const T* __restrict grad, const uint8_t* __restrict places, long windows, long kw,
                    long width, int code) {
    if (kw == 2) {
        constexpr long step = 32;
        for (long start = 0; start < windows; start += step) {
            const long count = least(step, windows - start);
            int place[step];
            for (long k = 0; k < count; ++k) place[k] = places[start + k];
#pragma GCC ivdep
            for (long k = 0; k < count; ++k) {
                const T g = grad[start + k];
                out[2 * (start + k)] = place[k] == code ? g : T(0);
                out[2 * (start + k) + 1] = place[k] == code + 1 ? g : T(0);
            }
        }
    } else {
        for (long x = 0; x < windows; ++x)
            for (long k = 0; k < kw; ++k) out[kw * x + k] = places[x] == code + k ? grad[x] : T(0);
    }
    for (long x = windows * kw; x < width; ++x) out[x] = T(0);
}

// out (images, h, w) = gradients grad (images, oh, ow) at the places, which count a window's elements row by row.
template <class T>
void max_pool_put(long images, long h, long w, long oh, long ow, long kh, long kw, long sh, long sw, long ph, long pw, T* out,
                  const T* grad, const uint8_t* places) {
    const bool tiled = kh == sh && kw == sw && ph == 0 && pw == 0 && oh * kh <= h && ow * kw <= w;
    share(images, double(images) * h * w, [&](long first, long last) {
        for (long n = first; n < last; ++n) {
            T* to = out + n * h * w;
            const T* g = grad + n * oh * ow;
            const uint8_t* p = places + n * oh * ow;
            if (tiled) {
                for (long y = 0; y < oh * kh; ++y)
                    put_row(to + y * w, g + y / kh * ow, p + y / kh * ow, ow, kw, w, int(y % kh * kw));
                for (long i = oh * kh * w; i < h * w; ++i) to[i] = T(0);
                continue;
            }
            for (long i = 0; i < h * w; ++i) to[i] = T(0);
            for (long y = 0; y < oh; ++y)
                for (long x = 0; x < ow; ++x) {
                    const long code = p[y * ow + x];
                    const long at = (y * sh - ph + code / kw) * w + x * sw - pw + code % kw;
                    to[at] = to[at] + g[y * ow + x];
                }
        }
    });
}

}  // namespace lamella
