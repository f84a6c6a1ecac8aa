"""Checkpoints of several ranks, by the names of torch.distributed.checkpoint.

    save({"model": model, "optimizer": optimizer}, checkpoint_id="checkpoint/100")
    load({"model": model, "optimizer": optimizer}, checkpoint_id="checkpoint/100")

Each rank writes its parts of tensors to files in the safetensors format, and one of them the manifest, with which the
checkpoint is there. `chunks` tells how a tensor says which part of it a rank has, `filesystem` and `manifest` what is
in the folder, `state_dict` gives models' and optimizers' states under names that do not depend on how they are spread.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "api": ("CheckpointException",),
    "chunks": ("LocalShards",),
    "default_planner": ("DefaultLoadPlanner", "DefaultSavePlanner"),
    "filesystem": ("FileSystemReader", "FileSystemWriter"),
    "hf_storage": ("HuggingFaceStorageReader", "HuggingFaceStorageWriter"),
    "metadata": ("BytesStorageMetadata", "ChunkStorageMetadata", "Metadata", "TensorStorageMetadata"),
    "planner": ("LoadPlan", "LoadPlanner", "ReadItem", "SavePlan", "SavePlanner", "WriteItem"),
    "state_dict_loader": ("load", "load_state_dict"),
    "state_dict_saver": ("async_save", "save", "save_state_dict"),
    "stateful": ("Stateful",),
    "storage": ("StorageReader", "StorageWriter"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("chunks", "default_planner", "filesystem", "format_utils", "hf_storage", "metadata", "planner", "staging",
            "state_dict", "state_dict_loader", "state_dict_saver", "stateful", "storage")

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
