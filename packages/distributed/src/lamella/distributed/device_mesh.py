"""DeviceMesh: the ranks as an n-dimensional grid, with a process group for each of its dimensions."""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

import lamella.distributed as dist
from lamella import core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .mesh_layout import Axis, collapsed, offsets, size_of

__all__ = ["DeviceMesh", "init_device_mesh"]

class _Entered(threading.local):
    """The meshes whose ``with`` blocks this thread is in."""

    def __init__(self) -> None:
        self.stack: list[DeviceMesh] = []


_entered = _Entered()


class _MeshEnv:
    """Torch's `_mesh_resources`: questions about meshes as a whole."""

    @property
    def mesh_stack(self) -> list[DeviceMesh]:
        """The meshes whose ``with`` blocks this thread is in."""
        return _entered.stack

    def get_current_mesh(self) -> DeviceMesh:
        """The mesh of the innermost ``with`` block."""
        if not _entered.stack:
            raise RuntimeError(message("DeviceMesh", "No device mesh is currently active",
                                       hint="pass device_mesh=, or work within `with mesh:`"))
        return _entered.stack[-1]

    def get_root_mesh(self, device_mesh: DeviceMesh) -> DeviceMesh:
        """The mesh that a slice was cut from; a mesh that is no slice itself."""
        return device_mesh._get_root_mesh()


_mesh_resources = _MeshEnv()


class DeviceMesh:
    """The ranks as a grid with named dimensions. Each dimension has a process group of the ranks along it.

    All ranks make the same mesh together.

    Args:
        device_type: "cpu" or "cuda": where the mesh's tensors are.
        mesh: global ranks, as nested lists or an integer tensor.
        mesh_dim_names: a name for each dimension.

    Raises:
        RuntimeError: more ranks than the world has, or a rank twice.

    Example:
        >>> import lamella.distributed as dist
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
        >>> mesh.size(), mesh.get_local_rank("dp"), mesh
        (1, 0, DeviceMesh((dp=1), 'cpu', stride=(1,)))
        >>> dist.destroy_process_group()
    """

    _groups: list[Any] | None

    def __init__(self, device_type: str, mesh: Any = None, *, mesh_dim_names: Sequence[str] | None = None,
                 backend_override: Any = None, _init_backend: bool = True, _rank: int | None = None) -> None:
        if mesh is None:
            raise TypeError(message("DeviceMesh", "the mesh argument is required"))
        grid = np.asarray(mesh.tolist() if isinstance(mesh, Tensor) else mesh, np.int64)
        if len(set(grid.reshape(-1).tolist())) != grid.size:
            raise RuntimeError(message("DeviceMesh", "a rank stands in the mesh twice", grid.tolist()))
        if _init_backend:
            _need_world(grid)
        steps = np.array([1, *grid.shape[:0:-1]], np.int64).cumprod()[::-1] if grid.ndim else ()
        axes = tuple(((int(n), int(s)),) for n, s in zip(grid.shape, steps))
        self._set_up(device_type, grid.reshape(-1), axes, mesh_dim_names, None, _rank)
        if _init_backend:
            self._groups = self._make_groups(backend_override)

    def _set_up(self, device_type: str, ranks: np.ndarray, axes: tuple[Axis, ...], names: Sequence[str] | None,
                root: DeviceMesh | None, rank: int | None = None) -> None:
        if ":" in device_type:
            raise RuntimeError(message("DeviceMesh", "device_type has no index", repr(device_type),
                                       hint=f"pass {device_type.partition(':')[0]!r}"))
        self._device_type = device_type
        self._ranks, self._axes, self._root = ranks, axes, root
        self._mesh_dim_names = tuple(names) if names else None
        self._groups = None
        self._flattened: dict[str, DeviceMesh] = {}
        self._rank = dist.get_rank() if rank is None and dist.is_initialized() else rank or 0
        blocks = self._blocks(axes)
        mine = [b for b in blocks if (b == self._rank).any()]
        self._grid = mine[0] if mine else blocks[0]
        self._coordinate = tuple(int(i[0]) for i in np.nonzero(self._grid == self._rank)) if mine else None

    def _blocks(self, axes: Sequence[Axis]) -> list[np.ndarray]:
        """The grids of these axes that the root's ranks fall into."""
        places_of = offsets(axes)
        left = np.ones(len(self._ranks), bool)
        found = []
        while left.any():
            places = places_of + int(left.argmax())
            left[places] = False
            found.append(self._ranks[places])
        return found

    def _make_groups(self, backend_override: Any) -> list[Any]:
        chosen = _overrides(backend_override, len(self._axes), self._mesh_dim_names)
        groups = []
        for i, axis in enumerate(self._axes):
            own = None
            for block in self._blocks([axis]):
                ranks = block.tolist()
                if chosen[i] is None and ranks == list(range(dist.get_world_size())):
                    own = dist.group.WORLD
                    continue
                name = self._mesh_dim_names[i] if self._mesh_dim_names else f"dim_{i}"
                made = dist.new_group(ranks, backend=chosen[i], group_desc=f"mesh_{name}", sort_ranks=False)
                own = made if self._rank in ranks else own
            groups.append(own)
        return groups

    # ------------------------------------------------------------------ facts

    @property
    def device_type(self) -> str:
        """Where the mesh's tensors are: "cpu" or "cuda"."""
        return self._device_type

    @property
    def mesh(self) -> Any:
        """The global ranks, as an integer tensor; of a slice those that this rank is among."""
        return core.tensor(self._grid.tolist(), dtype=core.int32)

    @property
    def mesh_dim_names(self) -> tuple[str, ...] | None:
        """The dimensions' names."""
        return self._mesh_dim_names

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return tuple(map(size_of, self._axes))

    def size(self, mesh_dim: int | None = None) -> int:
        """The number of ranks, in all or along one dimension."""
        return math.prod(self.shape) if mesh_dim is None else size_of(self._axes[mesh_dim])

    def get_rank(self) -> int:
        """This rank in the world."""
        return dist.get_rank()

    def get_coordinate(self) -> tuple[int, ...] | None:
        """This rank's place in the grid; None where it has none."""
        return self._coordinate

    def _is_current_rank_part_of_mesh(self) -> bool:
        return self._coordinate is not None

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """This rank's place along one dimension.

        Args:
            mesh_dim: its name or number; not needed for a mesh of one dimension.

        Raises:
            RuntimeError: the mesh has several dimensions and none was named.
        """
        if self.ndim > 1 and mesh_dim is None:
            raise RuntimeError(message("get_local_rank", f"Found the DeviceMesh have {self.ndim} dimensions",
                                       hint="pass mesh_dim, a name or a number"))
        return int(dist.get_rank(self.get_group(mesh_dim)))

    def get_group(self, mesh_dim: int | str | None = None) -> Any:
        """The process group of the ranks along one dimension.

        Args:
            mesh_dim: its name or number; not needed for a mesh of one dimension.

        Raises:
            RuntimeError: the mesh has several dimensions and none was named.
            KeyError: there is no dimension of this name.
        """
        if self._groups is None:
            raise RuntimeError(message("get_group", "DeviceMesh process groups not initialized"))
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(message("get_group", f"Found the DeviceMesh have {self.ndim} dimensions",
                                           hint="pass mesh_dim, a name or a number; get_all_groups() gives all"))
            return self._groups[0]
        flattened = self._get_root_mesh()._flattened
        if isinstance(mesh_dim, str):
            if mesh_dim in flattened:
                return flattened[mesh_dim].get_group()
            mesh_dim = self._get_mesh_dim_by_name(mesh_dim)
        return self._groups[mesh_dim]

    def get_all_groups(self) -> list[Any]:
        """The process groups of all dimensions."""
        return [self.get_group(i) for i in range(self.ndim)]

    def _get_root_mesh(self) -> DeviceMesh:
        return self if self._root is None else self._root

    def _get_mesh_dim_by_name(self, name: str) -> int:
        names = self._mesh_dim_names
        if not names:
            raise KeyError(message("DeviceMesh", "No `mesh_dim_names` found.", hint="give the mesh mesh_dim_names"))
        if name not in names:
            raise KeyError(message("DeviceMesh", f"Mesh dimension '{name}' does not exist.",
                                   f"mesh_dim_names={names}"))
        return names.index(name)

    # ------------------------------------------------------------------ other meshes

    def __getitem__(self, mesh_dim_names: str | tuple[str, ...]) -> DeviceMesh:
        """The mesh of some dimensions: the ranks that differ from this one along them only.

        Args:
            mesh_dim_names: a name, or several in the mesh's order; of the whole mesh also flattened dimensions.

        Raises:
            KeyError: there is no such dimension, or they are in another order.
            RuntimeError: the mesh has no names.
        """
        if not self._mesh_dim_names:
            raise RuntimeError(message("DeviceMesh", "Cannot slice a DeviceMesh without mesh_dim_names!",
                                       hint='init_device_mesh(..., mesh_dim_names=("dp", "tp"))'))
        wanted = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else tuple(mesh_dim_names)
        if wanted == self._mesh_dim_names:
            return self
        own = dict(zip(self._mesh_dim_names, zip(self._axes, self._groups or [None] * self.ndim)))
        if self._root is None:
            own |= {k: (m._axes[0], m._groups[0] if m._groups else None) for k, m in self._flattened.items()}
        if any(name not in own for name in wanted):
            raise KeyError(message("DeviceMesh", f"Invalid mesh_dim_names {wanted} specified. Valid mesh_dim_names "
                                   f"are {list(own)}."))
        parts = [p for name in wanted for p in own[name][0] if p[0] > 1]
        if any(a[1] < b[1] for a, b in itertools.pairwise(parts)):
            raise KeyError(message("DeviceMesh", f"Invalid mesh_dim_names {wanted} specified. Mesh dim indices should "
                                   "be in ascending order."))
        if len(np.unique(offsets([own[n][0] for n in wanted]))) != math.prod(size_of(own[n][0]) for n in wanted):
            raise RuntimeError(message("DeviceMesh", f"Slicing overlapping dim_names {wanted} is not allowed."))
        return self._derived(tuple(own[n][0] for n in wanted), wanted, [own[n][1] for n in wanted])

    def _derived(self, axes: tuple[Axis, ...], names: tuple[str, ...], groups: list[Any] | None) -> DeviceMesh:
        root = self._get_root_mesh()
        made = DeviceMesh.__new__(DeviceMesh)
        made._set_up(self._device_type, root._ranks, axes, names, root, self._rank)
        made._groups = groups
        return made

    def _flatten(self, mesh_dim_name: str | None = None, backend_override: Any = None) -> DeviceMesh:
        """The mesh as one dimension. All ranks call it together.

        Args:
            mesh_dim_name: the dimension's name. Default: the names joined by "_".
            backend_override: the backend of its group.

        Raises:
            ValueError: the name is taken.
        """
        if not self._mesh_dim_names:
            raise RuntimeError(message("_flatten", "Cannot flatten a DeviceMesh without mesh_dim_names!"))
        name = mesh_dim_name or "_".join(self._mesh_dim_names)
        if self.ndim == 1 and name in self._mesh_dim_names:
            return self
        root = self._get_root_mesh()
        if name in (root._mesh_dim_names or ()):
            raise ValueError(message("_flatten", f"{name} already exists for submesh of the {root}",
                                     hint="give it another mesh_dim_name"))
        axes = (collapsed(tuple(itertools.chain(*self._axes))),)
        known = root._flattened.get(name)
        if known is not None and known._axes != axes:
            raise ValueError(message("_flatten", f"Flatten mesh with mesh_dim_name {name} has been created before",
                                     hint="give it another mesh_dim_name"))
        if known is None:
            known = root._flattened[name] = self._derived(axes, (name,), None)
            known._groups = known._make_groups(None if backend_override is None else {0: backend_override})
        return known

    def _get_all_submeshes(self, mesh_dim_name: str) -> list[DeviceMesh]:
        """All the meshes along one dimension, this rank's among them."""
        dim = self._get_mesh_dim_by_name(mesh_dim_name)
        found = []
        for block in self._blocks([self._axes[dim]]):
            made = DeviceMesh(self._device_type, block, mesh_dim_names=(mesh_dim_name,), _init_backend=False)
            made._groups = [self._groups[dim]] if self._groups and self._rank in block else None
            found.append(made)
        return found

    @staticmethod
    def from_group(group: Any, device_type: str, mesh: Any = None, *,
                   mesh_dim_names: Sequence[str] | None = None) -> DeviceMesh:
        """A mesh over process groups that exist.

        Args:
            group: one group, or one for each dimension.
            device_type: "cpu" or "cuda".
            mesh: the global ranks; needed with several groups.
            mesh_dim_names: a name for each dimension; needed with several groups.

        Raises:
            ValueError: the mesh does not fit the groups.
        """
        if not isinstance(group, (list, tuple)):
            ranks = dist.get_process_group_ranks(group)
            given = mesh.tolist() if isinstance(mesh, Tensor) else mesh
            if given is not None and list(given) != ranks:
                raise ValueError(message("from_group", f"Invalid mesh {given} for ProcessGroup with ranks {ranks}"))
            made = DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names, _init_backend=False)
            made._groups = [group]
            return made
        for wrong, rule in ((not group, "Expects at least one ProcessGroup to be passed"),
                            (mesh is None, "Must pass mesh if passing multiple ProcessGroups"),
                            (mesh_dim_names is None, "Must pass mesh_dim_names if passing multiple ProcessGroups")):
            if wrong:
                raise ValueError(message("from_group", rule))
        made = DeviceMesh(device_type, mesh, mesh_dim_names=mesh_dim_names, _init_backend=False)
        if made.ndim != len(group):
            raise ValueError(message("from_group", "Expects mesh with ndim equal to number of ProcessGroups",
                                     f"mesh {made._grid.tolist()}, {len(group)} ProcessGroups"))
        made._groups = list(group)
        return made

    # ------------------------------------------------------------------ as an object

    def __enter__(self) -> DeviceMesh:
        _entered.stack.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _entered.stack.pop()

    def _key(self) -> tuple[Any, ...]:
        return tuple(self._grid.reshape(-1).tolist()), self._axes, self._device_type, self._mesh_dim_names

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, DeviceMesh) and self._key() == other._key())

    def __repr__(self) -> str:
        shape = (f"({', '.join(f'{k}={n}' for k, n in zip(self._mesh_dim_names, self.shape))})"
                 if self._mesh_dim_names else str(self.shape))
        stride = tuple(a[0][1] if len(a) == 1 else tuple(s for _, s in a) for a in self._axes)
        shown = f", Mesh: {self._grid.tolist()}" if os.environ.get("TORCH_DISTRIBUTED_DEBUG") == "DETAIL" else ""
        return f"DeviceMesh({shape}, '{self._device_type}', stride={stride}{shown})"

    def __deepcopy__(self, memo: dict[int, Any]) -> DeviceMesh:
        return self  # groups are not copied: a copy would talk over the same ones


def _need_world(grid: np.ndarray) -> None:
    if not dist.is_initialized():
        dist.init_process_group()
    world = dist.get_world_size()
    if grid.size > world or (grid.size and grid.max() >= world):
        raise RuntimeError(message("DeviceMesh", "Mesh should not be bigger than default world size",
                                   f"world size {world}, but found {grid.size} ranks up to {grid.max()}"))


def _overrides(given: Any, ndim: int, names: tuple[str, ...] | None) -> list[str | None]:
    """The backend that is asked for on each dimension."""
    chosen: list[str | None] = [None] * ndim
    if given is None:
        return chosen
    if not isinstance(given, dict):
        given = dict(enumerate(given))
    for key, value in given.items():
        at = names.index(key) if names and key in names else key
        if not isinstance(at, int) or not 0 <= at < ndim:
            raise RuntimeError(message("init_device_mesh", "backend_override names a dimension that is not there",
                                       repr(key), hint=f"0 to {ndim - 1}, or one of {names}"))
        value = value[0] if isinstance(value, tuple) else value
        if value is not None and not isinstance(value, str):
            raise TypeError(message("init_device_mesh", "backend_override gives names of backends",
                                    type(value).__name__))
        chosen[at] = value
    return chosen


def init_device_mesh(device_type: str, mesh_shape: Sequence[int], *, mesh_dim_names: Sequence[str] | None = None,
                     backend_override: Any = None) -> DeviceMesh:
    """Arrange the ranks 0, 1, 2, ... as a grid. All ranks call it together.

    The default process group is initialised if it is not yet.

    Args:
        device_type: "cpu" or "cuda".
        mesh_shape: the size of each dimension.
        mesh_dim_names: a name for each dimension.
        backend_override: dimension (name or number) -> the backend of its group.

    Returns:
        The mesh.

    Raises:
        RuntimeError: names and sizes do not go together, or there are too few ranks.

    Example:
        >>> import lamella.distributed as dist
        >>> mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
        >>> mesh["tp"].shape
        (1,)
        >>> dist.destroy_process_group()
    """
    shape = tuple(mesh_shape)
    if mesh_dim_names is not None:
        names = tuple(mesh_dim_names)
        if len(set(names)) != len(names):
            raise RuntimeError(message("init_device_mesh", "Each mesh_dim_name must be unique.", f"found {names}"))
        if len(names) != len(shape):
            raise RuntimeError(message("init_device_mesh", "mesh_shape and mesh_dim_names should have same length!",
                                       f"{len(shape)} sizes, {len(names)} names"))
    if not device_type.isalpha():
        raise RuntimeError(message("init_device_mesh", "Device type with index is not supported", repr(device_type),
                                   hint="pass 'cpu' or 'cuda'"))
    ranks = np.arange(math.prod(shape)).reshape(shape)
    return DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names, backend_override=backend_override)
