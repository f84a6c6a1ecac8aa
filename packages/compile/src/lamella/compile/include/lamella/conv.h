// Convolutions and their gradients, in one to three dimensions with strides, padding, dilation and groups.
//
// All tensors are row-major. Sizes: images, groups, channels of a group in input and result, then for three dimensions
// input, window, result, stride, padding and dilation (fewer dimensions have ones in front).
#pragma once
#include "conv_input.h"
#include "conv_weight.h"

namespace lamella {

#define LAMELLA_CONV_SIZES                                                                                              \
    long n, long groups, long ci, long co, long i0, long i1, long i2, long k0, long k1, long k2, long o0, long o1,       \
        long o2, long s0, long s1, long s2, long p0, long p1, long p2, long d0, long d1, long d2
#define LAMELLA_CONV                                                                                                    \
    Conv { n, groups, ci, co, {{i0, i1, i2}}, {{k0, k1, k2}}, {{o0, o1, o2}}, {{s0, s1, s2}}, {{p0, p1, p2}}, {{d0, d1, d2}} }

// out = convolution of x with weight, plus bias where not null.
template <class T>
void conv_forward(LAMELLA_CONV_SIZES, T* out, const Given<T>* x, const Given<T>* weight, const Given<T>* bias) {
    convolve<T>(LAMELLA_CONV, out, x, weight, bias, {});
}

// The same; done(first, end) is called for ranges of elements of out that are complete.
template <class T>
void conv_forward_then(LAMELLA_CONV_SIZES, T* out, const Given<T>* x, const Given<T>* weight, const Given<T>* bias,
                       Range done) {
    convolve<T>(LAMELLA_CONV, out, x, weight, bias, done);
}

// dx = the gradient in the input, plus a bias of its channels where not null (for transposed convolutions).
template <class T>
void conv_backward_input(LAMELLA_CONV_SIZES, T* dx, const Given<T>* g, const Given<T>* weight, const Given<T>* bias) {
    convolve_back<T>(LAMELLA_CONV, dx, g, weight, bias, {});
}

template <class T>
void conv_backward_input_then(LAMELLA_CONV_SIZES, T* dx, const Given<T>* g, const Given<T>* weight, const Given<T>* bias,
                              Range done) {
    convolve_back<T>(LAMELLA_CONV, dx, g, weight, bias, done);
}

// dw = the gradient in the weight, db = the sums of g over all but its channels, where not null.
template <class T>
void conv_backward_weight(LAMELLA_CONV_SIZES, T* dw, Given<T>* db, const Given<T>* g, const Given<T>* x) {
    correlate_images<T>(LAMELLA_CONV, dw, db, g, x);
}

#undef LAMELLA_CONV_SIZES
#undef LAMELLA_CONV
}  // namespace lamella
