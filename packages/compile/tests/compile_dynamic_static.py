"""Calls whose sizes cannot be variables of one program, by the reason: they are compiled size by size."""

from __future__ import annotations

#: Part of the compiler's reason -> operator -> calls, as "number of the call-varying size".
_CALLS: dict[str, dict[str, str]] = {
    # The graph depends on elements of a tensor, or on memory around it: no size can be compiled.
    "Break": {
        "as_strided": "1-6",
        "istft": "0-5 1-2 1-5",
        "masked_scatter": "0-6",
        "nn.functional.gaussian_nll_loss": "0-3 0-4 1-3 1-4 2-3 2-4 3-3 3-4",
        "nn.functional.multi_margin_loss": "0-3 0-4 1-3 1-4",
        "nn.functional.multilabel_margin_loss": "0-3 0-4 1-3 1-4 2-3 2-4",
        "quantile": "0-2 0-5 1-2 1-5",
        "segment_reduce": "0-2 2-2 3-2",
    },
    # Indices are listed in Python.
    "made from Python values": {
        "combinations": "0-4 1-3",
    },
    # How many results or steps there are depends on the size, or the halves of a padding do.
    "other branches": {
        "chunk": "0-5 1-6",
        "cumprod": "0-3",
        "linalg_vander": "0-3",
        "masked_cumprod": "0-4 1-4 2-4",
        "nn.functional.conv1d": "4-3",
        "nn.functional.conv2d": "4-2 4-3",
        "nn.functional.conv3d": "4-3",
        "split": "0-5 2-4",
        "unbind": "0-2 1-3",
        "unsafe_split": "0-5",
        "vander": "0-3",
    },
    # A size is divided and rounded: windows with a stride, half spectra, middles; or it belongs to empty tensors,
    # whose strides are no products.
    "no polynomial": {
        "Tensor.__getitem__": "8-4",
        "Tensor.unfold": "0-6",
        "cdist": "8-2 9-2 9-3",
        "diagflat": "0-2",
        "fft_fftshift": "0-3 0-4 1-4",
        "fft_ifftshift": "0-3 0-4 1-4",
        "fft_ihfft": "0-5",
        "fft_ihfft2": "0-4",
        "fft_ihfftn": "0-4",
        "fft_rfft": "0-5",
        "fft_rfft2": "0-4",
        "fft_rfftn": "0-4",
        "matmul": "8-2",
        "nn.functional.avg_pool1d": "0-7 1-7",
        "nn.functional.avg_pool2d": "0-5 0-7 1-5 1-7 3-5 3-7",
        "nn.functional.avg_pool3d": "0-4 0-5 0-7 1-4 1-5 1-7 3-4 3-5 3-7",
        "nn.functional.conv1d": "1-5",
        "nn.functional.conv2d": "1-4 1-5",
        "nn.functional.conv3d": "1-4 1-5",
        "nn.functional.interpolate":
            "1-4 3-4 5-4 7-4 10-3 10-4 12-3 12-4 14-3 14-4 16-3 16-4 19-3 19-4 "
            "22-2 22-3 22-4 24-2 24-3 24-4 26-2 26-3 26-4 28-2 28-3 28-4",
        "nn.functional.linear": "5-4",
        "nn.functional.lp_pool1d": "0-7 1-7",
        "nn.functional.lp_pool2d": "0-5 0-7 1-5 1-7",
        "nn.functional.lp_pool3d": "0-4 0-5 0-7 1-4 1-5 1-7",
        "nn.functional.max_pool1d": "0-7 1-7 3-7",
        "nn.functional.max_pool2d": "0-5 0-7 1-5 1-7 3-5 3-7",
        "nn.functional.max_pool3d": "0-4 0-5 0-7 1-4 1-5 1-7 3-4 3-5 3-7",
        "nn.functional.max_unpool3d": "0-2",
        "nn.functional.pdist": "0-4 1-4",
        "nn.functional.unfold": "1-5",
        "reshape": "2-3",
        "stft": "1-12",
        "tensor_split": "0-5 2-5",
    },
    # A floating-point number is computed from the size by more than a division: tolerances, roots.
    "depends on the size": {
        "linalg_lstsq": "0-2 0-4 1-2 1-4",
        "linalg_matrix_rank": "0-3",
        "linalg_pinv": "0-3 1-2 1-4 2-2 2-4",
        "nn.functional.cross_entropy": "11-3",
        "nn.functional.scaled_dot_product_attention": "0-4 3-4 4-4",
    },
}
#: Text of a case -> part of the reason.
STATIC = {f"{name}-{call}": reason for reason, names in _CALLS.items() for name, calls in names.items()
          for call in calls.split()}
