"""Device meshes: grids, slices, groups."""

import doctest
import pkgutil
from importlib import import_module

import pytest
from harness import ranks

from lamella import core, distributed as dist
from lamella.distributed.device_mesh import DeviceMesh, _mesh_resources, init_device_mesh

MODULES = ["device_mesh", "functional_collectives", "nn.functional"] + [
    m.name.removeprefix("lamella.distributed.") for package in ("tensor", "pipelining")
    for m in pkgutil.walk_packages(import_module(f"lamella.distributed.{package}").__path__,
                                   f"lamella.distributed.{package}.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(import_module(f"lamella.distributed.{name}")).failed == 0


@ranks(2, 4)
def test_one_dimension():
    n = dist.get_world_size()
    mesh = init_device_mesh("cpu", (n,), mesh_dim_names=("dp",))
    assert mesh.size() == n and mesh.shape == (n,) and mesh.ndim == 1
    assert mesh.get_group() is dist.group.WORLD and mesh.get_group("dp") is dist.group.WORLD
    assert mesh.get_local_rank() == dist.get_rank() == mesh.get_rank()
    assert mesh.get_coordinate() == (dist.get_rank(),)
    assert repr(mesh) == f"DeviceMesh((dp={n}), 'cpu', stride=(1,))"
    assert mesh["dp"] is mesh and mesh.mesh.tolist() == list(range(n)) and mesh.mesh.dtype is core.int32
    assert mesh == DeviceMesh("cpu", list(range(n)), mesh_dim_names=("dp",))
    assert mesh != DeviceMesh("cpu", list(range(n))) and len({mesh, init_device_mesh("cpu", (n,))}) == 2


@ranks(4)
def test_slices():
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    dp, tp = mesh["dp"], mesh["tp"]
    assert dp.mesh.tolist() == [rank % 2, rank % 2 + 2] and tp.mesh.tolist() == [rank // 2 * 2, rank // 2 * 2 + 1]
    assert repr(mesh) == "DeviceMesh((dp=2, tp=2), 'cpu', stride=(2, 1))" and dp.mesh_dim_names == ("dp",)
    assert mesh.get_coordinate() == (rank // 2, rank % 2)
    assert mesh.get_local_rank("dp") == dp.get_local_rank() == rank // 2 and mesh.get_local_rank(1) == rank % 2
    assert dp.get_group() is mesh.get_group("dp") is mesh.get_group(0) is mesh.get_all_groups()[0]
    assert dist.get_process_group_ranks(tp.get_group()) == tp.mesh.tolist()
    x = core.tensor([float(rank)])
    dist.all_reduce(x, group=dp.get_group())
    assert x.item() == 2 * (rank % 2) + 2
    assert [m.mesh.tolist() for m in mesh._get_all_submeshes("dp")] == [[0, 2], [1, 3]]
    assert mesh["dp", "tp"] is mesh


@ranks(4)
def test_three_dimensions_and_flattened():
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 1, 2), mesh_dim_names=("pp", "dp", "tp"))
    both = mesh["pp", "dp"]
    assert both.shape == (2, 1) and both.mesh.tolist() == [[rank % 2], [rank % 2 + 2]]
    flat = mesh["pp", "tp"]._flatten("all")
    assert flat.mesh.tolist() == [0, 1, 2, 3] and flat.get_local_rank() == rank and mesh["all"].shape == (4,)
    assert mesh.get_group("all").size() == 4
    assert mesh["pp", "tp"]._flatten("all") is flat
    one = mesh["dp", "tp"]._flatten()
    assert one.mesh_dim_names == ("dp_tp",) and one.size() == 2
    assert dist.get_process_group_ranks(one.get_group()) == one.mesh.tolist()
    with pytest.raises(ValueError, match="has been created before"):
        mesh["dp", "tp"]._flatten("all")
    with pytest.raises(ValueError, match="already exists"):
        mesh["dp", "tp"]._flatten("pp")


@ranks(2)
def test_groups_become_a_mesh():
    mesh = DeviceMesh.from_group(dist.group.WORLD, "cpu", mesh_dim_names=("x",))
    assert mesh.get_group("x") is dist.group.WORLD and mesh.shape == (2,)
    mine = [dist.new_group([0]), dist.new_group([1])][dist.get_rank()]
    both = DeviceMesh.from_group([dist.group.WORLD, mine], "cpu", [[0], [1]], mesh_dim_names=("x", "y"))
    assert both.get_group("y") is mine and both.get_local_rank("y") == 0
    for arguments, text in (([], "at least one"), ([mine, mine], "Must pass mesh if")):
        with pytest.raises(ValueError, match=text):
            DeviceMesh.from_group(arguments, "cpu")
    with pytest.raises(ValueError, match="Invalid mesh"):
        DeviceMesh.from_group(dist.group.WORLD, "cpu", [1, 0])


@ranks(2)
def test_part_of_the_world():
    mesh = DeviceMesh("cpu", [1], mesh_dim_names=("x",))
    assert mesh.get_coordinate() == ((0,) if dist.get_rank() == 1 else None)
    turned = DeviceMesh("cpu", [1, 0])
    assert turned.get_local_rank() == 1 - dist.get_rank() == turned.get_coordinate()[0]


@ranks(2)
def test_errors():
    mesh = init_device_mesh("cpu", (2, 1), mesh_dim_names=("dp", "tp"))
    with pytest.raises(KeyError, match=r"Invalid mesh_dim_names \('db',\)"):
        mesh["db"]
    with pytest.raises(KeyError, match="does not exist"):
        mesh.get_group("zz")
    with pytest.raises(RuntimeError, match="pass mesh_dim"):
        mesh.get_group()
    with pytest.raises(RuntimeError, match="pass mesh_dim"):
        mesh.get_local_rank()
    with pytest.raises(RuntimeError, match="without mesh_dim_names"):
        init_device_mesh("cpu", (2,))["dp"]
    with pytest.raises(RuntimeError, match="bigger than default world size"):
        init_device_mesh("cpu", (4,))
    with pytest.raises(RuntimeError, match="same length"):
        init_device_mesh("cpu", (2,), mesh_dim_names=("a", "b"))
    with pytest.raises(RuntimeError, match="unique"):
        init_device_mesh("cpu", (2, 1), mesh_dim_names=("a", "a"))
    with pytest.raises(RuntimeError, match="twice"):
        DeviceMesh("cpu", [0, 0])
    with pytest.raises(RuntimeError, match="No device mesh is currently active"):
        _mesh_resources.get_current_mesh()
    with mesh as entered:
        assert entered is mesh is _mesh_resources.get_current_mesh()
