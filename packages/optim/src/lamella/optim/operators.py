"""One operator for each optimizer's step: a whole parameter group is one call, whatever the number of parameters.

``lamella_optim::adam_`` and its siblings take lists of tensors and write to them. Where tensors are arrays (NumPy's on
the CPU, CuPy's on a GPU) the kernel runs the rule over them (`rules.engine`); for other backends, and for whoever takes
a graph apart, the body over plain operators is registered as CompositeExplicitAutograd. The operators are not
differentiable: they see parameters that require gradients without recording anything, so a step needs no ``no_grad``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy import ndarray

from lamella.autograd.grad_mode import no_grad
from lamella.core.tensor import Tensor, bump
from lamella.dispatch.keys import BACKEND_MASK, DispatchKey
from lamella.dispatch.registry import OpOverload, define
from lamella.dispatch.state import state as thread_state

from .rules import Rule, all_rules
from .rules.engine import ArrayMath, update_arrays
from .rules.tensors import update_tensors

NAMESPACE = "lamella_optim"
Lists = Sequence[Sequence[Tensor]]


class StepOperator:
    """A rule with its two overloads: a rate that is a number, and one that is a tensor."""

    def __init__(self, rule: Rule):
        self.rule = rule
        where = f"lamella.optim.rules: {rule.name}"
        self.number = define(NAMESPACE, rule.schema(), differentiable=False, where=where)
        self.tensor = define(NAMESPACE, rule.schema(tensor_lr=True), differentiable=False, where=where)
        for op in (self.number, self.tensor):
            op.register(DispatchKey.CPU, _array_kernel(rule, update_arrays), where=where)
            op.register(DispatchKey.CUDA, _array_kernel(rule, _on_gpu, _fill), where=where)
            op.register(DispatchKey.Meta, _meta_kernel(rule), where=where)
            op.register(DispatchKey.CompositeExplicitAutograd, _composite(rule), where=where)

    def __call__(self, ks: int, lists: Lists, options: dict[str, Any]) -> None:
        """Step parameters.

        Args:
            ks: the union of the tensors' key sets.
            lists: parameters, gradients, states and counts, in the order of the schema.
            options: the keyword arguments.
        """
        op: OpOverload = self.tensor if isinstance(options.get("lr"), Tensor) else self.number
        if ks & thread_state.affected:
            ks = thread_state.apply(ks)
        op.table[ks](*lists, **options)

    def by_device(self, lists: Lists, options: dict[str, Any]) -> None:
        """Step parameters that lie on several devices: one call for each."""
        backends = sorted({p._ks & BACKEND_MASK for p in lists[0]})
        for backend in backends:
            mine = [i for i, p in enumerate(lists[0]) if p._ks & BACKEND_MASK == backend]
            cut = [[a[i] for i in mine] if a else a for a in lists]
            ks = 0
            for p, g in zip(cut[0], cut[1]):
                ks |= p._ks | g._ks
            self(ks, cut, options)

    def recorded(self, lists: Lists, options: dict[str, Any]) -> None:
        """Step parameters by plain operators that autograd records (``differentiable=True``)."""
        update_tensors(self.rule, lists, options)


def _array_kernel(rule: Rule, update: Callable[..., None], fill: Callable[..., None] = ndarray.fill) -> Any:
    first_count = 2 + len(rule.states)
    name = rule.name + "_"

    def kernel(*lists: Sequence[Tensor], **options: Any) -> None:
        params = lists[0]
        if not params:
            return
        lr = options.get("lr")
        if isinstance(lr, Tensor):
            options["lr"] = lr.item()  # type: ignore[attr-defined]
        arrays = [[t._a for t in tensors] for tensors in lists]
        columns = arrays[first_count:]
        counts = [[float(a) for a in column] for column in columns]
        groups = _alike(arrays[0], counts)
        for mine in groups:
            i = mine[0]
            values, later = rule.scalars(ArrayMath, tuple([column[i] for column in counts]), options)
            cut = arrays[:first_count]
            if len(groups) > 1:
                cut = [[column[j] for j in mine] if column else column for column in cut]
            update(rule, cut, values, options)
            for column, value in zip(columns, later):
                for j in mine:
                    fill(column[j], value)
        _move_versions(lists, name)

    kernel.moves_versions = True  # type: ignore[attr-defined]
    return kernel


def _on_gpu(rule: Rule, lists: Any, values: tuple[Any, ...], o: dict[str, Any]) -> None:
    from .cuda.kernels import update_gpu_arrays

    update_gpu_arrays(rule, lists, values, o)


def _fill(a: Any, value: Any) -> None:
    if isinstance(a, ndarray):
        a.fill(value)
        return
    with a.device:
        a.fill(value)


def _move_versions(lists: Lists, name: str) -> None:
    gradients = lists[1]
    for tensors in lists:
        if tensors is gradients:
            continue
        for t in tensors:
            vc = t._vc
            if vc is None:
                bump(t, name)
            else:
                vc.n += 1
                vc.writer = name


def _alike(params: list[Any], counts: list[list[float]]) -> list[Sequence[int]]:
    """Number the parameters in groups of one element type and the same counts."""
    dtype = params[0].dtype
    for p in params:
        if p.dtype is not dtype:
            break
    else:
        for column in counts:
            if column.count(column[0]) != len(column):
                break
        else:
            return [range(len(params))]
    groups: dict[Any, list[int]] = {}
    for i, p in enumerate(params):
        groups.setdefault((p.dtype, *[column[i] for column in counts]), []).append(i)
    return list(groups.values())


def _meta_kernel(rule: Rule) -> Any:
    def kernel(*lists: Sequence[Tensor], **options: Any) -> None:
        _move_versions(lists, rule.name + "_")

    kernel.moves_versions = True  # type: ignore[attr-defined]
    return kernel


def _composite(rule: Rule) -> Any:
    def body(*lists: Sequence[Tensor], **options: Any) -> None:
        with no_grad():
            update_tensors(rule, lists, options)

    return body


OPERATORS = {name: StepOperator(rule) for name, rule in all_rules().items()}

__all__ = ["NAMESPACE", "OPERATORS", "StepOperator"]
