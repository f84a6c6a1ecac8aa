"""Sequences of different lengths: padded, and packed for recurrent layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from lamella import core
from lamella.core import Tensor
from lamella.core.faults import as_int

from .._args import need_tensor

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class PackedSequence_(NamedTuple):
    """The fields of `PackedSequence`."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """Sequences laid out time by time, without padding: all first elements, then all second ones, and so on.

    `pack_sequence` and `pack_padded_sequence` make it; recurrent layers take it.

    Attributes:
        data: the elements.
        batch_sizes: how many sequences there are at each time.
        sorted_indices: the order in which the sequences are laid out, longest first.
        unsorted_indices: how to get back.
    """

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise TypeError("PackedSequence: without batch_sizes, data must be a pair (data, batch_sizes)")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                f"PackedSequence: batch_sizes should always be on CPU (got {batch_sizes.device})\n"
                "hint: make it with pack_sequence or pack_padded_sequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Moves or casts the elements; the arguments are those of `Tensor.to`."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        moved = (None if t is None else t.to(data.device) for t in (self.sorted_indices, self.unsorted_indices))
        return type(self)(data, self.batch_sizes, *moved)

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Moves the elements to the GPU."""
        if not args:
            kwargs.setdefault("device", "cuda")
        return self.to(*args, **kwargs)

    def cpu(self) -> PackedSequence:
        """Moves the elements to the CPU."""
        return self.to(device="cpu")

    def double(self) -> PackedSequence:
        """Casts the elements to float64."""
        return self.to(dtype=core.float64)

    def float(self) -> PackedSequence:
        """Casts the elements to float32."""
        return self.to(dtype=core.float32)

    def half(self) -> PackedSequence:
        """Casts the elements to float16."""
        return self.to(dtype=core.float16)

    def long(self) -> PackedSequence:
        """Casts the elements to int64."""
        return self.to(dtype=core.int64)

    def int(self) -> PackedSequence:
        """Casts the elements to int32."""
        return self.to(dtype=core.int32)

    def short(self) -> PackedSequence:
        """Casts the elements to int16."""
        return self.to(dtype=core.int16)

    def char(self) -> PackedSequence:
        """Casts the elements to int8."""
        return self.to(dtype=core.int8)

    def byte(self) -> PackedSequence:
        """Casts the elements to uint8."""
        return self.to(dtype=core.uint8)

    def pin_memory(self) -> PackedSequence:
        """Returns itself: there is no memory to pin."""
        return self

    def is_pinned(self) -> bool:
        """Whether the elements are in pinned memory: never."""
        return False

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a GPU."""
        return self.data.is_cuda


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes another one (None stays None)."""
    if permutation is None:
        return None
    return permutation.argsort()


def _as_lengths(op: str, lengths: Any) -> list[int]:
    if isinstance(lengths, Tensor):
        if lengths.ndim != 1:
            raise RuntimeError(f"{op}: 'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.ndim}D")
        return [int(n) for n in lengths.tolist()]
    if not isinstance(lengths, Iterable):
        raise RuntimeError(f"{op}: 'lengths' should be a 1D tensor or a list of ints, not {type(lengths).__name__}")
    return [as_int(op, "lengths", n) for n in lengths]


def _indices(values: list[int], like: Tensor) -> Tensor:
    return core.tensor(values, dtype=core.int64, device=like.device)


def _batch_sizes(lengths: list[int]) -> list[int]:
    """How many sequences reach each time; lengths fall."""
    sizes = []
    alive = len(lengths)
    for t in range(lengths[0] if lengths else 0):
        while lengths[alive - 1] <= t:
            alive -= 1
        sizes.append(alive)
    return sizes


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs padded sequences.

    Args:
        input: (T, N, *), or (N, T, *) with `batch_first`.
        lengths: of each sequence: a tensor on the CPU, or a list.
        batch_first: see `input`.
        enforce_sorted: the sequences must come longest first; otherwise they are put in that order.

    Raises:
        RuntimeError: lengths that are not positive, not sorted (where they must be) or not N of them.

    Example:
        >>> from lamella import core
        >>> packed = pack_padded_sequence(core.tensor([[1, 2, 0], [3, 0, 0], [4, 5, 6]]), [2, 1, 3], True, False)
        >>> packed.data, packed.batch_sizes
        (tensor([4, 1, 3, 5, 2, 6]), tensor([3, 2, 1]))
    """
    need_tensor("pack_padded_sequence", input=input)
    sizes = _as_lengths("pack_padded_sequence", lengths)
    sorted_indices = None
    if not enforce_sorted:
        order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
        sizes = [sizes[i] for i in order]
        sorted_indices = _indices(order, input)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    if batch_first:
        input = input.transpose(0, 1)
    _check_lengths(sizes, input)
    batch_sizes = _batch_sizes(sizes)
    width = input.size(1)
    rows = [t * width + i for t, n in enumerate(batch_sizes) for i in range(n)]
    flat = input.reshape(input.size(0) * width, *input.shape[2:])
    data = flat.index_select(0, _indices(rows, input))
    return PackedSequence(data, core.tensor(batch_sizes, dtype=core.int64), sorted_indices, None)


def _check_lengths(sizes: list[int], input: Tensor) -> None:
    op = "pack_padded_sequence"
    if input.numel() == 0:
        raise RuntimeError(f"{op}: Cannot pack empty tensors (shape {tuple(input.shape)})")
    if len(sizes) != input.size(1):
        raise RuntimeError(f"{op}: Expected `len(lengths)` to be equal to batch_size ({len(sizes)}, {input.size(1)})")
    if any(a < b for a, b in zip(sizes, sizes[1:])):  # noqa: B905, RUF007
        raise RuntimeError(
            f"{op}: `lengths` array must be sorted in decreasing order when `enforce_sorted` is True ({sizes})\n"
            "hint: pass enforce_sorted=False"
        )
    if sizes[-1] <= 0:
        raise RuntimeError(f"{op}: Length of all samples has to be greater than 0, but found one with {sizes[-1]}")
    if sizes[0] > input.size(0):
        raise RuntimeError(f"{op}: a length is larger than the padded size ({sizes[0]} and {input.size(0)})")


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Undoes packing.

    Args:
        sequence: what is unpacked.
        batch_first: return (N, T, *), not (T, N, *).
        padding_value: fills the places after the ends.
        total_length: pad to this T; default: the longest length.

    Returns:
        The padded sequences and their lengths.

    Raises:
        ValueError: `total_length` is less than the longest length.
    """
    sizes = _as_lengths("pad_packed_sequence", sequence.batch_sizes)
    steps = len(sizes)
    if total_length is not None:
        if total_length < steps:
            raise ValueError(
                "pad_packed_sequence: Expected total_length to be at least the length of the longest sequence "
                f"(total_length={total_length}, longest {steps})"
            )
        steps = total_length
    width = sizes[0] if sizes else 0
    data = sequence.data
    pad_row = data.size(0)
    rows = []
    start = 0
    for t in range(steps):
        n = sizes[t] if t < len(sizes) else 0
        rows += [*range(start, start + n), *[pad_row] * (width - n)]
        start += n
    padding = data.new_full((1, *data.shape[1:]), padding_value)
    flat = core.cat([data, padding], 0).index_select(0, _indices(rows, data))
    padded = flat.reshape(steps, width, *data.shape[1:])
    if batch_first:
        padded = padded.transpose(0, 1)
    lengths = core.tensor([sum(n > i for n in sizes) for i in range(width)], dtype=core.int64)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths.index_select(0, sequence.unsorted_indices.cpu())
    return padded, lengths


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Puts sequences of different lengths into one tensor.

    Args:
        sequences: tensors (L_i, *) with the same other dimensions.
        batch_first: return (N, T, *), not (T, N, *).
        padding_value: fills the rest.
        padding_side: where the rest is, `"right"` or `"left"`.

    Raises:
        RuntimeError: no sequences, an unknown side, or dimensions that differ.

    Example:
        >>> from lamella import core
        >>> pad_sequence([core.tensor([1, 2]), core.tensor([3])], batch_first=True)
        tensor([[1, 2],
                [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    items = tuple(sequences)
    if not items:
        raise RuntimeError("pad_sequence: received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"pad_sequence: padding_side must be 'left' or 'right' (got {padding_side!r})")
    for i, s in enumerate(items):
        if not isinstance(s, Tensor):
            raise TypeError(f"pad_sequence: expected Tensor as element {i}, but got {type(s).__name__}")
    if any(s.dim() == 0 for s in items):
        raise IndexError("pad_sequence: a sequence needs at least one dimension (got 0)")
    lengths = [s.size(0) for s in items]
    longest = max(lengths)
    pad_row = sum(lengths)
    rows = []
    start = 0
    for n in lengths:
        rest = [pad_row] * (longest - n)
        own = list(range(start, start + n))
        rows += rest + own if padding_side == "left" else own + rest
        start += n
    padding = items[0].new_full((1, *items[0].shape[1:]), padding_value)
    flat = core.cat([*items, padding], 0).index_select(0, _indices(rows, items[0]))
    padded = flat.reshape(len(items), longest, *items[0].shape[1:])
    return padded if batch_first else padded.transpose(0, 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """Undoes `pad_sequence`: a list of tensors without the padding on the right.

    Args:
        padded_sequences: (T, N, *), or (N, T, *) with `batch_first`.
        lengths: of each sequence.
        batch_first: see above.
    """
    need_tensor("unpad_sequence", padded_sequences=padded_sequences)
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [seq[:n] for seq, n in zip(padded_sequences.unbind(0), _as_lengths("unpad_sequence", lengths), strict=True)]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs a list of sequences (L_i, *).

    Args:
        sequences: the sequences.
        enforce_sorted: they must come longest first; otherwise they are put in that order.

    Example:
        >>> from lamella import core
        >>> pack_sequence([core.tensor([1, 2, 3]), core.tensor([4, 5])]).data
        tensor([1, 4, 2, 5, 3])
    """
    for i, s in enumerate(sequences):
        if not isinstance(s, Tensor):
            raise TypeError(f"pack_sequence: expected Tensor as element {i}, but got {type(s).__name__}")
    lengths = [s.size(0) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Undoes `pack_sequence`."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
