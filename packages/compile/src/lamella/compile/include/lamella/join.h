// Many tensors joined along a dimension.
#pragma once
#include <cstring>
#include "loops.h"

namespace lamella {

template <class T>
inline void join_rows(long, long, long, T*, long) {}

template <class T, class... Rest>
inline void join_rows(long first, long last, long total, T* out, long at, const T* part, long width, Rest... rest) {
    for (long r = first; r < last; ++r) std::memcpy(out + r * total + at, part + r * width, width * sizeof(T));
    join_rows(first, last, total, out, at + width, rest...);
}

// out (rows, total) = parts side by side: pairs of a part (rows, width) and its width. All are row-major.
template <class T, class... Parts>
void join(long rows, long total, T* out, Parts... parts) {
    share(rows, double(rows) * total, [&](long first, long last) { join_rows(first, last, total, out, 0, parts...); });
}

}  // namespace lamella
