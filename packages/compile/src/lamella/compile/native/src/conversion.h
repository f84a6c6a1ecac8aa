// Copies, conversions, orders of a few numbers, and constant tensors.
#pragma once
#include "pointwise.h"

namespace native {

inline int type_of(PyObject* dtype) {
    if (dtype == world.brain) return is_brain(NPY_USERDEF) || world.bfloat16 >= 0 ? world.bfloat16 : -1;
    PyObject* number = PyDict_GetItem(world.dtypes, dtype);  // borrowed
    return number ? int(PyLong_AsLong(number)) : -1;
}

template <class F> bool read_as(const In& x, F f) {
    switch (x.type) {
        case NPY_FLOAT: return f(x.as<float>()), true;
        case NPY_DOUBLE: return f(x.as<double>()), true;
        case NPY_INT64: return f(x.as<int64_t>()), true;
        case NPY_INT32: return f(x.as<int32_t>()), true;
        case NPY_BOOL: return f(x.as<bool>()), true;
        default: return false;
    }
}

template <class T> PyObject* converted(const In& x, int type) {
    T* out;
    bool floating = x.type == NPY_FLOAT || x.type == NPY_DOUBLE;
    if (floating && (type == NPY_INT64 || type == NPY_INT32)) {
        // beyond the integers' range C leaves the result open
        bool inside = true;
        auto check = [&](auto* p) {
            if constexpr (std::is_floating_point_v<std::decay_t<decltype(*p)>>)
                for (Index i = 0; i < x.n; i++) inside &= std::abs(p[i]) < 2e9;
        };
        read_as(x, check);
        if (!inside) return nullptr;
    }
    PyObject* r = like(x, out, type);
    bool known = false;
    if (r)
        apart({&x}, [&] {
            known = read_as(x, [&](auto* p) {
                for (Index i = 0; i < x.n; i++) out[i] = T(p[i]);
            });
        });
    return known ? r : (Py_XDECREF(r), nullptr);
}

// Between float32 and a 16-bit float.
template <class From, class To> PyObject* recoded(const In& x, int type) {
    To* out;
    PyObject* r = like(x, out, type);
    if (r)
        apart({&x}, [&] {
            for (Index i = 0; i < x.n; i++) out[i] = To(float(x.as<From>()[i]));
        });
    return r;
}

template <class H> PyObject* half(const In& x, int type) {
    if (x.type == NPY_FLOAT) return recoded<float, H>(x, type);
    return type == NPY_FLOAT ? recoded<H, float>(x, type) : nullptr;
}

// (self, *, dtype, layout, device, pin_memory, non_blocking, memory_format)
inline PyObject* to_copy(Kernel&, PyObject** v) {
    In x;
    if (missing(v[1]) || !missing(v[3]) || !missing(v[6]) || flag(v[4], false)) return nullptr;
    int type = type_of(v[1]);
    if (!get(v[0], x, ANY)) return nullptr;
    if (is_brain(type) || is_brain(x.type)) return half<lamella::bfloat16>(x, type);
    if (type == NPY_HALF || x.type == NPY_HALF) return half<lamella::float16>(x, type);
    switch (type) {
        case NPY_FLOAT: return converted<float>(x, type);
        case NPY_DOUBLE: return converted<double>(x, type);
        case NPY_INT64: return converted<int64_t>(x, type);
        case NPY_INT32: return converted<int32_t>(x, type);
        default: return nullptr;
    }
}

// clone: (self, *, memory_format); of what has no gaps
inline PyObject* clone(Kernel&, PyObject** v) {
    In x;
    char* out;
    if (!missing(v[1]) || !get(v[0], x)) return nullptr;
    int width = width_of(x.type);
    if (!width) return nullptr;
    PyObject* r = like(x, out, x.type);
    if (r) std::memcpy(out, x.data, size_t(x.n * width));
    return r;
}

// full: (size, fill_value, *, dtype, ...); of a float, in float32 by name
inline PyObject* full(Kernel&, PyObject** v) {
    Ints<8> size;
    double value;
    if (!size.read(v[0]) || !number(v[1], value) || missing(v[2])) return nullptr;
    int type = type_of(v[2]);
    Index n = 1;
    for (int i = 0; i < size.n; i++) {
        if (size.v[i] < 0) return nullptr;
        n *= size.v[i];
    }
    if (n > LIMIT) return nullptr;
    return by_float(type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(size.n, size.v, type, out);
        if (r) std::fill_n(out, n, T(value));
        return r;
    });
}

// -- orders along the last dimension: equal elements stay in order, NaN counts as largest ----------------------------

struct Ordered {
    In x;
    Index n = 0, rows = 0;
    bool read(PyObject* self, PyObject* dim) {
        int d = -1;
        if (!get_float(self, x) || !x.nd || !x.n || (dim && !dimension(dim, x.nd, d))) return false;
        n = x.dims[x.nd - 1], rows = x.n / n;
        return n <= 64 && (d < 0 || d == x.nd - 1);
    }
    // The places of a row in order.
    template <class T> void order(const T* p, bool descending, int64_t* at) const {
        for (Index i = 0; i < n; i++) at[i] = i;
        auto before = [p, descending](int64_t s, int64_t t) {
            T a = p[s], b = p[t];
            return descending ? a > b || (a != a && b == b) : a < b || (b != b && a == a);
        };
        for (Index i = 1; i < n; i++) {
            int64_t moved = at[i];
            Index j = i;
            for (; j > 0 && before(moved, at[j - 1]); j--) at[j] = at[j - 1];
            at[j] = moved;
        }
    }
    // The elements [first, first + count) of each row's order, and their places.
    PyObject* pick(PyTypeObject* result, bool descending, Index first, Index count, int nd) const {
        Index dims[NPY_MAXDIMS];
        std::copy(x.dims, x.dims + x.nd, dims);
        dims[x.nd - 1] = count;
        return by_float(x.type, [&](auto zero) -> PyObject* {
            using T = decltype(zero);
            T* out = nullptr;
            int64_t *at = nullptr, places[64];
            PyObject *values = make(nd, dims, x.type, out), *indices = make(nd, dims, NPY_INT64, at);
            if (values && indices)
                for (Index r = 0; r < rows; r++) {
                    const T* p = x.as<T>() + r * n;
                    order(p, descending, places);
                    for (Index i = first; i < first + count; i++) *out++ = p[places[i]], *at++ = places[i];
                }
            return tuple_of(result, {values, indices});
        });
    }
};

inline PyObject* sort(Kernel& self, PyObject** v) {  // (self, *, stable, dim, descending)
    Ordered o;
    if (!self.result || !o.read(v[0], v[2]) || !is_flag(v[3])) return nullptr;
    return o.pick(self.result, flag(v[3], false), 0, o.n, o.x.nd);
}

inline PyObject* topk(Kernel& self, PyObject** v) {  // (self, k, dim, largest, sorted)
    Ordered o;
    Index k;
    if (!self.result || !o.read(v[0], v[2]) || !integer(v[1], k) || k < 0 || k > o.n || !is_flag(v[3])) return nullptr;
    return o.pick(self.result, flag(v[3], true), 0, k, o.x.nd);
}

inline PyObject* kthvalue(Kernel& self, PyObject** v) {  // (self, k, dim, keepdim)
    Ordered o;
    Index k;
    if (!self.result || !o.read(v[0], v[2]) || !integer(v[1], k) || k < 1 || k > o.n || !is_flag(v[3])) return nullptr;
    return o.pick(self.result, false, k - 1, 1, flag(v[3], false) ? o.x.nd : o.x.nd - 1);
}

}  // namespace native
