// Reductions over everything or one dimension, scans, and the softmax family.
#pragma once
#include "kernel.h"

namespace native {

// Which elements a reduction runs over: all (dim is None or left out) or one dimension.
struct Reduced {
    Split s;
    int nd = 0;
    Index dims[NPY_MAXDIMS];
    bool ok = true;
    // `dim` may be None, a number, or a list of one number; anything else is not ok.
    Reduced(const In& x, PyObject* dim, bool keep) : s(x, -1) {
        int d = -1;
        if (missing(dim)) {
            s.outer = 1, s.n = x.n, s.inner = 1;
        } else {
            Ints<1> one;
            if (one.read(dim) && one.n == 1) {
                Index w = one.v[0];
                ok = w >= -x.nd && w < x.nd;
                d = int(w < 0 ? w + x.nd : w);
            } else {
                ok = dimension(dim, x.nd, d);
            }
            if (!ok) return;
            s = Split(x, d);
        }
        for (int i = 0; i < x.nd; i++) {
            bool gone = d < 0 || i == d;
            if (!gone) dims[nd++] = x.dims[i];
            else if (keep) dims[nd++] = 1;
        }
    }
    // f(first element, step) -> result, for every place that is kept.
    template <class T, class R, class F> void run(const T* x, R* out, F f) const {
        for (Index o = 0; o < s.outer; o++)
            for (Index i = 0; i < s.inner; i++) out[o * s.inner + i] = f(x + o * s.n * s.inner + i, s.inner);
    }
};

template <class T> double total(const T* x, Index n, Index step) {
    double sum = 0;
    for (Index i = 0; i < n; i++) sum += x[i * step];
    return sum;
}

template <class F> PyObject* reduced(PyObject* input, PyObject* dim, bool keep, F f) {
    In x;
    if (!get_float(input, x)) return nullptr;
    Reduced by(x, dim, keep);
    if (!by.ok || by.s.n == 0) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(by.nd, by.dims, x.type, out);
        if (r) by.run(x.as<T>(), out, [&](const T* p, Index step) { return T(f(p, by.s.n, step)); });
        return r;
    });
}

struct SumOf {
    template <class T> double operator()(const T* x, Index n, Index step) const { return total(x, n, step); }
};
struct MeanOf {
    template <class T> double operator()(const T* x, Index n, Index step) const {
        return total(x, n, step) / double(n);
    }
};
struct ProdOf {
    template <class T> T operator()(const T* x, Index n, Index step) const {
        T p = 1;
        for (Index i = 0; i < n; i++) p *= x[i * step];
        return p;
    }
};

// (self, *, dtype) and (self, dim, keepdim, *, dtype)
template <class F> PyObject* whole(Kernel&, PyObject** v) {
    return missing(v[1]) ? reduced(v[0], nullptr, false, F()) : nullptr;
}
template <class F> PyObject* along(Kernel&, PyObject** v) {
    if (!missing(v[3]) || !is_flag(v[2])) return nullptr;
    return reduced(v[0], v[1], flag(v[2], false), F());
}

template <bool ROOT> PyObject* variance(Kernel&, PyObject** v) {  // (self, dim, *, correction, keepdim)
    double correction = 1;
    if ((!missing(v[2]) && !number(v[2], correction)) || !is_flag(v[3])) return nullptr;
    return reduced(v[0], v[1], flag(v[3], false), [&](auto* x, Index n, Index step) {
        double mean = total(x, n, step) / double(n), sum = 0;
        for (Index i = 0; i < n; i++) sum += (x[i * step] - mean) * (x[i * step] - mean);
        double var = sum / std::max(0.0, double(n) - correction);
        return ROOT ? std::sqrt(var) : var;
    });
}

inline PyObject* vector_norm(Kernel&, PyObject** v) {  // (self, ord, dim, keepdim, *, dtype)
    double order = 2;
    if ((v[1] && !number(v[1], order)) || order != 2 || !is_flag(v[3]) || !missing(v[4])) return nullptr;
    return reduced(v[0], v[2], flag(v[3], false), [](auto* x, Index n, Index step) {
        double sum = 0;
        for (Index i = 0; i < n; i++) sum += double(x[i * step]) * x[i * step];
        return std::sqrt(sum);
    });
}

inline PyObject* logsumexp(Kernel&, PyObject** v) {  // (self, dim, keepdim)
    if (missing(v[1]) || !is_flag(v[2])) return nullptr;
    return reduced(v[0], v[1], flag(v[2], false), [](auto* x, Index n, Index step) {
        double top = x[0], sum = 0;
        for (Index i = 1; i < n; i++) top = x[i * step] > top || x[i * step] != x[i * step] ? x[i * step] : top;
        if (std::isinf(top)) return top;
        for (Index i = 0; i < n; i++) sum += std::exp(double(x[i * step]) - top);
        return top + std::log(sum);
    });
}

// -- largest and smallest --------------------------------------------------------------------------------------------

struct Larger { template <class T> static bool than(T a, T b) { return a > b || (a != a && b == b); } };
struct Smaller { template <class T> static bool than(T a, T b) { return a < b || (a != a && b == b); } };

// The place of the winner: the first of equals, and NaN before all.
template <class W, class T> Index winner(const T* x, Index n, Index step) {
    Index best = 0;
    for (Index i = 1; i < n; i++)
        if (W::than(x[i * step], x[best * step])) best = i;
    return best;
}

template <class W> struct Won {
    template <class T> T operator()(const T* x, Index n, Index step) const { return x[winner<W>(x, n, step) * step]; }
};

template <class W> PyObject* extreme(Kernel&, PyObject** v) { return reduced(v[0], nullptr, false, Won<W>()); }

template <class W> PyObject* extreme_values(Kernel&, PyObject** v) {  // (self, dim, keepdim)
    if (missing(v[1]) || !is_flag(v[2])) return nullptr;
    return reduced(v[0], v[1], flag(v[2], false), Won<W>());
}

template <class W> PyObject* extreme_along(Kernel& self, PyObject** v) {  // (self, dim, keepdim) -> values, indices
    In x;
    int d;
    if (!self.result || !get_float(v[0], x) || !dimension(v[1], x.nd, d) || !is_flag(v[2])) return nullptr;
    Reduced by(x, v[1], flag(v[2], false));
    if (by.s.n == 0) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out = nullptr;
        int64_t* at = nullptr;
        PyObject* values = make(by.nd, by.dims, x.type, out);
        PyObject* places = make(by.nd, by.dims, NPY_INT64, at);
        if (values && places)
            by.run(x.as<T>(), at, [&](const T* p, Index step) {
                Index k = winner<W>(p, by.s.n, step);
                *out++ = p[k * step];
                return k;
            });
        return tuple_of(self.result, {values, places});
    });
}

template <class W> PyObject* arg_extreme(Kernel&, PyObject** v) {  // (self, dim, keepdim)
    In x;
    if (!get_float(v[0], x) || !is_flag(v[2])) return nullptr;
    Reduced by(x, v[1], flag(v[2], false));
    if (!by.ok || by.s.n == 0) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        int64_t* at;
        PyObject* r = make(by.nd, by.dims, NPY_INT64, at);
        if (r) by.run(x.as<T>(), at, [&](const T* p, Index step) { return winner<W>(p, by.s.n, step); });
        return r;
    });
}

// any.dims, all.dims: (self, dim, keepdim); of bool alone
template <bool ALL> PyObject* quantified(Kernel&, PyObject** v) {
    In x;
    if (!get(v[0], x) || x.type != NPY_BOOL || !is_flag(v[2])) return nullptr;
    Reduced by(x, v[1], flag(v[2], false));
    bool* out;
    if (!by.ok) return nullptr;
    PyObject* r = make(by.nd, by.dims, NPY_BOOL, out);
    if (r)
        by.run(x.as<bool>(), out, [&](const bool* p, Index step) {
            for (Index i = 0; i < by.s.n; i++)
                if (p[i * step] != ALL) return !ALL;
            return ALL;
        });
    return r;
}

// -- scans -----------------------------------------------------------------------------------------------------------

// f(k, place) for every element, in memory's order; k counts along the dimension, the element before lies `inner` back.
template <class F> void steps(const Split& s, F f) {
    Index at = 0;
    for (Index o = 0; o < s.outer; o++)
        for (Index k = 0; k < s.n; k++)
            for (Index i = 0; i < s.inner; i++) f(k, at++);
}

template <class F> PyObject* scan(Kernel&, PyObject** v) {  // (self, dim, *, dtype)
    In x;
    int d;
    if (!missing(v[2]) || !get_float(v[0], x) || !dimension(v[1], x.nd, d)) return nullptr;
    Split s(x, d);
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        const T* p = x.as<T>();
        if (r) steps(s, [&](Index k, Index at) { out[at] = k ? F::of(out[at - s.inner], p[at]) : p[at]; });
        return r;
    });
}

template <class W> PyObject* running_extreme(Kernel& self, PyObject** v) {  // (self, dim) -> values, indices
    In x;
    int d;
    if (!self.result || !get_float(v[0], x) || !dimension(v[1], x.nd, d)) return nullptr;
    Split s(x, d);
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out = nullptr;
        int64_t* places = nullptr;
        PyObject* values = like(x, out, x.type);
        PyObject* indices = like(x, places, NPY_INT64);
        const T* p = x.as<T>();
        if (values && indices)
            steps(s, [&](Index k, Index at) {
                Index before = at - s.inner;
                bool stays = k && W::than(out[before], p[at]);  // the last of equals is kept
                out[at] = stays ? out[before] : p[at];
                places[at] = stays ? places[before] : int64_t(k);
            });
        return tuple_of(self.result, {values, indices});
    });
}

// -- softmax ---------------------------------------------------------------------------------------------------------

template <bool LOG> PyObject* softmax(Kernel&, PyObject** v) {  // (self, dim, half_to_float)
    In x;
    int d;
    if (v[2] == Py_True || !get_float(v[0], x) || !dimension(v[1], x.nd, d)) return nullptr;
    Split s(x, d);
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(x, out, x.type);
        if (!r) return nullptr;
        for (Index o = 0; o < s.outer; o++)
            for (Index i = 0; i < s.inner; i++) {
                const T* p = x.as<T>() + o * s.n * s.inner + i;
                T* q = out + (p - x.as<T>());
                T top = -std::numeric_limits<T>::infinity();
                for (Index k = 0; k < s.n; k++) top = std::max(top, p[k * s.inner]);
                double sum = 0;
                for (Index k = 0; k < s.n; k++) {
                    T e = std::exp(p[k * s.inner] - top);
                    sum += e;
                    if (!LOG) q[k * s.inner] = e;
                }
                T scale = LOG ? T(std::log(sum)) : T(1 / sum);
                for (Index k = 0; k < s.n; k++)
                    q[k * s.inner] = LOG ? p[k * s.inner] - top - scale : q[k * s.inner] * scale;
            }
        return r;
    });
}

template <bool LOG> PyObject* softmax_backward(Kernel&, PyObject** v) {  // (grad_output, output, dim, input_dtype)
    In g, y;
    int d;
    if (!get_float(v[0], g) || !get(v[1], y) || g.type != y.type || !g.same_shape(y) || !dimension(v[2], y.nd, d))
        return nullptr;
    Split s(y, d);
    return by_float(y.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = like(y, out, y.type);
        if (!r) return nullptr;
        for (Index o = 0; o < s.outer; o++)
            for (Index i = 0; i < s.inner; i++) {
                Index first = o * s.n * s.inner + i;
                const T *gp = g.as<T>() + first, *yp = y.as<T>() + first;
                T* q = out + first;
                double sum = 0;
                for (Index k = 0; k < s.n; k++) sum += LOG ? gp[k * s.inner] : gp[k * s.inner] * yp[k * s.inner];
                for (Index k = 0; k < s.n; k++) {
                    T gk = gp[k * s.inner], yk = yp[k * s.inner];
                    q[k * s.inner] = LOG ? gk - std::exp(yk) * T(sum) : (gk - T(sum)) * yk;
                }
            }
        return r;
    });
}

}  // namespace native
