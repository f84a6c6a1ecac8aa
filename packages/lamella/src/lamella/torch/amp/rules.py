"""What autocast does to operators: which compute in the lower precision, and which never do.

The rules are kernels under the dispatch key Autocast, which a block adds to the calls of its thread. They cast a GPU's
tensors and go on to the layers below, so casts are operators of their own for autograd and the compiler, and gradients
come back in the parameters' types. Without a block no call knows of them.
"""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Callable
from typing import Any

from lamella.core import Tensor, dtypes as dt
from lamella.dispatch import registry
from lamella.dispatch.keys import DispatchKey, bit
from lamella.dispatch.state import state

AUTOCAST, CUDA = bit(DispatchKey.Autocast), bit(DispatchKey.CUDA)
BELOW = AUTOCAST - 1
#: Products: their sums are kept in float32 by the hardware.
LOWER = (
    "mm bmm matmul mv dot vdot addmm addmv addbmm baddbmm linear convolution _attention _prelu_kernel lstm_loop "
    "gru_loop rnn_loop"
).split()
#: Operators whose results or sums leave the range of the lower precision.
FULL = (
    "acos asin cosh erfinv exp exp2 expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Scalar pow.Tensor_Scalar "
    "pow.Tensor_Tensor softplus native_layer_norm native_group_norm _fused_rms_norm linalg_vector_norm _softmax "
    "_log_softmax _cross_entropy nll_loss mse_loss huber_loss smooth_l1_loss soft_margin_loss "
    "binary_cross_entropy_with_logits _ctc_loss cumsum cumprod prod prod.dim_int sum sum.dim_IntList _cdist_forward "
    "_pdist_forward logsumexp"
).split()
#: Operators that want one type: the widest of their operands.
WIDEST = "addcdiv addcmul atan2 linalg_cross grid_sampler_2d grid_sampler_3d index_put scatter_add cat stack".split()
_PLAIN = (dt.float16, dt.bfloat16, dt.float32)


class Current(threading.local):
    """This thread's lower precision, and the casts of weights that are kept until its outermost block ends."""

    def __init__(self) -> None:
        self.dtype: Any = None
        self.keep = True
        self.depth = 0
        self.kept: dict[int, tuple[Any, Any, int]] = {}


current = Current()


def _casts(t: Any) -> bool:
    return isinstance(t, Tensor) and bool(t._ks & CUDA) and t.dtype in _PLAIN


def cast(t: Any, dtype: Any) -> Any:
    """A GPU's floating tensor in another type; other values as they are, lists item by item."""
    if isinstance(t, (list, tuple)):
        return type(t)(cast(x, dtype) for x in t)
    if not _casts(t) or t.dtype is dtype:
        return t
    if not (current.keep and current.depth and t.requires_grad and t.is_leaf and t.dtype is dt.float32):
        return t.to(dtype)
    found = current.kept.get(id(t))
    if found is None or found[1].dtype is not dtype or found[2] != t._version:
        found = t, t.to(dtype), t._version
        if found[1].requires_grad:
            current.kept[id(t)] = found
    return found[1]


def _widest(values: Any) -> Any:
    found = None
    for v in values:
        d = _widest(v) if isinstance(v, (list, tuple)) else v.dtype if _casts(v) else None
        if d is not None:
            found = d if found is None or found is d else dt.float32
    return found


def _bound(choose: Callable[[Any], Any]) -> Callable[..., Any]:
    """The factory of a rule's kernels: the kernel below where no tensor is a GPU's, else one that casts."""

    def bind(op: Any, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
        if not ks & CUDA:
            return lower

        @functools.wraps(lower)
        def rule(*args: Any, **kwargs: Any) -> Any:
            dtype = choose((*args, *kwargs.values()))
            if dtype is None:
                return lower(*args, **kwargs)
            args = tuple(cast(a, dtype) for a in args)
            kwargs = {k: cast(v, dtype) for k, v in kwargs.items()}
            keys = registry.keys_in((args, tuple(kwargs.values())))
            return op.table[state.apply(keys) & BELOW](*args, **kwargs)

        return rule

    return bind


@functools.cache
def install() -> None:
    """Register the rules; done when a block is first entered."""
    importlib.import_module("lamella.nn.functional")  # it declares the operators of networks
    rules = ((LOWER, lambda values: current.dtype), (FULL, lambda values: dt.float32), (WIDEST, _widest))
    for names, choose in rules:
        for name in names:
            op = registry.find(f"aten::{name}")
            if op is not None:
                op.register(DispatchKey.Autocast, _bound(choose), kind="bind", where="lamella.torch.amp.rules")
