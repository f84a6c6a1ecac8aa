"""The packages import downwards only, and none ships the namespace's __init__.py."""

import ast
import importlib.util
import pathlib
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = sorted(p.parent.name for p in ROOT.glob("packages/*/pyproject.toml"))


def load_tool(name):
    spec = importlib.util.spec_from_file_location(f"lamella_tools_{name}", ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


layers = load_tool("layers")


def project(package):
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())


def test_imports_run_downwards():
    assert layers.violations() == []


@pytest.mark.parametrize(("source", "package", "expected"), [
    ("import lamella.nn", "lamella.core", ["lamella.nn"]),
    ("from lamella import nn", "lamella.core", ["lamella.nn"]),
    ("from ..dispatch import keys", "lamella.core", ["lamella.dispatch.keys"]),
    ("from . import x", "lamella.core.ops", ["lamella.core.ops.x"]),
    ("def f():\n    import importlib\n    importlib.import_module('lamella.optim')", "lamella.nn",
     ["importlib", "lamella.optim"]),
])
def test_every_form_of_import_is_seen(source, package, expected):
    assert [name for _, name in layers.imported(ast.parse(source), package)] == expected


def test_no_namespace_init():
    assert list(ROOT.glob("packages/*/src/lamella/__init__.py")) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_versions_agree_and_pins_are_exact(package):
    data = project(package)["project"]
    version = project("lamella")["project"]["version"]
    assert data["version"] == version
    for requirement in data["dependencies"]:
        if requirement.startswith("lamella"):
            assert requirement.endswith(f"=={version}")


@pytest.mark.parametrize("package", PACKAGES)
def test_declared_dependencies_are_the_table_of_layers(package):
    wanted = {r.split("==")[0].removeprefix("lamella-") for r in project(package)["project"]["dependencies"]
              if r.startswith("lamella")}
    parts = ["torch", "cli"] if package == "lamella" else [package]
    allowed = set().union(*(layers.BELOW[p] for p in parts))
    assert wanted <= allowed


@pytest.mark.parametrize("package", PACKAGES)
def test_typed(package):
    for folder in (ROOT / "packages" / package / "src" / "lamella").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert (folder / "py.typed").exists(), folder
