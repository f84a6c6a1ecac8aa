// Reading and writing at places that a tensor names: an index out of range is declined, so that the kernel behind tells
// the error.
#pragma once
#include "kernel.h"

namespace native {

inline bool get_places(PyObject* o, In& x) { return get(o, x) && x.type == NPY_INT64; }
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

// Places along one dimension of a tensor: gather's and scatter's index.
struct Along {
    In at;
    Split in, over;  // the tensor that is indexed, and the index
    bool ok;
    Along(const In& x, PyObject* dim, PyObject* index) : in(x, -1), over(x, -1) {
        int d;
        ok = get_places(index, at) && at.nd == x.nd && x.nd && dimension(dim, x.nd, d);
        for (int i = 0; ok && i < x.nd; i++) ok = i == d || at.dims[i] == x.dims[i];
        if (ok) in = Split(x, d), over = Split(at, d);
    }
    // f(element of the index, element that it names) for all in order; false at the first that is out of range.
    template <class F> bool run(F f) const {
        Index j = 0;
        for (Index o = 0; o < over.outer; o++)
            for (Index k = 0; k < over.n; k++)
                for (Index i = 0; i < over.inner; i++, j++) {
                    Index p = at.as<int64_t>()[j];
                    if (p < 0 || p >= in.n) return false;
                    f(j, (o * in.n + p) * in.inner + i);
                }
        return true;
    }
};

// A new tensor with a copy of the elements.
template <class T> PyObject* copied(const In& x, T*& out) {
    PyObject* r = like(x, out, x.type);
    if (r) std::copy_n(x.as<T>(), x.n, out);
    return r;
}

inline PyObject* gather(Kernel&, PyObject** v) {  // (self, dim, index, *, sparse_grad)
    In x;
    if (!get(v[0], x)) return nullptr;
    Along by(x, v[1], v[2]);
    if (!by.ok) return nullptr;
    return by_width(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(by.at, out, x.type);
        return !r || by.run([&](Index j, Index p) { out[j] = x.as<T>()[p]; }) ? r : dropped(r);
    });
}

// (self, dim, index, src): f(old, new) for each element of src, at its place.
template <class F> PyObject* scattered(PyObject** v, F f) {
    In x, src;
    if (!get_float(v[0], x) || !get(v[3], src) || src.type != x.type) return nullptr;
    Along by(x, v[1], v[2]);
    if (!by.ok || !by.at.same_shape(src)) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = copied(x, out);
        return !r || by.run([&](Index j, Index p) { out[p] = f(out[p], src.as<T>()[j]); }) ? r : dropped(r);
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

// Rows of (outer, n, inner) at places along the middle.
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
    if (!get(v[0], w, ANY) || w.nd != 2 || !get_places(v[1], at)) return nullptr;
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
        PyObject* r = copied(x, out);
        if (!r) return nullptr;
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
        PyObject* r = copied(x, out);
        if (!r) return nullptr;
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
    if (rows * width > LIMIT || g.n != at.n * width) return nullptr;
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

}  // namespace native
