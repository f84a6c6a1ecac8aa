// Moving elements: joins, turns, triangles and margins.
#pragma once
#include "indexing.h"

namespace native {

// Several tensors of one type, small and without gaps.
inline bool tensors(PyObject* list, std::vector<In>& all) {
    if (!list || !(PyList_Check(list) || PyTuple_Check(list))) return false;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(list);
    if (n < 1 || n > 16) return false;
    all.resize(size_t(n));
    for (Py_ssize_t i = 0; i < n; i++)
        if (!get(PySequence_Fast_GET_ITEM(list, i), all[size_t(i)]) || all[size_t(i)].type != all[0].type) return false;
    return true;
}

inline PyObject* joined(const std::vector<In>& all, const Split& first, int nd, const Index* dims) {
    return by_width(all[0].type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(nd, dims, all[0].type, out);
        if (!r) return nullptr;
        for (Index o = 0; o < first.outer; o++)
            for (const In& x : all) {
                Index run = x.n / first.outer;
                out = std::copy_n(x.as<T>() + o * run, run, out);
            }
        return r;
    });
}

inline PyObject* cat(Kernel&, PyObject** v) {  // (tensors, dim)
    std::vector<In> all;
    int d = 0;
    if (!tensors(v[0], all) || (v[1] && !dimension(v[1], all[0].nd, d)) || !all[0].nd || !all[0].n) return nullptr;
    Index dims[NPY_MAXDIMS], n = 0;
    std::copy(all[0].dims, all[0].dims + all[0].nd, dims);
    dims[d] = 0;
    for (const In& x : all) {
        if (x.nd != all[0].nd || !x.n) return nullptr;
        for (int i = 0; i < x.nd; i++)
            if (i != d && x.dims[i] != dims[i]) return nullptr;
        dims[d] += x.dims[d], n += x.n;
    }
    return n > LIMIT ? nullptr : joined(all, Split(all[0], d), all[0].nd, dims);
}

inline PyObject* stack(Kernel&, PyObject** v) {  // (tensors, dim)
    std::vector<In> all;
    int d = 0;
    if (!tensors(v[0], all) || (v[1] && !dimension(v[1], all[0].nd + 1, d)) || !all[0].n) return nullptr;
    for (const In& x : all)
        if (!x.same_shape(all[0])) return nullptr;
    if (all[0].n * Index(all.size()) > LIMIT || all[0].nd + 1 > NPY_MAXDIMS) return nullptr;
    Index dims[NPY_MAXDIMS];
    std::copy(all[0].dims, all[0].dims + d, dims);
    dims[d] = Index(all.size());
    std::copy(all[0].dims + d, all[0].dims + all[0].nd, dims + d + 1);
    Split s(all[0], d);
    return joined(all, s, all[0].nd + 1, dims);
}

inline PyObject* flip(Kernel&, PyObject** v) {  // (self, dims)
    In x;
    Ints<1> dims;
    if (!get(v[0], x) || !dims.read(v[1]) || dims.n != 1 || dims.v[0] < -x.nd || dims.v[0] >= x.nd) return nullptr;
    Split s(x, int(dims.v[0] < 0 ? dims.v[0] + x.nd : dims.v[0]));
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        for (Index o = 0; o < s.outer; o++)
            for (Index k = 0; k < s.n; k++)
                std::copy_n(x.as<T>() + (o * s.n + k) * s.inner, s.inner, out + (o * s.n + s.n - 1 - k) * s.inner);
        return r;
    });
}

inline PyObject* roll(Kernel&, PyObject** v) {  // (self, shifts, dims)
    In x;
    Index by;
    int d;
    Ints<1> shifts{}, dims{};
    if (!get(v[0], x) || !x.n) return nullptr;
    if (shifts.read(v[1]) && dims.read(v[2]) && shifts.n == 1 && dims.n == 1) {
        by = shifts.v[0];
        if (dims.v[0] < -x.nd || dims.v[0] >= x.nd) return nullptr;
        d = int(dims.v[0] < 0 ? dims.v[0] + x.nd : dims.v[0]);
    } else if (!integer(v[1], by) || !dimension(v[2], x.nd, d)) {
        return nullptr;
    }
    Split s(x, d);
    by = ((by % s.n) + s.n) % s.n;
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        Index head = (s.n - by) * s.inner, whole = s.n * s.inner;
        for (Index o = 0; o < s.outer; o++) {
            const T* p = x.as<T>() + o * whole;
            out = std::copy(p, p + head, std::copy(p + head, p + whole, out));
        }
        return r;
    });
}

template <bool LOWER> PyObject* triangle(Kernel&, PyObject** v) {  // (self, diagonal)
    In x;
    Index k = 0;
    if (!get(v[0], x) || x.nd < 2 || (v[1] && !integer(v[1], k))) return nullptr;
    Index cols = x.dims[x.nd - 1], rows = x.dims[x.nd - 2];
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        for (Index j = 0; j < x.n; j++) {
            Index row = j / cols % rows, col = j % cols;
            out[j] = (LOWER ? col - row <= k : col - row >= k) ? x.as<T>()[j] : T(0);
        }
        return r;
    });
}

inline PyObject* constant_pad(Kernel&, PyObject** v) {  // (self, pad, value); the last two dimensions at most
    In x;
    Ints<4> pad;
    double value = 0;
    if (!get_float(v[0], x) || !pad.read(v[1]) || pad.n % 2 || pad.n / 2 > x.nd || (v[2] && !number(v[2], value)))
        return nullptr;
    Index dims[NPY_MAXDIMS], before[2] = {0, 0};
    std::copy(x.dims, x.dims + x.nd, dims);
    for (int i = 0; i < pad.n / 2; i++) {
        if (pad.v[2 * i] < 0 || pad.v[2 * i + 1] < 0) return nullptr;
        before[i] = pad.v[2 * i];
        dims[x.nd - 1 - i] += pad.v[2 * i] + pad.v[2 * i + 1];
    }
    if (!x.nd || !x.n) return nullptr;
    Index n = 1;
    for (int i = 0; i < x.nd; i++) n *= dims[i];
    if (n > LIMIT) return nullptr;
    Index cols = x.dims[x.nd - 1], rows = x.nd > 1 ? x.dims[x.nd - 2] : 1;
    Index wide = dims[x.nd - 1], high = x.nd > 1 ? dims[x.nd - 2] : 1;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(x.nd, dims, x.type, out);
        if (!r) return nullptr;
        std::fill_n(out, n, T(value));
        for (Index j = 0; j < x.n / cols; j++) {
            Index plane = j / rows, row = j % rows + before[1];
            std::copy_n(x.as<T>() + j * cols, cols, out + (plane * high + row) * wide + before[0]);
        }
        return r;
    });
}

}  // namespace native
