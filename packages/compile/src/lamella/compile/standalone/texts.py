"""The texts beside the program: how to build it, and what is what."""

from __future__ import annotations

from typing import Any

from . import host


def cmake(program: Any) -> str:
    """The build."""
    return f"""cmake_minimum_required(VERSION 3.24)
project({program.name} LANGUAGES CXX CUDA)

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES OR CMAKE_CUDA_ARCHITECTURES STREQUAL "52")
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
find_package(CUDAToolkit REQUIRED)
add_executable({program.name} host.cpp program.cu)
target_include_directories({program.name} PRIVATE include)
target_compile_features({program.name} PRIVATE cxx_std_17 cuda_std_17)
target_link_libraries({program.name} PRIVATE CUDA::cudart_static ${{CMAKE_DL_LIBS}})
"""


def readme(program: Any) -> str:
    """What is what."""
    facts = program.facts
    kinds = [kind for kind, _ in facts.script]
    lines = [f"# {program.name}", "",
             f"{len(program.source.kernels)} kernels; a run is {kinds.count('launch')} launches and "
             f"{kinds.count('product')} matrix products (cuBLAS). Memory between them: {facts.arena} bytes.", "",
             "| File | What it is |", "| --- | --- |",
             "| `kernels/*.cu` | each kernel by itself; its head tells operators, the line of your code, loops, bytes "
             "and operations |",
             "| `program.cu` | all kernels, as they are built |",
             "| `plan.json` | the launch plan: tensors, memory, launches and products in order |",
             "| `host.cpp`, `support.h` | the program that runs the plan |",
             "| `weights.bin` | parameters and constants; `plan.json` says which lies where |",
             "| `inputs/`, `expected/` | sample inputs, and what eager operators make of them |",
             "| `include/` | the headers that kernels use |", "",
             "Build and run:", "", "```", "cmake -B build && cmake --build build",
             f"build/{program.name} --inputs inputs --outputs outputs", "```", "",
             f"or without CMake: `nvcc -std=c++17 -Iinclude -o {program.name} host.cpp program.cu -ldl`.", "",
             "It reads `inputs/*.bin` and `weights.bin`, writes `outputs/*.bin`, and compares them with `expected/` "
             "where that is there. Files hold the elements alone, row-major, little endian."]
    lines += ["", "## Inputs", "", *_table(program.inputs)]
    lines += ["", "## Outputs", "", *_table(program.outputs)]
    if program.weights:
        lines += ["", "## Weights and constants", "", *_table(program.weights)]
    if program.symbols:
        options = ", ".join(f"`--{s} {n}`" for s, n in program.symbols.items())
        lines += ["", f"Sizes that vary are options: {options}."]
    if program.scalars:
        lines += ["", "Numbers that vary are options: "
                  + ", ".join(f"`--scalar{n} {x!r}`" for n, x in enumerate(program.scalars)) + "."]
    if host.DRAWS in program.called:
        lines += ["", "It draws random numbers: `--seed N` begins another series (0)."]
    if program.eager:
        called = ", ".join(f"`{op}`" for op in program.eager)
        lines += ["", f"**Not in here:** {called} are called from Python, so the host program stops there."]
    lines += ["", "## Kernels", "", *(f"    {line}" for line in program.lines)]
    return "\n".join(lines) + "\n"


def _table(tensors: list[Any]) -> list[str]:
    rows = [f"| `{t.name}` | {t.dtype} | {list(t.shape)} |" for t in tensors]
    return ["| Name | Type | Shape |", "| --- | --- | --- |", *rows] if rows else ["none"]
