# Generated from packages/core/src/lamella/core/ops/special.yaml (sha256 918fa0d3d48262c6). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.special as _k
import lamella.core.meta.special as _m


def special_i0e(self):
    return _result(_elementwise("special_i0e", "float", (self, ), "c"))


def special_i1(self):
    return _result(_elementwise("special_i1", "float", (self, ), "c"))


def special_i1e(self):
    return _result(_elementwise("special_i1e", "float", (self, ), "c"))


def special_ndtr(self):
    return _result(_elementwise("special_ndtr", "float", (self, ), "c"))


def special_ndtri(self):
    return _result(_elementwise("special_ndtri", "float", (self, ), "c"))


def special_log_ndtr(self):
    return _result(_elementwise("special_log_ndtr", "float", (self, ), "c"))


def special_entr(self):
    return _result(_elementwise("special_entr", "float", (self, ), "c"))


def special_erfcx(self):
    return _result(_elementwise("special_erfcx", "float", (self, ), "c"))


def special_airy_ai(self):
    return _result(_elementwise("special_airy_ai", "float", (self, ), "c"))


def special_bessel_j0(self):
    return _result(_elementwise("special_bessel_j0", "float", (self, ), "c"))


def special_bessel_j1(self):
    return _result(_elementwise("special_bessel_j1", "float", (self, ), "c"))


def special_bessel_y0(self):
    return _result(_elementwise("special_bessel_y0", "float", (self, ), "c"))


def special_bessel_y1(self):
    return _result(_elementwise("special_bessel_y1", "float", (self, ), "c"))


def special_modified_bessel_i0(self):
    return _result(_elementwise("special_modified_bessel_i0", "float", (self, ), "c"))


def special_modified_bessel_i1(self):
    return _result(_elementwise("special_modified_bessel_i1", "float", (self, ), "c"))


def special_modified_bessel_k0(self):
    return _result(_elementwise("special_modified_bessel_k0", "float", (self, ), "c"))


def special_modified_bessel_k1(self):
    return _result(_elementwise("special_modified_bessel_k1", "float", (self, ), "c"))


def special_scaled_modified_bessel_k0(self):
    return _result(_elementwise("special_scaled_modified_bessel_k0", "float", (self, ), "c"))


def special_scaled_modified_bessel_k1(self):
    return _result(_elementwise("special_scaled_modified_bessel_k1", "float", (self, ), "c"))


def special_spherical_bessel_j0(self):
    return _result(_elementwise("special_spherical_bessel_j0", "float", (self, ), "c"))


def special_xlog1py(self, other):
    return _result(_elementwise("special_xlog1py", "float", (self, other, ), "c"))


def special_zeta(self, other):
    return _result(_elementwise("special_zeta", "float", (self, other, ), "c"))


def igamma(self, other):
    return _result(_elementwise("igamma", "float", (self, other, ), "biuc"))


def igamma_(self, other):
    _inplace("igamma_", self, _elementwise("igamma_", "float", (self, other, ), "biuc"))
    _bump(self, "igamma_")
    return self

igamma_.moves_versions = True


def igammac(self, other):
    return _result(_elementwise("igammac", "float", (self, other, ), "biuc"))


def igammac_(self, other):
    _inplace("igammac_", self, _elementwise("igammac_", "float", (self, other, ), "biuc"))
    _bump(self, "igammac_")
    return self

igammac_.moves_versions = True


def special_chebyshev_polynomial_t(x, n):
    return _result(_elementwise("special_chebyshev_polynomial_t", "float", (x, n, ), "c"))


def special_chebyshev_polynomial_u(x, n):
    return _result(_elementwise("special_chebyshev_polynomial_u", "float", (x, n, ), "c"))


def special_chebyshev_polynomial_v(x, n):
    return _result(_elementwise("special_chebyshev_polynomial_v", "float", (x, n, ), "c"))


def special_chebyshev_polynomial_w(x, n):
    return _result(_elementwise("special_chebyshev_polynomial_w", "float", (x, n, ), "c"))


def special_shifted_chebyshev_polynomial_t(x, n):
    return _result(_elementwise("special_shifted_chebyshev_polynomial_t", "float", (x, n, ), "c"))


def special_shifted_chebyshev_polynomial_u(x, n):
    return _result(_elementwise("special_shifted_chebyshev_polynomial_u", "float", (x, n, ), "c"))


def special_shifted_chebyshev_polynomial_v(x, n):
    return _result(_elementwise("special_shifted_chebyshev_polynomial_v", "float", (x, n, ), "c"))


def special_shifted_chebyshev_polynomial_w(x, n):
    return _result(_elementwise("special_shifted_chebyshev_polynomial_w", "float", (x, n, ), "c"))


def special_hermite_polynomial_h(x, n):
    return _result(_elementwise("special_hermite_polynomial_h", "float", (x, n, ), "c"))


def special_hermite_polynomial_he(x, n):
    return _result(_elementwise("special_hermite_polynomial_he", "float", (x, n, ), "c"))


def special_laguerre_polynomial_l(x, n):
    return _result(_elementwise("special_laguerre_polynomial_l", "float", (x, n, ), "c"))


def special_legendre_polynomial_p(x, n):
    return _result(_elementwise("special_legendre_polynomial_p", "float", (x, n, ), "c"))
