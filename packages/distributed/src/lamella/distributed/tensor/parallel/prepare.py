"""Styles that leave parameters alone, and bring a module's inputs or outputs under placements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from ...device_mesh import DeviceMesh
from .._dtensor import DTensor
from ..placement_types import Placement
from .style import ParallelStyle, same

__all__ = ["PrepareModuleInput", "PrepareModuleInputOutput", "PrepareModuleOutput"]

Layouts = Placement | Sequence[Placement | None] | None


def _several(layouts: Layouts) -> tuple[Placement | None, ...] | None:
    return None if layouts is None else (layouts,) if isinstance(layouts, Placement) else tuple(layouts)


def _prepared(op: str, x: Any, mesh: DeviceMesh, lies: Placement | None, wanted: Placement | None, local: bool) -> Any:
    if lies is None:
        return x
    if not isinstance(x, Tensor):
        raise AssertionError(message(op, "only tensors have a layout", type(x).__name__, hint="put None in its place"))
    made = x if isinstance(x, DTensor) else DTensor.from_local(x, mesh, (lies,))
    if wanted is not None:
        made = same(made, (wanted,))
    return made.to_local() if local else made


class PrepareModuleInput(ParallelStyle):
    """A module's inputs become DTensors, under the placements that it wants.

    Args:
        input_layouts: how each input lies where it is no DTensor; None for inputs that are left as they are.
        desired_input_layouts: how each shall lie.
        input_kwarg_layouts, desired_input_kwarg_layouts: the same for keyword arguments, by name.
        use_local_output: give the module its rank's parts instead of DTensors.

    Raises:
        AssertionError: the two do not go together.
    """

    def __init__(self, *, input_layouts: Layouts = None, desired_input_layouts: Layouts = None,
                 input_kwarg_layouts: dict[str, Placement] | None = None,
                 desired_input_kwarg_layouts: dict[str, Placement] | None = None,
                 use_local_output: bool = False) -> None:
        self.input_layouts, self.desired_input_layouts = _several(input_layouts), _several(desired_input_layouts)
        self.use_local_output = use_local_output
        if self.input_layouts is not None:
            if self.desired_input_layouts is None:
                raise AssertionError(message("PrepareModuleInput", "desired module inputs should not be None!"))
            if len(self.input_layouts) != len(self.desired_input_layouts):
                raise AssertionError(message("PrepareModuleInput", "input_layouts and desired_input_layouts should "
                                                                   "have same length!"))
        self.with_kwargs = input_kwarg_layouts is not None
        self.input_kwarg_layouts = input_kwarg_layouts or {}
        self.desired_input_kwarg_layouts = desired_input_kwarg_layouts or {}
        if self.with_kwargs and len(self.input_kwarg_layouts) != len(self.desired_input_kwarg_layouts):
            raise AssertionError(message("PrepareModuleInput", "input_kwarg_layouts and desired_input_kwarg_layouts "
                                                               "should have same length!"))

    def _inputs(self, inputs: Any, mesh: DeviceMesh) -> Any:
        if self.input_layouts is None:
            return inputs
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        if len(inputs) != len(self.input_layouts):
            raise ValueError(message("PrepareModuleInput", "module inputs and input_layouts should have same length!",
                                     f"{len(inputs)}, {len(self.input_layouts)}"))
        rows = zip(inputs, self.input_layouts, self.desired_input_layouts or ())
        return tuple(_prepared("PrepareModuleInput", x, mesh, lies, wanted, self.use_local_output)
                     for x, lies, wanted in rows)

    def _kwargs(self, kwargs: dict[str, Any], mesh: DeviceMesh) -> dict[str, Any]:
        return {key: _prepared("PrepareModuleInput", x, mesh, self.input_kwarg_layouts.get(key),
                               self.desired_input_kwarg_layouts.get(key), self.use_local_output)
                for key, x in kwargs.items()}

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        if self.with_kwargs:
            module.register_forward_pre_hook(
                lambda _, inputs, kwargs: (self._inputs(inputs, device_mesh), self._kwargs(kwargs, device_mesh)),
                with_kwargs=True)
        else:
            module.register_forward_pre_hook(lambda _, inputs: self._inputs(inputs, device_mesh))
        return module

    def __repr__(self) -> str:
        return (f"PrepareModuleInput(input_layouts={self.input_layouts}, "
                f"desired_input_layouts={self.desired_input_layouts}, input_kwarg_layouts={self.input_kwarg_layouts}, "
                f"desired_input_kwarg_layouts={self.desired_input_kwarg_layouts}, "
                f"use_local_output={self.use_local_output})")


class PrepareModuleOutput(ParallelStyle):
    """A module's outputs come under the placements that are wanted.

    Args:
        output_layouts: how each output lies where it is no DTensor; None for outputs that are left as they are.
        desired_output_layouts: how each shall lie.
        use_local_output: give this rank's parts instead of DTensors.

    Raises:
        AssertionError: the two do not go together.
    """

    def __init__(self, *, output_layouts: Layouts, desired_output_layouts: Layouts,
                 use_local_output: bool = True) -> None:
        self.output_layouts = _several(output_layouts) or ()
        self.desired_output_layouts = _several(desired_output_layouts) or ()
        self.use_local_output = use_local_output
        if len(self.output_layouts) != len(self.desired_output_layouts):
            raise AssertionError(message("PrepareModuleOutput", "output_layouts and desired_output_layouts should have "
                                                                "same length!"))

    def _outputs(self, outputs: Any, mesh: DeviceMesh) -> Any:
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        if len(outputs) != len(self.output_layouts):
            raise ValueError(message("PrepareModuleOutput", "module outputs and output_layouts should have same "
                                     "length!", f"{len(outputs)}, {len(self.output_layouts)}"))
        rows = zip(outputs, self.output_layouts, self.desired_output_layouts)
        made = tuple(_prepared("PrepareModuleOutput", x, mesh, lies, wanted, self.use_local_output)
                     for x, lies, wanted in rows)
        return made[0] if len(made) == 1 else made

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        module.register_forward_hook(lambda _, inputs, outputs: self._outputs(outputs, device_mesh))
        return module

    def __repr__(self) -> str:
        return (f"PrepareModuleOutput(output_layouts={self.output_layouts}, "
                f"desired_output_layouts={self.desired_output_layouts}, use_local_output={self.use_local_output})")


class PrepareModuleInputOutput(ParallelStyle):
    """`PrepareModuleInput` and `PrepareModuleOutput` in one.

    Args:
        input_layouts, desired_input_layouts, input_kwarg_layouts, desired_input_kwarg_layouts: of the inputs.
        use_local_input: give the module its rank's parts instead of DTensors.
        output_layouts, desired_output_layouts: of the outputs.
        use_local_output: give this rank's parts of the outputs instead of DTensors.
    """

    def __init__(self, *, input_layouts: Layouts = None, desired_input_layouts: Layouts = None,
                 input_kwarg_layouts: dict[str, Placement] | None = None,
                 desired_input_kwarg_layouts: dict[str, Placement] | None = None, use_local_input: bool = False,
                 output_layouts: Layouts, desired_output_layouts: Layouts, use_local_output: bool = True) -> None:
        self.prepare_module_input = PrepareModuleInput(
            input_layouts=input_layouts, desired_input_layouts=desired_input_layouts,
            input_kwarg_layouts=input_kwarg_layouts, desired_input_kwarg_layouts=desired_input_kwarg_layouts,
            use_local_output=use_local_input)
        self.prepare_module_output = PrepareModuleOutput(
            output_layouts=output_layouts, desired_output_layouts=desired_output_layouts,
            use_local_output=use_local_output)

    def _apply(self, module: Any, device_mesh: DeviceMesh) -> Any:
        self.prepare_module_input._apply(module, device_mesh)
        return self.prepare_module_output._apply(module, device_mesh)

    def __repr__(self) -> str:
        shown = repr(self.prepare_module_input).partition("(")[2][:-1].replace("use_local_output", "use_local_input")
        return f"PrepareModuleInputOutput({shown}, {repr(self.prepare_module_output).partition('(')[2]}"
