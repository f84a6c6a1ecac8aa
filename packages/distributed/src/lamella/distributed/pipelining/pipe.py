"""`pipeline`: a model of layers in a row, split into stages at named submodules."""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Iterator
from typing import Any

from lamella.dispatch.errors import message

from .stage import PipelineStage

__all__ = ["Pipe", "SplitPoint", "pipeline"]


class SplitPoint(enum.Enum):
    """Where a named submodule is cut off: before it (BEGINNING) or behind it (END)."""

    BEGINNING = 1
    END = 2


class Pipe:
    """A model in stages.

    Attributes:
        num_stages: how many.
        has_loss_and_backward: False; losses are a schedule's.
    """

    has_loss_and_backward = False

    def __init__(self, modules: list[Any]) -> None:
        self._modules = modules
        self.num_stages = len(modules)

    def get_stage_module(self, stage_idx: int) -> Any:
        """The layers of a stage; their parameters are named as in the model.

        Raises:
            ValueError: there is no such stage.
        """
        if not 0 <= stage_idx < self.num_stages:
            raise ValueError(message("get_stage_module", f"Invalid stage index {stage_idx}!",
                                     f"there are {self.num_stages}"))
        return self._modules[stage_idx]

    def build_stage(self, stage_index: int, device: Any, group: Any = None) -> PipelineStage:
        """A `PipelineStage` of a stage's layers.

        Args:
            stage_index: which.
            device: where its layers go.
            group: the ranks of the pipeline; all where None.
        """
        module = self.get_stage_module(stage_index).to(device)
        return PipelineStage(module, stage_index, self.num_stages, device, group=group)

    def __repr__(self) -> str:
        return "\n".join(f"stage {i}: {m!r}" for i, m in enumerate(self._modules))


def pipeline(module: Any, mb_args: tuple[Any, ...] = (), mb_kwargs: dict[str, Any] | None = None,
             split_spec: dict[str, SplitPoint] | None = None,
             split_policy: Callable[[Any], dict[str, SplitPoint]] | None = None) -> Pipe:
    """Split a model into stages at named submodules.

    The model must be an `nn.Sequential`, whose members may be such again: of any other forward it cannot be told what
    flows across a cut. For those write each stage's module, and make a `PipelineStage` of it.

    Args:
        module: the model; the stages share its layers.
        mb_args, mb_kwargs: a microbatch; accepted, shapes are found by themselves.
        split_spec: name of a submodule -> where the model is cut there.
        split_policy: takes the model, returns a `split_spec`.

    Returns:
        The stages.

    Raises:
        ValueError: a name that is none, or two specifications.
        TypeError: a model or submodule that is no Sequential would have to be cut.

    Example:
        >>> from lamella.distributed.layers import nn
        >>> model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> pipe = pipeline(model, split_spec={"2": SplitPoint.BEGINNING})
        >>> pipe.num_stages, [name for name, _ in pipe.get_stage_module(1).named_parameters()]
        (2, ['2.weight', '2.bias'])
    """
    del mb_args, mb_kwargs
    if split_spec is not None and split_policy is not None:
        raise ValueError(message("pipeline", "Cannot specify both `split_spec` and `split_policy`."))
    spec = split_policy(module) if split_policy is not None else dict(split_spec or {})
    leaves = list(_in_a_row(module, "", [tuple(name.split(".")) for name in spec]))
    cuts = set()
    for name, where in spec.items():
        inside = [i for i, leaf in enumerate(leaves) if leaf == name or leaf.startswith(name + ".")]
        if not inside:
            raise ValueError(message("pipeline", f"there is no submodule {name!r}", f"there are {', '.join(leaves)}"))
        cuts.add(inside[0] if where is SplitPoint.BEGINNING else inside[-1] + 1)
    edges = [0, *sorted(cuts - {0, len(leaves)}), len(leaves)]
    return Pipe([_only(module, "", set(leaves[a:b])) for a, b in zip(edges, edges[1:])])


def _in_a_row(module: Any, prefix: str, wanted: list[tuple[str, ...]]) -> Iterator[str]:
    """The names of the layers that run one after the other, as deep as cuts are wanted."""
    from ..layers import nn

    if not isinstance(module, nn.Sequential):
        raise TypeError(message("pipeline", f"{prefix or 'the model'} is no Sequential, so it cannot be cut inside",
                                type(module).__name__,
                                hint="write a module for each stage: PipelineStage(module, ...)"))
    for name, part in module.named_children():
        deeper = [w[1:] for w in wanted if w[0] == name and len(w) > 1]
        path = f"{prefix}.{name}" if prefix else name
        if deeper:
            yield from _in_a_row(part, path, deeper)
        else:
            yield path


def _only(module: Any, prefix: str, names: set[str]) -> Any:
    """A Sequential without the layers of other stages."""
    made = copy.copy(module)
    made._modules = {}
    for name, part in module.named_children():
        path = f"{prefix}.{name}" if prefix else name
        if path in names:
            made._modules[name] = part
        elif any(n.startswith(path + ".") for n in names):
            made._modules[name] = _only(part, path, names)
    return made
