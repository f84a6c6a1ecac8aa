"""torch.special: special functions, many of which have a name at torch's top too."""

from __future__ import annotations

import lamella.core as _core

from ._missing import lookup

#: name here -> name at the top
_TOP = {
    "expit": "sigmoid", "gammainc": "igamma", "gammaincc": "igammac", "gammaln": "lgamma", "multigammaln": "mvlgamma",
    "psi": "digamma",
    **{name: name for name in (
        "digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "i0", "log1p", "log_softmax", "logit", "logsumexp",
        "polygamma", "round", "sinc", "softmax", "xlogy",
    )},
}
globals().update({name: getattr(_core, top) for name, top in _TOP.items() if hasattr(_core, top)})

__getattr__, __dir__ = lookup(__name__, ("lamella.core:special_",), listed=True)
