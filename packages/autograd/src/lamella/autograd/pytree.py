"""Nested containers as flat lists: what transforms take and give (``torch.utils._pytree``)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["TreeSpec", "tree_any", "tree_all", "tree_flatten", "tree_leaves", "tree_map", "tree_map_", "tree_map_only",
           "tree_unflatten"]

PyTree = Any


@dataclass(frozen=True)
class TreeSpec:
    """The shape of a tree: the container's type, what else it takes to rebuild it, and the children's shapes."""

    type: Any
    context: Any = None
    children_specs: list[TreeSpec] = field(default_factory=list)

    @property
    def num_leaves(self) -> int:
        """How many leaves a tree of this shape has."""
        return 1 if self.is_leaf() else sum(c.num_leaves for c in self.children_specs)

    def is_leaf(self) -> bool:
        """Whether it is a single leaf."""
        return self.type is None


LeafSpec = TreeSpec(None)


def _children(tree: Any) -> tuple[list[Any], Any] | None:
    """A container's children and context; None for a leaf."""
    kind = type(tree)
    if kind in (dict, OrderedDict):
        return list(tree.values()), list(tree)
    if kind in (list, tuple):
        return list(tree), None
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return list(tree), kind
    return None


def tree_flatten(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> tuple[list[Any], TreeSpec]:
    """The leaves of nested lists, tuples, named tuples and dicts, from left to right, and the shape.

    Args:
        tree: the nested containers.
        is_leaf: says of a container that it is to stay whole.

    Returns:
        The leaves and the shape, from which `tree_unflatten` builds the tree again.

    Example:
        >>> leaves, spec = tree_flatten({"a": [1, 2], "b": (3,)})
        >>> leaves, tree_unflatten([x * 10 for x in leaves], spec)
        ([1, 2, 3], {'a': [10, 20], 'b': (30,)})
    """
    found = None if is_leaf is not None and is_leaf(tree) else _children(tree)
    if found is None:
        return [tree], LeafSpec
    leaves, specs = [], []
    for child in found[0]:
        part, spec = tree_flatten(child, is_leaf)
        leaves += part
        specs.append(spec)
    return leaves, TreeSpec(type(tree), found[1], specs)


def tree_unflatten(leaves: Any, treespec: TreeSpec) -> PyTree:
    """Build a tree from leaves and a shape.

    Raises:
        ValueError: if the number of leaves is not the shape's.
    """
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"tree_unflatten: the shape has {treespec.num_leaves} leaves (got {len(leaves)})")
    return _built(iter(leaves), treespec)


def _built(leaves: Any, spec: TreeSpec) -> Any:
    if spec.is_leaf():
        return next(leaves)
    children = [_built(leaves, child) for child in spec.children_specs]
    if spec.type in (dict, OrderedDict):
        return spec.type(zip(spec.context, children))
    return spec.type(*children) if spec.context is not None else spec.type(children)


def tree_leaves(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> list[Any]:
    """The leaves alone."""
    return tree_flatten(tree, is_leaf)[0]


def tree_map(func: Callable[..., Any], tree: PyTree, *rests: PyTree,
             is_leaf: Callable[[PyTree], bool] | None = None) -> PyTree:
    """A tree of ``func(leaf, *leaves of the other trees)``."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_flatten(r, is_leaf)[0] for r in rests]
    return tree_unflatten([func(*xs) for xs in zip(leaves, *others)], spec)


def tree_map_(func: Callable[..., Any], tree: PyTree, *rests: PyTree,
              is_leaf: Callable[[PyTree], bool] | None = None) -> PyTree:
    """Call ``func`` on each leaf and return the tree itself."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(kind: Any, func: Callable[[Any], Any], tree: PyTree,
                  is_leaf: Callable[[PyTree], bool] | None = None) -> PyTree:
    """A tree with ``func`` applied to the leaves of one type (or tuple of types)."""
    return tree_map(lambda x: func(x) if isinstance(x, kind) else x, tree, is_leaf=is_leaf)


def tree_any(pred: Callable[[Any], bool], tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> bool:
    """Whether a leaf satisfies ``pred``."""
    return any(pred(x) for x in tree_leaves(tree, is_leaf))


def tree_all(pred: Callable[[Any], bool], tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> bool:
    """Whether all leaves satisfy ``pred``."""
    return all(pred(x) for x in tree_leaves(tree, is_leaf))
