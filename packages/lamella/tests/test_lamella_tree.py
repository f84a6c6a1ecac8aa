"""The façade's tree: names, laziness, and what is said about names that are missing."""

import importlib
import importlib.util
import pathlib
import subprocess
import sys
import types
import warnings

import pytest

import lamella.torch
from lamella import torch
from lamella.torch._missing import MissingName, torch_names

HERE = pathlib.Path(lamella.torch.__file__).parent


def modules():
    names = []
    for path in sorted(HERE.rglob("*.py")):
        parts = path.relative_to(HERE.parent.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if parts[-1] != "__main__":
            names.append(name)
    return names


@pytest.mark.parametrize("name", modules())
def test_every_module_imports_and_lists_its_names(name):
    module = importlib.import_module(name)
    for entry in getattr(module, "__all__", ()):
        assert hasattr(module, entry), entry
    assert dir(module) == sorted(dir(module))


def fresh(code):
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_upper_layers_load_when_first_used():
    code = """if 1:
        import sys
        from lamella import torch
        heavy = ("scipy", "rich", "yaml", "jinja2", "lamella.nn", "lamella.optim", "ml_dtypes", "difflib",
                 "lamella.distributed")
        assert torch.distributed.is_available() and not torch.distributed.is_initialized()
        print(*[m for m in heavy if m in sys.modules], "end")
        torch.nn.Linear
        print(*[m for m in heavy if m in sys.modules])
    """
    out = fresh(code)
    assert out[: out.index("end")] == []
    assert "lamella.nn" in out and "scipy" not in out and "lamella.optim" not in out


@pytest.mark.parametrize("name", [
    "float32", "Tensor", "tensor", "zeros", "cat", "no_grad", "manual_seed", "Generator", "Size", "device", "dtype",
    "save", "load", "compile", "autocast", "nn.Module", "nn.functional.relu", "nn.init.normal_",
    "nn.parameter.Parameter",
    "nn.utils.clip_grad_norm_", "nn.utils.rnn.pad_sequence", "nn.modules.linear.Linear", "nn.parallel.DataParallel",
    "optim.AdamW", "optim.Optimizer", "optim.adam.Adam", "optim.lr_scheduler.StepLR", "utils.data.DataLoader",
    "utils.data.dataloader.default_collate", "autograd.grad", "autograd.Function", "autograd.function.Function",
    "cuda.is_available", "cuda.amp.autocast", "backends.cudnn.benchmark", "random.fork_rng", "amp.GradScaler",
    "testing.assert_close", "jit.script", "version.cuda", "library.Library", "distributed.is_available",
    "nn.SyncBatchNorm", "nn.modules.batchnorm.SyncBatchNorm", "distributed.init_process_group",
])
def test_names_of_torch(name):
    found = torch
    for part in name.split("."):
        found = getattr(found, part)
    parent, _, leaf = name.rpartition(".")
    assert leaf in dir(importlib.import_module(".".join(["lamella.torch", *filter(None, [parent])])))


def test_a_name_that_torch_has_and_lamella_lacks():
    with pytest.raises(AttributeError) as e:
        torch.hub  # noqa: B018
    assert str(e.value).splitlines()[0] == "torch.hub: lamella does not offer this yet (lamella 0.1.0)"
    with pytest.raises(AttributeError, match=r"^torch\.utils\.tensorboard: lamella does not offer this yet"):
        torch.utils.tensorboard  # noqa: B018
    with pytest.raises(AttributeError, match=r"^torch\.distributed\.rpc: lamella does not offer"):
        torch.distributed.rpc  # noqa: B018


def test_a_name_that_torch_lacks_too():
    with pytest.raises(AttributeError) as e:
        torch.zerros  # noqa: B018
    assert str(e.value) == "module 'torch' has no attribute 'zerros'\nhint: did you mean 'zeros'?"
    with pytest.raises(AttributeError, match="'torch.nn' has no attribute 'Liner'\nhint: did you mean 'Linear'"):
        torch.nn.Liner  # noqa: B018


def test_missing_names_are_cheap_and_ordinary():
    assert not hasattr(torch, "hub")
    assert getattr(torch, "nonesuch", 5) == 5
    assert issubclass(MissingName, AttributeError)
    with pytest.raises(ImportError):
        from lamella.torch import nonesuch  # noqa: F401


def test_layers_private_names_and_submodules_do_not_leak():
    assert not hasattr(torch, "kernels") and not hasattr(torch, "grad") and not hasattr(torch, "runtime")


def test_list_of_torch_names():
    names = torch_names()
    assert {"torch", "torch.nn", "torch.nn.functional", "torch.optim"} <= set(names)
    assert {"add", "matmul", "no_grad", "hub", "distributed"} <= names["torch"]
    assert not any(n.startswith("_") for m in names.values() for n in m)


@pytest.mark.torch
def test_list_of_torch_names_is_torchs():
    theirs = pytest.importorskip("torch")
    missing = [n for n in torch_names()["torch"] if not hasattr(theirs, n)]
    assert all(importlib.util.find_spec(f"torch.{n}") is not None for n in missing)


def test_star_import_gives_names_and_no_machinery():
    space = {}
    exec("from lamella.torch.nn import *", space)
    assert "Linear" in space and "lookup" not in space and "annotations" not in space


def test_version_compares_as_a_version():
    v = torch.__version__
    assert v.split("+")[0] == "2.13.0" and isinstance(v, str)
    assert v >= "2.0" and v > (2, 9) and v < "2.14" and v <= (2, 13, 0) and v == "2.13" and v != "2.12"
    assert v == "2.13.0+lamella" and v != "2.13.0+cpu"
    assert torch.version.cuda is None and torch.version.lamella == "0.1.0"


def test_switches():
    assert torch.pi == pytest.approx(3.14159265) and torch.inf > 1e308 and torch.nan != torch.nan
    torch.set_float32_matmul_precision("high")
    assert torch.get_float32_matmul_precision() == "high"
    torch.set_float32_matmul_precision("highest")
    with pytest.raises(RuntimeError, match="must be one of highest, high, medium"):
        torch.set_float32_matmul_precision("low")
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.get_deterministic_debug_mode() == 1
    torch.use_deterministic_algorithms(False)
    assert not torch.are_deterministic_algorithms_enabled()
    torch.set_default_tensor_type("torch.DoubleTensor")
    try:
        assert torch.get_default_dtype() is torch.float64
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
    assert torch.get_default_dtype() is torch.float32
    with pytest.raises(TypeError, match="not a floating tensor type"):
        torch.set_default_tensor_type("torch.LongTensor")
    assert torch.typename(torch.zeros(1)) == "torch.FloatTensor"
    assert repr(torch.channels_last) == "torch.channels_last" and repr(torch.strided) == "torch.strided"


@pytest.mark.torch
def test_names_are_of_the_same_kind_as_torchs():
    pytest.importorskip("torch")
    kinds = (types.ModuleType, type)
    left_out = {("torch", "ops"), ("torch.autograd", "variable"), ("torch.distributed", "reduce_op"),
                ("torch.distributed.distributed_c10d", "reduce_op")}
    different = []
    for module, names in torch_names().items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some of torch's own modules use what torch calls deprecated
                theirs = importlib.import_module(module)
            ours = importlib.import_module(f"lamella.{module}")
        except ImportError:
            continue
        for name in names & set(dir(ours)):
            a, b = getattr(theirs, name, None), getattr(ours, name, None)
            if a is None or b is None or (module, name) in left_out:
                continue
            if [isinstance(a, k) for k in kinds] != [isinstance(b, k) for k in kinds] or callable(a) != callable(b):
                different.append(f"{module}.{name}: {type(a).__name__} in torch, {type(b).__name__} here")
    assert different == []
