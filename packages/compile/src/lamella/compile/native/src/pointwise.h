// Element by element: activations, arithmetic, comparisons and choices.
#pragma once
#include <lamella/types.h>

#include "kernel.h"

namespace native {

template <class T> T sigmoid_of(T x) {
    if (x >= 0) return 1 / (1 + std::exp(-x));
    T e = std::exp(x);
    return e / (1 + e);
}

struct Sigmoid { template <class T> static T of(T x) { return sigmoid_of(x); } };
struct Silu { template <class T> static T of(T x) { return x * sigmoid_of(x); } };
struct Relu { template <class T> static T of(T x) { return x > 0 || x != x ? x : T(0); } };
struct Erf { template <class T> static T of(T x) { return std::erf(x); } };
struct Exp { template <class T> static T of(T x) { return std::exp(x); } };
struct Tanh { template <class T> static T of(T x) { return std::tanh(x); } };
struct Neg { template <class T> static T of(T x) { return -x; } };
struct Square { template <class T> static T of(T x) { return x * x; } };
struct Sqrt { template <class T> static T of(T x) { return std::sqrt(x); } };
struct Abs { template <class T> static T of(T x) { return std::abs(x); } };

// f of each element of a tensor of floats.
template <class F> PyObject* mapped(const In& x, F f) {
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (r)
            for (Index i = 0; i < x.n; i++) out[i] = f(x.as<T>()[i]);
        return r;
    });
}

// f of each pair of elements of two tensors of floats, of the same shape and type.
template <class F> PyObject* mapped(PyObject* first, PyObject* second, F f) {
    In a, b;
    if (!get_float(first, a) || !get(second, b) || a.type != b.type || !a.same_shape(b)) return nullptr;
    return by_float(a.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(b, out, b.type);
        if (r)
            for (Index i = 0; i < b.n; i++) out[i] = f(a.as<T>()[i], b.as<T>()[i]);
        return r;
    });
}

template <class F> PyObject* unary(Kernel&, PyObject** v) {
    In x;
    return get_float(v[0], x) ? mapped(x, [](auto y) { return F::of(y); }) : nullptr;
}

inline PyObject* round_(Kernel&, PyObject** v) {
    Index decimals = 0;
    In x;
    if ((v[1] && !integer(v[1], decimals)) || decimals || !get_float(v[0], x)) return nullptr;
    return mapped(x, [](auto y) { return std::nearbyint(y); });
}

// 0 exact, 1 tanh, -1 something else.
inline int approximation(PyObject* o) {
    if (!o) return 0;
    if (!PyUnicode_CheckExact(o)) return -1;
    if (!PyUnicode_CompareWithASCIIString(o, "none")) return 0;
    return PyUnicode_CompareWithASCIIString(o, "tanh") ? -1 : 1;
}

constexpr double ROOT_HALF = 0.70710678118654752440, ROOT_2_OVER_PI = 0.79788456080286535588, CUBIC = 0.044715;

template <class T> T gelu_of(T x, bool tanh) {
    if (!tanh) return T(0.5) * x * (1 + std::erf(x * T(ROOT_HALF)));
    T inner = T(ROOT_2_OVER_PI) * (x + T(CUBIC) * x * x * x);
    return T(0.5) * x * (1 + std::tanh(inner));
}

template <class T> T gelu_slope(T x, bool tanh) {
    if (!tanh) {
        T density = T(ROOT_2_OVER_PI * 0.5) * std::exp(T(-0.5) * x * x);
        return T(0.5) * (1 + std::erf(x * T(ROOT_HALF))) + x * density;
    }
    T t = std::tanh(T(ROOT_2_OVER_PI) * (x + T(CUBIC) * x * x * x));
    T slope = T(ROOT_2_OVER_PI) * (1 + 3 * T(CUBIC) * x * x);
    return T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * slope;
}

inline PyObject* gelu(Kernel&, PyObject** v) {
    In x;
    int how = approximation(v[1]);
    return how >= 0 && get_float(v[0], x) ? mapped(x, [how](auto y) { return gelu_of(y, how); }) : nullptr;
}

inline PyObject* gelu_backward(Kernel&, PyObject** v) {
    int how = approximation(v[2]);
    return how < 0 ? nullptr : mapped(v[0], v[1], [how](auto g, auto x) { return g * gelu_slope(x, how); });
}

inline PyObject* silu_backward(Kernel&, PyObject** v) {
    return mapped(v[0], v[1], [](auto g, auto x) {
        auto s = sigmoid_of(x);
        return g * s * (1 + x * (1 - s));
    });
}

inline PyObject* sigmoid_backward(Kernel&, PyObject** v) {
    return mapped(v[0], v[1], [](auto g, auto y) { return g * (1 - y) * y; });
}

inline PyObject* tanh_backward(Kernel&, PyObject** v) {
    return mapped(v[0], v[1], [](auto g, auto y) { return g * (1 - y * y); });
}

inline PyObject* threshold_backward(Kernel&, PyObject** v) {
    double limit;
    if (!number(v[2], limit)) return nullptr;
    return mapped(v[0], v[1], [limit](auto g, auto x) { return x <= decltype(x)(limit) ? decltype(g)(0) : g; });
}

// -- two operands ----------------------------------------------------------------------------------------------------

struct Add { template <class T> static T of(T a, T b) { return a + b; } };
struct Sub { template <class T> static T of(T a, T b) { return a - b; } };
struct Mul { template <class T> static T of(T a, T b) { return a * b; } };
struct Div { template <class T> static T of(T a, T b) { return a / b; } };
struct Maximum { template <class T> static T of(T a, T b) { return a != a || a > b ? a : b; } };
struct Minimum { template <class T> static T of(T a, T b) { return a != a || a < b ? a : b; } };
struct Remainder {
    template <class T> static T of(T a, T b) {
        T r = std::fmod(a, b);
        if (r != 0) return (r < 0) != (b < 0) ? r + b : r;
        return std::copysign(T(0), b);
    }
};
struct Eq { template <class T> static bool of(T a, T b) { return a == b; } };
struct Ne { template <class T> static bool of(T a, T b) { return a != b; } };
struct Lt { template <class T> static bool of(T a, T b) { return a < b; } };
struct Le { template <class T> static bool of(T a, T b) { return a <= b; } };
struct Gt { template <class T> static bool of(T a, T b) { return a > b; } };
struct Ge { template <class T> static bool of(T a, T b) { return a >= b; } };
struct And { static bool of(bool a, bool b) { return a && b; } };
struct Or { static bool of(bool a, bool b) { return a || b; } };
struct Xor { static bool of(bool a, bool b) { return a != b; } };

// Element i of a pair of operands: equal shapes, or one whose shape ends the other's (a row, or a single element), or
// a column beside a row.
struct Pair {
    Index dims[NPY_MAXDIMS];
    int nd;
    Index n, na, nb, column;  // column > 0: a[i / column] with b[i % column]
    bool match(const In& a, const In& b) {
        column = 0, na = a.n, nb = b.n;
        const In& big = a.nd >= b.nd ? a : b;
        const In& small = a.nd >= b.nd ? b : a;
        nd = big.nd, n = big.n;
        std::copy(big.dims, big.dims + nd, dims);
        if (std::equal(small.dims, small.dims + small.nd, big.dims + (big.nd - small.nd))) return n > 0;
        if (small.n == 1 && n > 0) return true;
        if (a.nd == 2 && a.dims[1] == 1 && (b.nd == 1 || (b.nd == 2 && b.dims[0] == 1)) && a.n && b.n) {
            nd = 2, dims[0] = a.dims[0], column = dims[1] = b.n, n = a.n * b.n;
            return n <= LIMIT;
        }
        return false;
    }
    template <class T, class R, class F> void run(const T* a, const T* b, R* out, F f) const {
        if (column) {
            for (Index i = 0; i < na; i++)
                for (Index j = 0; j < nb; j++) out[i * nb + j] = f(a[i], b[j]);
        } else if (na == nb) {
            for (Index i = 0; i < n; i++) out[i] = f(a[i], b[i]);
        } else if (nb < na) {
            for (Index i = 0; i < n; i += nb)
                for (Index j = 0; j < nb; j++) out[i + j] = f(a[i + j], b[j]);
        } else {
            for (Index i = 0; i < n; i += na)
                for (Index j = 0; j < na; j++) out[i + j] = f(a[j], b[i + j]);
        }
    }
};

// Arithmetic (R is T) and comparison (R is bool) of floats: two tensors of one type, or one and a number.
template <class F, bool COMPARES> PyObject* binary_of(PyObject** v) {
    In a, b;
    double x;
    bool swapped = !is_tensor(v[0]);
    if (!get_float(v[swapped], a)) return nullptr;
    bool scalar = number(v[!swapped], x);
    if (!scalar && (swapped || !get(v[1], b) || b.type != a.type)) return nullptr;
    return by_float(a.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        using R = std::conditional_t<COMPARES, bool, T>;
        int type = COMPARES ? int(NPY_BOOL) : a.type;
        R* out;
        if (scalar) {
            T w = T(x);
            PyObject* r = like(a, out, type);
            if (!r) return nullptr;
            if (swapped)
                for (Index i = 0; i < a.n; i++) out[i] = F::of(w, a.as<T>()[i]);
            else
                for (Index i = 0; i < a.n; i++) out[i] = F::of(a.as<T>()[i], w);
            return r;
        }
        Pair p;
        if (!p.match(a, b)) return nullptr;
        PyObject* r = make(p.nd, p.dims, type, out);
        if (r) p.run(a.as<T>(), b.as<T>(), out, [](T s, T t) { return F::of(s, t); });
        return r;
    });
}

// out = f(a, b) for n pairs of 16-bit floats, a block at a time.
template <class F, class H> void pairs(const H* a, const H* b, H* out, Index n) {
    float x[256], y[256];
    for (Index start = 0; start < n; start += 256) {
        Index m = std::min<Index>(256, n - start);
        for (Index i = 0; i < m; i++) x[i] = float(a[start + i]);
        for (Index i = 0; i < m; i++) y[i] = float(b[start + i]);
        for (Index i = 0; i < m; i++) x[i] = F::of(x[i], y[i]);
        for (Index i = 0; i < m; i++) out[start + i] = H(x[i]);
    }
}

// Two tensors of 16-bit floats, computed in float32.
template <class F, class H> PyObject* half_of(const In& a, const In& b) {
    Pair p;
    H* out;
    if (!p.match(a, b)) return nullptr;
    PyObject* r = make(p.nd, p.dims, a.type, out);
    if (r)
        apart({&a, &b}, [&] {
            if (!p.column && p.na == p.nb) return pairs<F>(a.as<H>(), b.as<H>(), out, p.n);
            p.run(a.as<H>(), b.as<H>(), out, [](H s, H t) { return H(F::of(float(s), float(t))); });
        });
    return r;
}

template <class F> PyObject* halves(PyObject** v) {
    In a, b;
    if (!get(v[0], a, ANY) || !get(v[1], b, ANY) || a.type != b.type) return nullptr;
    if (a.type == NPY_HALF) return half_of<F, lamella::float16>(a, b);
    return is_brain(a.type) ? half_of<F, lamella::bfloat16>(a, b) : nullptr;
}

template <class F> PyObject* arithmetic(Kernel&, PyObject** v) {
    if (v[2]) return nullptr;  // alpha, or a rounding mode
    PyObject* r = binary_of<F, false>(v);
    return r || PyErr_Occurred() ? r : halves<F>(v);
}
template <class F> PyObject* plain(Kernel&, PyObject** v) { return binary_of<F, false>(v); }
template <class F> PyObject* comparison(Kernel&, PyObject** v) { return binary_of<F, true>(v); }

template <class F> PyObject* logical(Kernel&, PyObject** v) {
    In a, b;
    if (!get(v[0], a) || a.type != NPY_BOOL || !get(v[1], b) || b.type != NPY_BOOL) return nullptr;
    Pair p;
    bool* out;
    if (!p.match(a, b)) return nullptr;
    PyObject* r = make(p.nd, p.dims, NPY_BOOL, out);
    if (r) p.run(a.as<bool>(), b.as<bool>(), out, [](bool s, bool t) { return F::of(s, t); });
    return r;
}

// -- three operands --------------------------------------------------------------------------------------------------

inline PyObject* where(Kernel&, PyObject** v) {
    In m, a, b;
    if (!get(v[0], m) || m.type != NPY_BOOL || !get_float(v[1], a) || !get(v[2], b) || a.type != b.type) return nullptr;
    if (!(a.same_shape(m) || a.nd == 0) || !(b.same_shape(m) || b.nd == 0)) return nullptr;
    return by_float(a.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(m, out, a.type);
        Index step_a = a.nd || !m.nd, step_b = b.nd || !m.nd;
        if (r)
            for (Index i = 0; i < m.n; i++)
                out[i] = m.as<bool>()[i] ? a.as<T>()[i * step_a] : b.as<T>()[i * step_b];
        return r;
    });
}

inline PyObject* masked_fill(Kernel&, PyObject** v) {
    In x, m;
    double value;
    if (!get_float(v[0], x) || !get(v[1], m) || m.type != NPY_BOOL || !x.same_shape(m) || !number(v[2], value))
        return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (r)
            for (Index i = 0; i < x.n; i++) out[i] = m.as<bool>()[i] ? T(value) : x.as<T>()[i];
        return r;
    });
}

inline PyObject* clamp(Kernel&, PyObject** v) {
    In x;
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    if (missing(v[1]) && missing(v[2])) return nullptr;
    if (!get_float(v[0], x) || !(missing(v[1]) || number(v[1], low)) || !(missing(v[2]) || number(v[2], high)))
        return nullptr;
    if (low != low || high != high) return nullptr;
    return mapped(x, [low, high](auto y) {
        using T = decltype(y);
        y = y < T(low) ? T(low) : y;
        return y > T(high) ? T(high) : y;
    });
}

inline PyObject* lerp(Kernel&, PyObject** v) {
    double w;
    if (!number(v[2], w)) return nullptr;
    return mapped(v[0], v[1], [w](auto s, auto e) {
        auto t = decltype(s)(w);
        return std::abs(t) < decltype(s)(0.5) ? s + t * (e - s) : e - (e - s) * (1 - t);
    });
}

template <bool DIVIDES> PyObject* addc(Kernel&, PyObject** v) {
    In x, a, b;
    double value = 1;
    if (!get_float(v[0], x) || !get(v[1], a) || !get(v[2], b) || a.type != x.type || b.type != x.type) return nullptr;
    if (!x.same_shape(a) || !x.same_shape(b) || (v[3] && !number(v[3], value))) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *out, k = T(value);
        PyObject* r = like(x, out, x.type);
        if (r)
            for (Index i = 0; i < x.n; i++) {
                T s = a.as<T>()[i], t = b.as<T>()[i];
                out[i] = x.as<T>()[i] + k * (DIVIDES ? s / t : s * t);
            }
        return r;
    });
}

}  // namespace native
