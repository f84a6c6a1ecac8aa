// Reading and writing at places that a tensor names, and moving elements: an index out of range is declined, so that
// the kernel behind tells the error.
#pragma once
#include "kernel.h"

namespace native {

inline bool get_places(PyObject* o, In& x) { return get(o, x) && x.type == NPY_INT64; }
inline int width_of(int type) {
    switch (type) {
        case NPY_FLOAT: case NPY_INT32: return 4;
        case NPY_DOUBLE: case NPY_INT64: return 8;
        case NPY_BOOL: return 1;
        default: return 0;
    }
}

// f is called with a value of the unsigned type as wide as the elements: what is only moved needs no other type.
template <class F> PyObject* by_width(int type, F f) {
    switch (width_of(type)) {
        case 1: return f(uint8_t{});
        case 4: return f(uint32_t{});
        case 8: return f(uint64_t{});
        default: return nullptr;
    }
}

inline PyObject* dropped(PyObject* r) { return Py_XDECREF(r), nullptr; }

inline PyObject* gather(Kernel&, PyObject** v) {  // (self, dim, index, *, sparse_grad)
    In x, at;
    int d;
    if (!get(v[0], x) || !get_places(v[2], at) || at.nd != x.nd || !x.nd || !dimension(v[1], x.nd, d)) return nullptr;
    for (int i = 0; i < x.nd; i++)
        if (i != d && at.dims[i] != x.dims[i]) return nullptr;
    Split s(x, d), t(at, d);
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(at, out, x.type);
        if (!r) return nullptr;
        for (Index o = 0; o < t.outer; o++)
            for (Index k = 0; k < t.n; k++)
                for (Index i = 0; i < t.inner; i++) {
                    Index j = (o * t.n + k) * t.inner + i, p = at.as<int64_t>()[j];
                    if (p < 0 || p >= s.n) return dropped(r);
                    out[j] = x.as<T>()[(o * s.n + p) * s.inner + i];
                }
        return r;
    });
}

// (self, dim, index, src): f(old, new) for each element of src, at its place.
template <class F> PyObject* scattered(PyObject** v, F f) {
    In x, at, src;
    int d;
    if (!get_float(v[0], x) || !get_places(v[2], at) || !get(v[3], src) || src.type != x.type) return nullptr;
    if (at.nd != x.nd || !x.nd || !dimension(v[1], x.nd, d) || !at.same_shape(src)) return nullptr;
    for (int i = 0; i < x.nd; i++)
        if (i != d && at.dims[i] != x.dims[i]) return nullptr;
    Split s(x, d), t(at, d);
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        std::copy(x.as<T>(), x.as<T>() + x.n, out);
        for (Index o = 0; o < t.outer; o++)
            for (Index k = 0; k < t.n; k++)
                for (Index i = 0; i < t.inner; i++) {
                    Index j = (o * t.n + k) * t.inner + i, p = at.as<int64_t>()[j];
                    if (p < 0 || p >= s.n) return dropped(r);
                    T& to = out[(o * s.n + p) * s.inner + i];
                    to = f(to, src.as<T>()[j]);
                }
        return r;
    });
}

template <bool ADDS> PyObject* scatter(Kernel&, PyObject** v) {
    return scattered(v, [](auto old, auto added) { return ADDS ? old + added : added; });
}

inline PyObject* scatter_reduce(Kernel&, PyObject** v) {  // (..., reduce, *, include_self)
    if (!flag(v[5], true) || !v[4] || !PyUnicode_CheckExact(v[4])) return nullptr;
    auto is = [v](const char* name) { return !PyUnicode_CompareWithASCIIString(v[4], name); };
    if (is("sum")) return scattered(v, [](auto a, auto b) { return a + b; });
    if (is("prod")) return scattered(v, [](auto a, auto b) { return a * b; });
    if (is("amax")) return scattered(v, [](auto a, auto b) { return a != a || a > b ? a : b; });
    if (is("amin")) return scattered(v, [](auto a, auto b) { return a != a || a < b ? a : b; });
    return nullptr;
}

// Rows of (outer, n, inner) at places along the middle; `shape` is filled with the result's.
template <class T>
bool take_rows(const T* x, const Split& s, const In& at, T* out, bool negative) {
    for (Index o = 0; o < s.outer; o++)
        for (Index k = 0; k < at.n; k++) {
            Index p = at.as<int64_t>()[k];
            if (negative && p < 0) p += s.n;
            if (p < 0 || p >= s.n) return false;
            std::copy_n(x + (o * s.n + p) * s.inner, s.inner, out + (o * at.n + k) * s.inner);
        }
    return true;
}

inline PyObject* index_select(Kernel&, PyObject** v) {  // (self, dim, index)
    In x, at;
    int d;
    if (!get(v[0], x) || !get_places(v[2], at) || at.nd != 1 || !x.nd || !dimension(v[1], x.nd, d)) return nullptr;
    Split s(x, d);
    if (s.outer * at.n * s.inner > LIMIT) return nullptr;
    Index dims[NPY_MAXDIMS];
    std::copy(x.dims, x.dims + x.nd, dims);
    dims[d] = at.n;
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(x.nd, dims, x.type, out);
        return !r || take_rows(x.as<T>(), s, at, out, false) ? r : dropped(r);
    });
}

inline PyObject* embedding(Kernel&, PyObject** v) {  // (weight, indices, padding_idx, scale_grad_by_freq, sparse)
    In w, at;
    if (!is_tensor(v[0]) || !get_places(v[1], at)) return nullptr;
    PyArrayObject* a = array_of(v[0]);
    if (Py_TYPE(a) != &PyArray_Type || !PyArray_ISCARRAY_RO(a) || PyArray_NDIM(a) != 2) return nullptr;
    w = {PyArray_BYTES(a), PyArray_SIZE(a), 2, PyArray_TYPE(a), PyArray_DIMS(a)};
    Split s(w, 0);
    if (at.n * s.inner > LIMIT || at.nd >= NPY_MAXDIMS) return nullptr;
    Index dims[NPY_MAXDIMS];
    std::copy(at.dims, at.dims + at.nd, dims);
    dims[at.nd] = s.inner;
    return by_width(w.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(at.nd + 1, dims, w.type, out);
        return !r || take_rows(w.as<T>(), s, at, out, false) ? r : dropped(r);
    });
}

inline PyObject* take(Kernel&, PyObject** v) {  // (self, index)
    In x, at;
    if (!get(v[0], x) || !get_places(v[1], at)) return nullptr;
    Split s(x, -1);
    s.outer = 1, s.n = x.n, s.inner = 1;
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(at, out, x.type);
        return !r || take_rows(x.as<T>(), s, at, out, true) ? r : dropped(r);
    });
}

// x[i, j, ...] with one-dimensional tensors of places for the first dimensions.
struct Places {
    In at[4];
    int n = 0;
    bool read(PyObject* list, const In& x) {
        if (!list || !(PyList_Check(list) || PyTuple_Check(list))) return false;
        n = int(PySequence_Fast_GET_SIZE(list));
        if (n < 1 || n > 4 || n > x.nd) return false;
        for (int i = 0; i < n; i++)
            if (!get_places(PySequence_Fast_GET_ITEM(list, i), at[i]) || at[i].nd != 1 || at[i].n != at[0].n)
                return false;
        return true;
    }
    // The row that step k names, or -1.
    Index row(const In& x, Index k) const {
        Index row = 0;
        for (int i = 0; i < n; i++) {
            Index p = at[i].as<int64_t>()[k];
            if (p < 0) p += x.dims[i];
            if (p < 0 || p >= x.dims[i]) return -1;
            row = row * x.dims[i] + p;
        }
        return row;
    }
};

inline PyObject* index(Kernel&, PyObject** v) {  // (self, indices)
    In x;
    Places places;
    if (!get(v[0], x) || !places.read(v[1], x)) return nullptr;
    Index dims[NPY_MAXDIMS], inner = 1;
    dims[0] = places.at[0].n;
    int nd = 1;
    for (int i = places.n; i < x.nd; i++) inner *= dims[nd++] = x.dims[i];
    if (dims[0] * inner > LIMIT) return nullptr;
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(nd, dims, x.type, out);
        if (!r) return nullptr;
        for (Index k = 0; k < dims[0]; k++) {
            Index row = places.row(x, k);
            if (row < 0) return dropped(r);
            std::copy_n(x.as<T>() + row * inner, inner, out + k * inner);
        }
        return r;
    });
}

inline PyObject* index_put(Kernel&, PyObject** v) {  // (self, indices, values, accumulate)
    In x, w;
    Places places;
    if (!get_float(v[0], x) || !places.read(v[1], x) || !get(v[2], w) || w.type != x.type || !is_flag(v[3]))
        return nullptr;
    Index inner = 1;
    bool adds = flag(v[3], false), fits = w.nd == x.nd - places.n + 1 && w.nd > 0 && w.dims[0] == places.at[0].n;
    for (int i = places.n; fits && i < x.nd; i++) {
        inner *= x.dims[i];
        fits = w.dims[i - places.n + 1] == x.dims[i];
    }
    if (!fits) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        std::copy(x.as<T>(), x.as<T>() + x.n, out);
        for (Index k = 0; k < places.at[0].n; k++) {
            Index row = places.row(x, k);
            if (row < 0) return dropped(r);
            for (Index i = 0; i < inner; i++) {
                T &to = out[row * inner + i], from = w.as<T>()[k * inner + i];
                to = adds ? to + from : from;
            }
        }
        return r;
    });
}

inline PyObject* index_add(Kernel&, PyObject** v) {  // (self, dim, index, source, *, alpha)
    In x, at, src;
    int d;
    if (v[4] || !get_float(v[0], x) || !get_places(v[2], at) || at.nd != 1 || !get(v[3], src)) return nullptr;
    if (src.type != x.type || src.nd != x.nd || !x.nd || !dimension(v[1], x.nd, d)) return nullptr;
    for (int i = 0; i < x.nd; i++)
        if (src.dims[i] != (i == d ? at.n : x.dims[i])) return nullptr;
    Split s(x, d);
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        std::copy(x.as<T>(), x.as<T>() + x.n, out);
        for (Index o = 0; o < s.outer; o++)
            for (Index k = 0; k < at.n; k++) {
                Index p = at.as<int64_t>()[k];
                if (p < 0 || p >= s.n) return dropped(r);
                for (Index i = 0; i < s.inner; i++)
                    out[(o * s.n + p) * s.inner + i] += src.as<T>()[(o * at.n + k) * s.inner + i];
            }
        return r;
    });
}

inline PyObject* embedding_backward(Kernel&, PyObject** v) {  // (grad, indices, num_weights, padding_idx, by_freq)
    In g, at;
    Index rows, padding;
    if (!get_float(v[0], g) || !get_places(v[1], at) || g.nd != at.nd + 1 || flag(v[4], true)) return nullptr;
    if (!integer(v[2], rows) || !integer(v[3], padding)) return nullptr;
    Index width = g.dims[g.nd - 1], dims[2] = {rows, width};
    if (rows * width > LIMIT) return nullptr;
    return by_float(g.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(2, dims, g.type, out);
        if (!r) return nullptr;
        std::fill_n(out, rows * width, T(0));
        for (Index k = 0; k < at.n; k++) {
            Index p = at.as<int64_t>()[k];
            if (p < 0 || p >= rows) return dropped(r);
            if (p != padding)
                for (Index i = 0; i < width; i++) out[p * width + i] += g.as<T>()[k * width + i];
        }
        return r;
    });
}

inline PyObject* nonzero(Kernel&, PyObject** v) {
    In x;
    if (!get(v[0], x) || x.type != NPY_BOOL || !x.nd) return nullptr;
    Index dims[2] = {std::count(x.as<bool>(), x.as<bool>() + x.n, true), x.nd};
    int64_t* out;
    PyObject* r = make(2, dims, NPY_INT64, out);
    if (!r) return nullptr;
    for (Index j = 0; j < x.n; j++) {
        if (!x.as<bool>()[j]) continue;
        Index rest = j;
        for (int i = x.nd - 1; i >= 0; i--) out[i] = rest % x.dims[i], rest /= x.dims[i];
        out += x.nd;
    }
    return r;
}

// -- moving elements -------------------------------------------------------------------------------------------------

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
