"""Files, pickles and copies of tensors. The two files below were written by torch 2.13."""

from __future__ import annotations

import base64
import copy
import gzip
import io
import pickle
import pickletools
import threading
import zipfile
import zlib
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lamella.core import dtypes as dt, serialization as sz
from lamella.core.devices import device
from lamella.core.layouts import strided
from lamella.core.tensor import META, Size, Tensor, wrap

EVERYTHING = (
    "c-o~`OLN;)6u!0-$5FxQ14#OyP@XPLUB8t+9n_)%f;LfGFo9weS&7vumXCCuG=)GICLv{2{s6<KTeh(5@DIuW!=ghMT`;Wp3E@6uM^bQI5=|"
    "sU*8R@+-S3`ru05f|`VdMa(57Q2+Kn_vubcD6v6_apbo06;OGz{pIF_SJfKrtx0k}1Y=(=rLhK^0U;R+X>n&B9=bEb|3h#poUma0U^zy;{ju"
    "}wm!t1WC=u26N1>6U5Ls@Q0_wo{$Y3DBQPRR(BOGE$p0AkHCzY}p#V#6J{ZfCbDzq7ox_z1f06C5}OuRFD!?Vym!2i7Am)c;Z%_3V0GjQiUN"
    "l*s&L2XPwa0<Mn}hqRxQ3Cdv5N3hY)QE3k)yp2G073ePYm48vi_2<3_?(N);1L@4Dx4%?66fC|sHmf&DzkU*<*2G*#N@Z1tSU!fMmp(S{M&2"
    "rvwT;dtLs6<@Xon~B3c&Up`P0i6rG{X_#<+dCK$-*l{R20Lj%zzb0(Rm!^f?mULM1|2c_HguTNULy+E!^}BWOx|QV~LrZEp=?pvgkR;@#uLk"
    "dVxkS^5`WDq6%Zo+E%s%$9pVsUVsxDlxc67g)0rb*feS#=97#$52rZuY06AU&(KSmGmm?!TV{i37T|RZk_u-Ta2n19XJ*@0C-xg`NC9LLJA&"
    "aniGA4f>P-x9sqi+l$C(8s;Bpb(;fQxVH5cgRA~$vd!=wsog;W)yD-M^s7(rjQ-Dud=wgGTC<!POvi;yR!aD}JxdpwojzlEWq!Uv2&w;R`BD"
    "lo;f_FU64ZUpP(LngcgA93MVJ>ehIOO;RglO@nLVotBQ7<3hC>?7B_X@KDoTp|ww%y3b&D^OR#tn`ynHM(?g%`cy>$Ms5_zBJ}d-2lsb%O3@"
    "p<CLwM1`RqpTZJYIX3RD5B0#`+5gekQ6roG?Bg&7tDJ?#Sc?=6G++YEkmS#3!@haRTMR0z+k9V~TsWrxkjT;y~)vLN)Gjvxl8uT9lK4Z}7MQ"
    "pgR#B^I4HXB*^d=<V>VfmZEc6%Jh@TJj8PbdS4L!<Y9Kom#LiLU*07@h3&)AWq(%xSplmAx#9p|<+iN0tis@t^x&QGe*!UBEshZV2$wt*Tk("
    "Y-7%7U|Gs<MMJ4T1(X-yZ(1tRM+(@5${hjJVw>&{vUGB*bEk)8Vr&^y!^-K0d+CD3AE_aU&IER~V;NaGu?+z{>T;Q81o<Q9GC98=r;3Je|Ml"
    "$%c`?#M(P&UnR+due@%btDa+&hoo{axS2@*Z{P6hdLvNX132kw^9UCKQ$IrWg%RbLP8@gR3zmQHPF`KQ*`DLX>z>%H?YiKHNVL6**Ji+yS;L"
    "h1KE=)cpu{*vfykiIBO<!#cl{G$>MJUDk~3;vh3>wi1<sfPJG<#aIr(BtHvxSjm#KGz|%r^D0fvqNE`yg-%T`)>A1@BBH4avKelNp}s$Bpvj"
    "oM!)b@&6+Hw|L06HW4Y2;sUV8^VkuK7ilUgwWW?jSLO!1@7IMW>QOp&^QiiJh^XCzqB05q`WrT|D==ASFJ2xp0e~%BN{Ts+|06Ec*y6sxwAp"
    "T8YUm(ame~?W(PdJXhk?#t`QR8Uy1`>w*yKXW7|2>XEy+4fgchDfVJ`loY!&rX@3}XKXV{>7wzkda>mlGjuK8*D@pCI;^Ft!lJ`nyIDJ2@D_"
    "7Q<M7wFj}khOwnK_P_gq|ELHdtQh9?*XmFJd)J5UlB50-Iv4=&-hp})_k<FUkG5Mu?C7QmwC`?=-+$WSm5>srKk?8JPc7di`r{mvWaIhRe*u"
    "s<p}7"
)
OLD_FORMAT = (
    "c-n1{OH0E*5P<V)tE<)ewtDdxFQsqnsYRrh;G^-9i-ejiO(bMH$)=!C$fd>l8$5XQXZUyg34#YFO%a7I*@4W?eDm$b(hKpvU%Ou?5AQd{QY>"
    "A5${5EWs765$gkiuqvzTX&Xb`&02N4U5Jf3(i=N>hwZ@YaTq-TR*l0Ocq8M;q21bGaKYGg1OIxOIj(Ii90KiB7w)f7WX7|b6)PE(=?XWrpVi"
    "?hITN@m1eFC=C_?<3c<O-}ug1?H$qKvY#Dmq4+yKcFC`Eu`zQKEF+q1Y~0aYg+YcxzVarYt2fzd<M#VzBP={C3}SyJx$OgO`f8Htcg=tnOS&"
    "Mk6IjW8j|b4rUA7tT#FM}J=KA5SkqzMK?g^2md?mKDSM-bNO=OAnmB>N%t_j}IBe^%leRCk&*$Ei=CAqgKWe?vXw{mqhg1=%`-w3E50Y@0Qi"
    "~jpbU3Dq7hEPKE@MixlokH2xQ(HMAMP0UTSr`+e6)W67g3J&"
)


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


def saved(obj: Any, **kwargs: Any) -> bytes:
    f = io.BytesIO()
    sz.save(obj, f, **kwargs)
    return f.getvalue()


def loaded(data: bytes, *args: Any, **kwargs: Any) -> Any:
    return sz.load(io.BytesIO(data), *args, **kwargs)


def t(values: Any, dtype: str = "float32") -> Tensor:
    return wrap(np.array(values, dt.BY_NAME[dtype].np))


def globals_of(data: bytes) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        found = pickletools.genops(z.read("archive/data.pkl"))
        return {str(arg) for op, arg, _ in found if op.name == "GLOBAL"}


def message_of(error: Any) -> str:
    return str(error.value)


# ---------------------------------------------------------------- torch's files


@pytest.mark.parametrize("weights_only", [True, False])
def test_reads_what_torch_wrote(weights_only: bool) -> None:
    o = loaded(unpacked(EVERYTHING), weights_only=weights_only)
    sd: Any = o["sd"]
    assert type(o["sd"]) is OrderedDict and list(sd) == ["w", "row", "t"] and sd._metadata == {"": {"version": 1}}
    assert sd["t"].stride() == (1, 3) and sd["row"].storage_offset() == 3
    sd["w"]._a[1, 2] = 50
    assert sd["row"]._a[2] == 50 and sd["t"]._a[2, 1] == 50
    assert o["bf"].dtype is dt.bfloat16 and o["bf"]._a.tolist() == [1.5, -2.0]
    assert o["u16"].dtype is dt.uint16 and o["u16"]._a.tolist() == [65535]
    assert o["b"]._a.shape == () and o["b"]._a.item() is True
    assert o["p"]._a.tolist() == [1, 1] and o["rg"]._a.tolist() == [0]
    assert o["meta"].is_meta and o["meta"].shape == (2, 3)
    assert o["conj"]._a.tolist() == [1 - 2j]
    assert type(o["size"]) is Size and o["dtype"] is dt.float16 and o["device"] == device("cuda:1")
    assert o["empty"].shape == (0, 3)
    assert o["plain"] == [1, 2.5, None, (True, "text", b"bytes", 2**70)]


def test_reads_the_format_from_before_torch_1_6() -> None:
    x, row, bf = loaded(unpacked(OLD_FORMAT))
    assert x._a.tolist() == [[0, 1, 2], [3, 4, 5]] and bf._a.tolist() == [1.5]
    x._a[1, 0] = 9
    assert row._a[0] == 9


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("new_format", [True, False])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_dtype_comes_back(protocol: int, new_format: bool) -> None:
    o = [t([0, 1, 1, 0], d.name) for d in dt.ALL] + [t(3.5), t([]), t(np.zeros((2, 0, 3)))]
    back = loaded(saved(o, pickle_protocol=protocol, _use_new_zipfile_serialization=new_format))
    for a, b in zip(o, back, strict=True):
        assert a.dtype is b.dtype and a.shape == b.shape and a._a.tolist() == b._a.tolist()


def test_python_values_come_back() -> None:
    o = {
        "numbers": (1, -5, 2**80, 2.5, float("inf"), 1 + 2j, True, None),
        3: ["text \u1234", b"bytes", bytearray(b"ab")],
        "sets": [{1, 2}, frozenset([3])], "counter": Counter("aab"), "ordered": OrderedDict(a=1),
        "torch": [Size((2, 3)), dt.bfloat16, device("cpu"), device("cuda:1"), strided],
    }
    back = loaded(saved(o))
    assert back == o and type(back["counter"]) is Counter and type(back["torch"][0]) is Size
    assert back["torch"][1] is dt.bfloat16 and back["torch"][4] is strided


def test_numpy_values_come_back() -> None:
    o: list[Any] = [np.float64(3.5), np.int32(4), np.bool_(True), np.dtype("float32"), np.datetime64("2020-01-01"),
         np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)), np.array(["a", "bc"])]
    for protocol in (2, 4, 5):
        for a, b in zip(o, loaded(saved(o, pickle_protocol=protocol)), strict=True):
            assert type(a) is type(b) and np.array_equal(a, b)
    with pytest.raises(pickle.UnpicklingError, match="only NumPy|only plain NumPy"):
        loaded(saved(np.array([print, None])))


def test_views_share_memory_and_keep_their_strides() -> None:
    a = np.arange(24.0).reshape(2, 3, 4)
    views = [a, a[1], a.transpose(2, 0, 1), a[:, 1:, ::2], np.broadcast_to(a[0, 0], (5, 4))]
    o = [wrap(v) for v in views]
    for back in (loaded(saved(o)), pickle.loads(pickle.dumps(o)), copy.deepcopy(o)):
        assert [x.stride() for x in back] == [x.stride() for x in o]
        back[0]._a[1, 0, 0] = 99
        assert back[1]._a[0, 0] == 99 and a[1, 0, 0] == 12
    assert saved(o).count(a.tobytes()) == 1


def test_arrays_that_torch_cannot_describe_are_written_as_copies() -> None:
    back = loaded(saved(wrap(np.arange(4.0)[::-1])))
    assert back._a.tolist() == [3, 2, 1, 0] and back.stride() == (1,)


def test_one_memory_under_two_types() -> None:
    a = np.arange(4, dtype=np.float32)
    data = saved([wrap(a), wrap(a.view(np.int32)), wrap(a)])
    x, y, z = loaded(data)
    assert (x.dtype, y.dtype, z.dtype) == (dt.float32, dt.int32, dt.float32)
    y._a[0] = 1
    assert x._a[0] != 0 and z._a[0] != 0


def test_files_name_torchs_globals() -> None:
    names = globals_of(saved([t([1.0]), t([1], "int64"), t([1], "uint16"), dt.float16, device("cpu"), Size((1,))]))
    assert names == {
        "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_tensor_v3", "torch FloatStorage", "torch LongStorage",
        "torch.storage UntypedStorage", "torch uint16", "torch float16", "torch device", "torch Size",
        "collections OrderedDict",
    }


def test_storages_are_aligned() -> None:
    values = [np.full(n, n, np.float64) for n in (1, 3, 77)]
    data = saved([wrap(v) for v in values])
    assert [data.index(v.tobytes()) % 64 for v in values] == [0, 0, 0]


@pytest.mark.parametrize("protocol", range(6))
def test_plain_pickle(protocol: int) -> None:
    x = t([[1.0, 2.0]])
    x.note = "kept"  # type: ignore[attr-defined]
    back = pickle.loads(pickle.dumps(x, protocol))
    assert back._a.tolist() == [[1, 2]] and back.note == "kept"
    back._a[0, 0] = 5
    meta = pickle.loads(pickle.dumps(wrap(np.zeros((2, 3), np.float32), META), protocol))
    assert meta.is_meta and meta.shape == (2, 3)


class Named(Tensor):
    _plain = True
    __slots__ = ("extra",)


def test_subclasses_keep_class_attributes_and_slots() -> None:
    from lamella.core.serialization.rebuild import as_class

    x: Any = as_class(t([1.0]), Named)
    x.note, x.extra = [1], "slot"
    back: Any
    for back in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), loaded(saved(x), weights_only=False)):
        assert (type(back), back.note, back.extra) == (Named, [1], "slot") and back.note is not x.note
    with sz.safe_globals([Named]):
        assert type(loaded(saved(x))) is Named


def test_shallow_copy_shares_and_deep_copy_does_not() -> None:
    x = t([1.0, 2.0])
    shallow, deep = copy.copy(x), copy.deepcopy(x)
    x._a[0] = 7
    assert shallow._a[0] == 7 and deep._a[0] == 1
    twice = copy.deepcopy([x, x])
    assert twice[0] is twice[1]


# ---------------------------------------------------------------- files


def test_kinds_of_files(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    for where in (path, str(path)):
        sz.save(t([1.0]), where)
        assert sz.load(where)._a.tolist() == [1]
    with zipfile.ZipFile(path) as z:
        assert "model/data.pkl" in z.namelist()
    with gzip.open(tmp_path / "x.gz", "wb") as f:
        sz.save(t([2.0]), f)
    with gzip.open(tmp_path / "x.gz", "rb") as f:
        assert sz.load(f)._a.tolist() == [2]
    behind = io.BytesIO(b"junk")
    behind.seek(4)
    sz.save(t([3.0]), behind)
    behind.seek(4)
    assert sz.load(behind)._a.tolist() == [3]


def test_mapped_files(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    sz.save({"a": t([1.0, 2.0]), "b": t([3], "int64")}, path)
    x = sz.load(path, mmap=True)
    x["a"]._a[0] = 9
    assert sz.load(path, mmap=True)["a"]._a.tolist() == [1, 2] and x["b"]._a.tolist() == [3]
    with pytest.raises(ValueError, match="load: mmap=True needs a path"):
        loaded(path.read_bytes(), mmap=True)


def test_a_failed_save_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    sz.save(1, path)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        sz.save(lambda: 0, path)
    assert sz.load(path) == 1


def test_byte_order_of_another_machine() -> None:
    big = unpacked(EVERYTHING)
    source, target = zipfile.ZipFile(io.BytesIO(big)), io.BytesIO()
    with zipfile.ZipFile(target, "w") as z:
        for name in source.namelist():
            z.writestr(name, b"big" if name.endswith("byteorder") else source.read(name))
    assert loaded(target.getvalue())["u16"]._a.tolist() == [65535]
    assert loaded(target.getvalue())["bf"]._a.tolist() != [1.5, -2.0]


def test_skipped_data() -> None:
    data = saved(t([1.0, 2.0]))
    with sz.skip_data():
        assert loaded(data)._a.tolist() == [0, 0]


def test_places() -> None:
    data = saved([t([1.0, 2.0]), t([3.0])])
    assert all(x.is_meta for x in loaded(data, "meta"))
    assert all(x.is_meta for x in loaded(data, {"cpu": "meta"}))
    seen = []
    x, _ = loaded(data, lambda storage, location: seen.append((storage.nbytes(), location)))
    assert seen == [(8, "cpu"), (4, "cpu")] and x._a.tolist() == [1, 2]
    assert loaded(data, lambda storage, location: storage.to("meta"))[0].is_meta
    with pytest.raises(RuntimeError, match=r"a device that is not here \(device=cuda:0\)\nhint: .*map_location='cpu'"):
        loaded(data, "cuda:0")
    with pytest.raises(TypeError, match=r"map_location is a device, a str, a dict or a function \(int\)"):
        loaded(data, 3)
    with pytest.raises(TypeError, match=r"map_location returns the storage .* \(int\)"):
        loaded(data, lambda storage, location: 3)


def test_threads_do_not_disturb_each_other() -> None:
    results: list[Any] = []

    def work(n: int) -> None:
        for _ in range(20):
            results.append(loaded(saved([t([n]), t([n], "int64")]))[0]._a[0] == n)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80 and all(results)


def test_storages_over_files(tmp_path):
    path = str(tmp_path / "bytes")
    (tmp_path / "bytes").write_bytes(bytes(range(8)))
    from lamella import core
    from lamella.core.storage import UntypedStorage

    private = UntypedStorage.from_file(path, nbytes=6)
    assert private.tolist() == [0, 1, 2, 3, 4, 5] and len(private) == 6 and private[2] == 2
    part = private[2:4]
    view = core.asarray(part, dtype=core.uint8)
    view[0] = 99
    assert private[2] == 99 and part.tolist() == [99, 3] and len(part) == 2
    assert view.untyped_storage().nbytes() == 2  # a slice is a storage of its own
    assert (tmp_path / "bytes").read_bytes() == bytes(range(8))
    shared = UntypedStorage.from_file(path, shared=True, nbytes=10)
    core.asarray(shared)[0] = 7
    assert (tmp_path / "bytes").read_bytes() == bytes([7, *range(1, 8), 0, 0])
    assert repr(shared) == "[torch.storage.UntypedStorage(device=cpu) of size 10]"
    assert UntypedStorage.from_file(path).nbytes() == 0 and shared[4:2].tolist() == []
    with pytest.raises(RuntimeError, match="from_file: the file has 10 bytes, fewer than 11"):
        UntypedStorage.from_file(path, nbytes=11)
    with pytest.raises(RuntimeError, match="step of 1"):
        shared[::2]
