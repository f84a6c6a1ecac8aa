// Products, normalisation, convolution, pooling, interpolation and attention of a few numbers.
#pragma once
#include "kernel.h"

namespace native {

constexpr Index WORK = 1 << 15;  // multiply-adds; beyond, BLAS wins

// out (m, n) = a (m, k) @ b (k, n), or b (n, k) transposed; sums in T as BLAS has them.
template <class T> void product(const T* a, const T* b, T* out, Index m, Index k, Index n, bool transposed) {
    for (Index i = 0; i < m; i++)
        for (Index j = 0; j < n; j++) {
            T sum = 0;
            for (Index p = 0; p < k; p++) sum += a[i * k + p] * (transposed ? b[j * k + p] : b[p * n + j]);
            out[i * n + j] = sum;
        }
}

// Matrices (ND = 2), or batches of them (ND = 3).
template <int ND> PyObject* mm(Kernel&, PyObject** v) {
    In a, b;
    if (!get_float(v[0], a) || !get(v[1], b) || a.type != b.type || a.nd != ND || b.nd != ND) return nullptr;
    Index s = ND == 3 ? a.dims[0] : 1, m = a.dims[ND - 2], k = a.dims[ND - 1], n = b.dims[ND - 1];
    Index dims[3] = {s, m, n};
    if ((ND == 3 && b.dims[0] != s) || b.dims[ND - 2] != k || s * m * k * n > WORK || s * m * n > LIMIT) return nullptr;
    return by_float(a.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(ND, dims + 3 - ND, a.type, out);
        if (r)
            for (Index i = 0; i < s; i++)
                product(a.as<T>() + i * m * k, b.as<T>() + i * k * n, out + i * m * n, m, k, n, false);
        return r;
    });
}

inline PyObject* addmm(Kernel&, PyObject** v) {  // (self, mat1, mat2, *, beta, alpha)
    In c, a, b;
    if (v[3] || v[4] || !get_float(v[0], c) || !get(v[1], a) || !get(v[2], b) || a.type != b.type) return nullptr;
    if (a.type != c.type || a.nd != 2 || b.nd != 2) return nullptr;
    Index m = a.dims[0], k = a.dims[1], n = b.dims[1], dims[2] = {m, n};
    bool full = c.nd == 2 && c.dims[0] == m && c.dims[1] == n, row = c.nd == 1 && c.dims[0] == n;
    if (b.dims[0] != k || !(full || row) || m * k * n > WORK || m * n > LIMIT) return nullptr;
    return by_float(a.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(2, dims, a.type, out);
        if (!r) return nullptr;
        product(a.as<T>(), b.as<T>(), out, m, k, n, false);
        for (Index i = 0; i < m * n; i++) out[i] += c.as<T>()[full ? i : i % n];
        return r;
    });
}

inline PyObject* linear(Kernel&, PyObject** v) {  // (input, weight, bias)
    In x, w, b;
    bool biased = !missing(v[2]);
    if (!get_float(v[0], x) || !get(v[1], w) || w.type != x.type || w.nd != 2 || !x.nd) return nullptr;
    Index k = w.dims[1], n = w.dims[0];
    if (x.dims[x.nd - 1] != k || !k || (biased && (!get(v[2], b) || b.type != x.type || b.nd != 1 || b.n != n)))
        return nullptr;
    Index m = x.n / k, dims[NPY_MAXDIMS];
    if (m * k * n > WORK || m * n > LIMIT) return nullptr;
    std::copy(x.dims, x.dims + x.nd, dims);
    dims[x.nd - 1] = n;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(x.nd, dims, x.type, out);
        if (!r) return nullptr;
        product(x.as<T>(), w.as<T>(), out, m, k, n, true);
        if (biased)
            for (Index i = 0; i < m * n; i++) out[i] += b.as<T>()[i % n];
        return r;
    });
}

// -- normalisation ---------------------------------------------------------------------------------------------------

// (x - mean) / deviation of each row, and the two.
template <class T> void normalised(const T* x, Index rows, Index n, double eps, T* out, T* mean, T* rstd) {
    for (Index i = 0; i < rows; i++, x += n, out += n) {
        double m = 0, s = 0;
        for (Index j = 0; j < n; j++) m += x[j];
        m /= double(n);
        for (Index j = 0; j < n; j++) s += (x[j] - m) * (x[j] - m);
        double r = 1 / std::sqrt(s / double(n) + eps);
        mean[i] = T(m), rstd[i] = T(r);
        for (Index j = 0; j < n; j++) out[j] = T((x[j] - m) * r);
    }
}

inline bool vector_of(PyObject* o, const In& x, Index n, In& w) {
    return missing(o) || (get(o, w) && w.type == x.type && w.n == n && w.nd == 1);
}

inline PyObject* layer_norm(Kernel&, PyObject** v) {  // (input, normalized_shape, weight, bias, eps)
    In x, w, b;
    Ints<1> shape;
    double eps;
    if (!get_float(v[0], x) || !x.nd || !x.n || !shape.read(v[1]) || shape.n != 1 || !number(v[4], eps)) return nullptr;
    Index n = shape.v[0];
    if (x.dims[x.nd - 1] != n || !vector_of(v[2], x, n, w) || !vector_of(v[3], x, n, b)) return nullptr;
    Index stats[NPY_MAXDIMS];
    std::copy(x.dims, x.dims + x.nd, stats);
    stats[x.nd - 1] = 1;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *out = nullptr, *mean = nullptr, *rstd = nullptr;
        PyObject *r = like(x, out, x.type), *m = make(x.nd, stats, x.type, mean), *s = make(x.nd, stats, x.type, rstd);
        if (r && m && s) {
            normalised(x.as<T>(), x.n / n, n, eps, out, mean, rstd);
            for (Index i = 0; i < x.n; i++) {
                if (!missing(v[2])) out[i] *= w.as<T>()[i % n];
                if (!missing(v[3])) out[i] += b.as<T>()[i % n];
            }
        }
        return tuple_of(&PyTuple_Type, {r, m, s});
    });
}

inline PyObject* group_norm(Kernel&, PyObject** v) {  // (input, weight, bias, N, C, HxW, group, eps)
    In x, w, b;
    Index batch, channels, places, groups;
    double eps;
    if (!get_float(v[0], x) || !x.n || !integer(v[3], batch) || !integer(v[4], channels) || !integer(v[5], places) ||
        !integer(v[6], groups) || !number(v[7], eps))
        return nullptr;
    if (groups < 1 || channels % groups || batch * channels * places != x.n || x.nd < 2 || x.dims[1] != channels ||
        !vector_of(v[1], x, channels, w) || !vector_of(v[2], x, channels, b))
        return nullptr;
    Index stats[2] = {batch, groups};
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *out = nullptr, *mean = nullptr, *rstd = nullptr;
        PyObject *r = like(x, out, x.type), *m = make(2, stats, x.type, mean), *s = make(2, stats, x.type, rstd);
        if (r && m && s) {
            normalised(x.as<T>(), batch * groups, channels / groups * places, eps, out, mean, rstd);
            for (Index i = 0; i < x.n; i++) {
                Index c = i / places % channels;
                if (!missing(v[1])) out[i] *= w.as<T>()[c];
                if (!missing(v[2])) out[i] += b.as<T>()[c];
            }
        }
        return tuple_of(&PyTuple_Type, {r, m, s});
    });
}

inline bool wanted(PyObject* mask, bool (&want)[3]) {
    if (!mask || !(PyTuple_Check(mask) || PyList_Check(mask)) || PySequence_Fast_GET_SIZE(mask) != 3) return false;
    for (int i = 0; i < 3; i++) want[i] = PySequence_Fast_GET_ITEM(mask, i) == Py_True;
    return true;
}

// (grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask)
inline PyObject* layer_norm_backward(Kernel&, PyObject** v) {
    In g, x, m, s, w;
    Ints<1> shape;
    bool want[3];
    if (!get_float(v[0], g) || !get(v[1], x) || g.type != x.type || !g.same_shape(x) || !x.n || !x.nd ||
        !shape.read(v[2]) || shape.n != 1 || !get(v[3], m) || !get(v[4], s) || m.type != x.type || s.type != x.type ||
        !wanted(v[7], want))
        return nullptr;
    Index n = shape.v[0];
    if (!want[0] || !want[1] || x.dims[x.nd - 1] != n || m.n != x.n / n || s.n != m.n || missing(v[5]) ||
        !vector_of(v[5], x, n, w))
        return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *gx = nullptr, *gw = nullptr, *gb = nullptr;
        PyObject *r = like(x, gx, x.type), *p = make(1, &n, x.type, gw),
                 *q = want[2] ? make(1, &n, x.type, gb) : Py_NewRef(Py_None);
        if (!r || !p || !q) return tuple_of(&PyTuple_Type, {r, p, q});
        std::fill_n(gw, n, T(0));
        if (gb) std::fill_n(gb, n, T(0));
        const T *gi = g.as<T>(), *xi = x.as<T>(), *scale = w.as<T>();
        for (Index i = 0; i < x.n / n; i++, gi += n, xi += n, gx += n) {
            double mean = m.as<T>()[i], rstd = s.as<T>()[i], along = 0, sum = 0;
            for (Index j = 0; j < n; j++) {
                double y = (xi[j] - mean) * rstd, gy = double(gi[j]) * scale[j];
                sum += gy, along += gy * y;
                gw[j] += T(gi[j] * y);
                if (gb) gb[j] += gi[j];
            }
            sum /= double(n), along /= double(n);
            for (Index j = 0; j < n; j++)
                gx[j] = T(rstd * (double(gi[j]) * scale[j] - sum - (xi[j] - mean) * rstd * along));
        }
        return tuple_of(&PyTuple_Type, {r, p, q});
    });
}

// -- images: (..., height, width) ------------------------------------------------------------------------------------

struct Image {
    Index planes, high, wide;
    explicit Image(const In& x) : planes(1), high(x.dims[x.nd - 2]), wide(x.dims[x.nd - 1]) {
        for (int i = 0; i < x.nd - 2; i++) planes *= x.dims[i];
    }
};

// A new tensor with other sizes in the last two dimensions.
template <class T> PyObject* resized(const In& x, Index high, Index wide, T*& out) {
    Index dims[NPY_MAXDIMS];
    std::copy(x.dims, x.dims + x.nd, dims);
    dims[x.nd - 2] = high, dims[x.nd - 1] = wide;
    return make(x.nd, dims, x.type, out);
}

// (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups), two spatial dimensions
inline PyObject* convolution(Kernel&, PyObject** v) {
    In x, w, b;
    Ints<2> stride, padding, dilation;
    Index groups;
    if (v[6] != Py_False || !get_float(v[0], x) || !get(v[1], w) || w.type != x.type || x.nd != 4 || w.nd != 4 ||
        !x.n || !w.n || !stride.read(v[3]) || !padding.read(v[4]) || !dilation.read(v[5]) || !integer(v[8], groups))
        return nullptr;
    Index batch = x.dims[0], c = x.dims[1], h = x.dims[2], wd = x.dims[3];
    Index o = w.dims[0], kh = w.dims[2], kw = w.dims[3];
    if (stride.n != 2 || padding.n != 2 || dilation.n != 2 || groups < 1 || o % groups || w.dims[1] * groups != c ||
        padding.v[0] < 0 || padding.v[1] < 0 || stride.v[0] < 1 || stride.v[1] < 1 || dilation.v[0] < 1 ||
        dilation.v[1] < 1 || !vector_of(v[2], x, o, b))
        return nullptr;
    Index room_h = h + 2 * padding.v[0] - dilation.v[0] * (kh - 1) - 1;
    Index room_w = wd + 2 * padding.v[1] - dilation.v[1] * (kw - 1) - 1;
    if (room_h < 0 || room_w < 0) return nullptr;
    Index oh = room_h / stride.v[0] + 1, ow = room_w / stride.v[1] + 1, cg = c / groups;
    Index dims[4] = {batch, o, oh, ow};
    if (batch * o * oh * ow > LIMIT || batch * o * oh * ow * cg * kh * kw > WORK) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = make(4, dims, x.type, out);
        if (!r) return nullptr;
        for (Index n = 0; n < batch; n++)
            for (Index f = 0; f < o; f++) {
                T* plane = out + (n * o + f) * oh * ow;
                std::fill_n(plane, oh * ow, missing(v[2]) ? T(0) : b.as<T>()[f]);
                for (Index q = 0; q < cg * kh * kw; q++) {
                    T weight = w.as<T>()[f * cg * kh * kw + q];
                    Index dy = q / kw % kh * dilation.v[0] - padding.v[0], dx = q % kw * dilation.v[1] - padding.v[1];
                    const T* from = x.as<T>() + (n * c + f / (o / groups) * cg + q / (kh * kw)) * h * wd;
                    for (Index y = 0; y < oh; y++) {
                        Index sy = y * stride.v[0] + dy;
                        if (sy < 0 || sy >= h) continue;
                        for (Index z = 0; z < ow; z++) {
                            Index sx = z * stride.v[1] + dx;
                            if (sx >= 0 && sx < wd) plane[y * ow + z] += weight * from[sy * wd + sx];
                        }
                    }
                }
            }
        return r;
    });
}

// Windows of a pool without padding or dilation.
struct Windows {
    Ints<2> size, step;
    Index oh = 0, ow = 0;
    bool read(const In& x, PyObject* kernel, PyObject* stride) {
        if (x.nd < 3 || !x.n || !size.read(kernel) || !step.read(stride) || size.n != 2) return false;
        if (!step.n) step = size;
        Index h = x.dims[x.nd - 2] - size.v[0], w = x.dims[x.nd - 1] - size.v[1];
        if (step.n != 2 || h < 0 || w < 0 || size.v[0] < 1 || size.v[1] < 1 || step.v[0] < 1 || step.v[1] < 1)
            return false;
        return oh = h / step.v[0] + 1, ow = w / step.v[1] + 1, true;
    }
    // f(first element of the window, length of a row of the image) for each window
    template <class T, class F> void run(const In& x, T* out, F f) const {
        Image m(x);
        for (Index p = 0; p < m.planes; p++)
            for (Index y = 0; y < oh; y++)
                for (Index z = 0; z < ow; z++)
                    *out++ = f(x.as<T>() + (p * m.high + y * step.v[0]) * m.wide + z * step.v[1], m.wide);
    }
};

inline bool zeros(PyObject* o, Index value = 0) {
    Ints<2> v;
    if (!o) return value == 0;
    return v.read(o) && std::all_of(v.v, v.v + v.n, [value](Index w) { return w == value; });
}

// (self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
inline PyObject* avg_pool2d(Kernel&, PyObject** v) {
    In x;
    Windows w;
    if (!get_float(v[0], x) || !zeros(v[3]) || flag(v[4], false) || !missing(v[6]) || !w.read(x, v[1], v[2]))
        return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *out, share = 1 / T(w.size.v[0] * w.size.v[1]);
        PyObject* r = resized(x, w.oh, w.ow, out);
        if (r)
            w.run(x, out, [&](const T* p, Index wide) {
                T sum = 0;
                for (Index i = 0; i < w.size.v[0]; i++)
                    for (Index j = 0; j < w.size.v[1]; j++) sum += p[i * wide + j];
                return sum * share;
            });
        return r;
    });
}

inline PyObject* max_pool(Kernel&, PyObject** v) {  // (self, kernel_size, stride, padding, dilation, ceil_mode)
    In x;
    Windows w;
    if (!get_float(v[0], x) || !zeros(v[3]) || !zeros(v[4], 1) || flag(v[5], true) || !w.read(x, v[1], v[2]))
        return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = resized(x, w.oh, w.ow, out);
        if (r)
            w.run(x, out, [&](const T* p, Index wide) {
                T top = p[0];
                for (Index i = 0; i < w.size.v[0]; i++)
                    for (Index j = 0; j < w.size.v[1]; j++) {
                        T y = p[i * wide + j];
                        top = y > top || y != y ? y : top;
                    }
                return top;
            });
        return r;
    });
}

inline PyObject* adaptive_avg_pool2d(Kernel&, PyObject** v) {  // (self, output_size)
    In x;
    Ints<2> size;
    if (!get_float(v[0], x) || x.nd < 3 || !x.n || !size.read(v[1]) || size.n != 2 || size.v[0] < 1 || size.v[1] < 1)
        return nullptr;
    Image m(x);
    Index oh = size.v[0], ow = size.v[1];
    if (m.planes * oh * ow > LIMIT) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        PyObject* r = resized(x, oh, ow, out);
        if (!r) return nullptr;
        for (Index p = 0; p < m.planes; p++)
            for (Index y = 0; y < oh; y++)
                for (Index z = 0; z < ow; z++) {
                    Index y0 = y * m.high / oh, y1 = ((y + 1) * m.high + oh - 1) / oh;
                    Index z0 = z * m.wide / ow, z1 = ((z + 1) * m.wide + ow - 1) / ow;
                    T sum = 0;
                    for (Index i = y0; i < y1; i++)
                        for (Index j = z0; j < z1; j++) sum += x.as<T>()[(p * m.high + i) * m.wide + j];
                    *out++ = sum / T((y1 - y0) * (z1 - z0));
                }
        return r;
    });
}

// grid_sampler_2d: (input, grid, interpolation_mode, padding_mode, align_corners); bilinear with zeros outside
inline PyObject* grid_sample(Kernel&, PyObject** v) {
    In x, g;
    Index mode, padding;
    if (!get_float(v[0], x) || !get(v[1], g) || g.type != x.type || x.nd != 4 || g.nd != 4 || !x.n || !g.n ||
        g.dims[3] != 2 || g.dims[0] != x.dims[0] || !integer(v[2], mode) || !integer(v[3], padding) || mode || padding)
        return nullptr;
    Index batch = x.dims[0], c = x.dims[1], h = x.dims[2], w = x.dims[3], oh = g.dims[1], ow = g.dims[2];
    Index dims[4] = {batch, c, oh, ow};
    bool corners = flag(v[4], false);
    if (batch * c * oh * ow > LIMIT) return nullptr;
    return by_float(x.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T* out;
        const T* at = g.as<T>();
        PyObject* r = make(4, dims, x.type, out);
        if (!r) return nullptr;
        auto place = [corners](T t, Index n) {
            return corners ? (t + 1) / 2 * T(n - 1) : ((t + 1) * T(n) - 1) / 2;
        };
        for (Index n = 0; n < batch; n++)
            for (Index q = 0; q < oh * ow; q++, at += 2) {
                T px = place(at[0], w), py = place(at[1], h);
                if (!(std::abs(px) < T(1e9) && std::abs(py) < T(1e9))) return Py_DECREF(r), nullptr;
                T fx = std::floor(px), fy = std::floor(py), tx = px - fx, ty = py - fy;
                Index ix = Index(fx), iy = Index(fy);
                for (Index k = 0; k < c; k++) {
                    const T* plane = x.as<T>() + (n * c + k) * h * w;
                    auto tap = [&](Index y, Index z) {
                        return y >= 0 && y < h && z >= 0 && z < w ? plane[y * w + z] : T(0);
                    };
                    T top = tap(iy, ix) * (1 - tx) + tap(iy, ix + 1) * tx;
                    T low = tap(iy + 1, ix) * (1 - tx) + tap(iy + 1, ix + 1) * tx;
                    out[(n * c + k) * oh * ow + q] = top * (1 - ty) + low * ty;
                }
            }
        return r;
    });
}

// -- attention: (query, key, value, attn_mask, dropout_mask, is_causal, scale) -> output, weights -------------------

inline PyObject* attention(Kernel& self, PyObject** v) {
    In q, k, w;
    double scale;
    if (!missing(v[3]) || !missing(v[4]) || !get_float(v[0], q) || !get(v[1], k) || !get(v[2], w) ||
        k.type != q.type || w.type != q.type || !number(v[6], scale) || !self.result || !q.n || !w.n)
        return nullptr;
    int nd = q.nd;
    if (nd < 2 || k.nd != nd || w.nd != nd || !std::equal(q.dims, q.dims + nd - 2, k.dims) ||
        !std::equal(q.dims, q.dims + nd - 2, w.dims) || k.dims[nd - 1] != q.dims[nd - 1] ||
        w.dims[nd - 2] != k.dims[nd - 2])
        return nullptr;
    Index rows = q.dims[nd - 2], columns = k.dims[nd - 2], width = q.dims[nd - 1], deep = w.dims[nd - 1];
    Index batch = q.n / (rows * width), dims[NPY_MAXDIMS];
    if (batch * rows * columns * (width + deep) > WORK || batch * rows * columns > LIMIT) return nullptr;
    bool causal = flag(v[5], false);
    std::copy(q.dims, q.dims + nd, dims);
    return by_float(q.type, [&](auto zero) -> PyObject* {
        using T = decltype(zero);
        T *out = nullptr, *weights = nullptr;
        dims[nd - 1] = deep;
        PyObject* r = make(nd, dims, q.type, out);
        dims[nd - 1] = columns;
        PyObject* s = make(nd, dims, q.type, weights);
        if (!r || !s) return tuple_of(self.result, {r, s});
        for (Index b = 0; b < batch; b++) {
            T* p = weights + b * rows * columns;
            product(q.as<T>() + b * rows * width, k.as<T>() + b * columns * width, p, rows, width, columns, true);
            for (Index i = 0; i < rows; i++, p += columns) {
                Index n = causal ? std::min(i + 1, columns) : columns;
                T top = -std::numeric_limits<T>::infinity(), sum = 0;
                for (Index j = 0; j < n; j++) top = std::max(top, p[j] *= T(scale));
                for (Index j = 0; j < n; j++) sum += p[j] = std::exp(p[j] - top);
                for (Index j = 0; j < columns; j++) p[j] = j < n ? p[j] / sum : T(0);
            }
            product(weights + b * rows * columns, w.as<T>() + b * columns * deep, out + b * rows * deep, rows, columns,
                    deep, false);
        }
        return tuple_of(self.result, {r, s});
    });
}

}  // namespace native
