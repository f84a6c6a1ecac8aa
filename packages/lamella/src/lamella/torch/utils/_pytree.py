"""torch.utils._pytree: nested containers as flat lists."""

from __future__ import annotations

from lamella.autograd.pytree import (
    LeafSpec,
    PyTree,
    TreeSpec,
    tree_all,
    tree_any,
    tree_flatten,
    tree_leaves,
    tree_map,
    tree_map_,
    tree_map_only,
    tree_unflatten,
)

__all__ = ["LeafSpec", "PyTree", "TreeSpec", "tree_all", "tree_any", "tree_flatten", "tree_leaves", "tree_map",
           "tree_map_", "tree_map_only", "tree_unflatten"]
