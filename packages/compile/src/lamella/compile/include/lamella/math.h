// Functions of element types. Those of float are branch-free, so that loops over them become vector code.
#pragma once

#include "types.h"

namespace lamella {

#define LAMELLA_LIBRARY(name) \
    INLINE inline double name(double x) { return std::name(x); }
#define LAMELLA_FLOAT(name) \
    INLINE inline float name(float x) { return std::name(x); }

LAMELLA_LIBRARY(exp) LAMELLA_LIBRARY(exp2) LAMELLA_LIBRARY(expm1) LAMELLA_LIBRARY(log) LAMELLA_LIBRARY(log2)
LAMELLA_LIBRARY(log10) LAMELLA_LIBRARY(log1p) LAMELLA_LIBRARY(sin) LAMELLA_LIBRARY(cos) LAMELLA_LIBRARY(tan)
LAMELLA_LIBRARY(tanh) LAMELLA_LIBRARY(erf)
LAMELLA_LIBRARY(sinh) LAMELLA_LIBRARY(cosh) LAMELLA_LIBRARY(asin) LAMELLA_LIBRARY(acos) LAMELLA_LIBRARY(atan)
LAMELLA_LIBRARY(asinh) LAMELLA_LIBRARY(acosh) LAMELLA_LIBRARY(atanh) LAMELLA_LIBRARY(erfc) LAMELLA_LIBRARY(lgamma)
LAMELLA_LIBRARY(sqrt) LAMELLA_LIBRARY(floor) LAMELLA_LIBRARY(ceil) LAMELLA_LIBRARY(trunc)
LAMELLA_FLOAT(exp) LAMELLA_FLOAT(exp2) LAMELLA_FLOAT(expm1) LAMELLA_FLOAT(log) LAMELLA_FLOAT(log2)
LAMELLA_FLOAT(log10) LAMELLA_FLOAT(log1p) LAMELLA_FLOAT(sin) LAMELLA_FLOAT(cos) LAMELLA_FLOAT(tan)
LAMELLA_FLOAT(tanh) LAMELLA_FLOAT(erf)
LAMELLA_FLOAT(sinh) LAMELLA_FLOAT(cosh) LAMELLA_FLOAT(asin) LAMELLA_FLOAT(acos) LAMELLA_FLOAT(atan)
LAMELLA_FLOAT(asinh) LAMELLA_FLOAT(acosh) LAMELLA_FLOAT(atanh) LAMELLA_FLOAT(erfc) LAMELLA_FLOAT(lgamma)
LAMELLA_FLOAT(sqrt) LAMELLA_FLOAT(floor) LAMELLA_FLOAT(ceil) LAMELLA_FLOAT(trunc)

INLINE inline double sigmoid(double x) {
    double e = std::exp(-std::fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}
INLINE inline float sigmoid(float x) {
    float e = std::exp(-std::fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

}  // namespace lamella
#include "functions.h"
