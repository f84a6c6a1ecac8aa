"""What `load` refuses: names that are not allowed, damaged files, wrong arguments."""

from __future__ import annotations

import base64
import io
import os
import pickle
import random
import zipfile
import zlib
from collections import deque
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lamella.core import serialization as sz
from lamella.core.tensor import Tensor, wrap

# Written by torch 2.13: a Fraction, a deque and a tensor.
BLOCKED = (
    "c-o~@O^=g67#^TYD{8+q>AHu#icz~Q1=_mNZmQwJ!CGUo@j@ufRw7$=VA_o)CQXb@yt&4BGR7Za;?FSNy?HR6JopD3pvwYvyQ@wZhL87o-iL"
    "Rdm!8UG0LbOQ!YG0=&|Tw^HGvzZj`ix^V_WIw!NbIu($5g!w<!Y95oPSSx`8cc<Z;UUibJ$Ysq_pneUu5}257}F9NUKTNE4zl<PdwMkFqMI2"
    "Qm97XJCh9uWDm#*&e64a4@!PQ^RoNIj%MlICO^Rx3eVJBa!+LA})k*itXt5e)y0>X9L0-I=9V`)z}-O^D2u`{+<d{T4iRapfV~oL&cW~Rd-z"
    "zy3o918JI&QqOFY4g+97CuJ+VyE~mT`e-S!=_Kq!K1>~X<R(BkCSI61}x*kcObTdIE>pt73pI@K*BB`ZpYoK|=HveW#x2@r57ml#fZKSs5R6"
    "`bh0iAvHgC;5Hr2<Nz6A2hR!O-zbq;xm`CGX*|EsSmGYj|<<+a;D{VV7#igIft#Zq$_SjsFl3vQ9hXv_%dwr(}NE@)cEHeLq+wFIJZ-DuAnz"
    "qG)q3pH@<X^D}*UKYVa<{nvqTWPsq~J?L7*0Z(<`vzlcp-RfV~qAoRsR=wSp>h+c+%3`A?$Td-Dw3~HFYDi*376iE|w|tfM$2Xfi(ZL5QDPL"
    "@)Gu{xz1?B1gNE#h)fJy>+n*ztRP?{ue;<W_HL7ZfvbJ9F<BbE|8Wg09tKpGx*O+EpCOM{em)7ZEV3JEOFfV9if;Q02eC%~^`;6EFur?Tv|L"
    "z^+zBV;zUex|~;l?hjZ3tnZ}@IL&5t*{{`8^njPzXAQ!VmS"
)


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


def saved(obj: Any, **kwargs: Any) -> bytes:
    f = io.BytesIO()
    sz.save(obj, f, **kwargs)
    return f.getvalue()


def loaded(data: bytes, *args: Any, **kwargs: Any) -> Any:
    return sz.load(io.BytesIO(data), *args, **kwargs)


def tensor(*values: float) -> Tensor:
    return wrap(np.array(values, np.float32))


# ---------------------------------------------------------------- names


def test_all_blocked_names_are_listed_with_the_ways_out() -> None:
    data = unpacked(BLOCKED)
    with pytest.raises(pickle.UnpicklingError) as e:
        loaded(data)
    assert str(e.value).split("\n") == [
        "load: Weights only load failed: 2 names in the file are not allowed with weights_only=True "
        "(fractions.Fraction, collections.deque)",
        "to allow what you trust: torch.serialization.add_safe_globals([...]), or for one block",
        "  with torch.serialization.safe_globals([fractions.Fraction, collections.deque]):",
        "torch.serialization.get_unsafe_globals_in_checkpoint(f) lists what a file needs",
        "hint: weights_only=False allows everything, and lets the file run any code: only for files you trust",
    ]
    assert sz.get_unsafe_globals_in_checkpoint(io.BytesIO(data)) == ["fractions.Fraction", "collections.deque"]
    assert loaded(data, weights_only=False)["a"] == Fraction(1, 2)


def test_allowed_names() -> None:
    data, before = unpacked(BLOCKED), sz.get_safe_globals()
    with sz.safe_globals([Fraction, deque]):
        o = loaded(data)
        assert o["a"] == Fraction(1, 2) and o["b"] == deque([1]) and o["w"].shape == (2, 3)
        assert sz.get_unsafe_globals_in_checkpoint(io.BytesIO(data)) == []
    assert sz.get_safe_globals() == before  # layers above may have names of their own
    sz.add_safe_globals([(Fraction, "fractions.Fraction"), deque])
    try:
        assert loaded(data)["a"] == Fraction(1, 2)
        assert sz.get_safe_globals() == [*before, (Fraction, "fractions.Fraction"), deque]
    finally:
        sz.clear_safe_globals()
        assert sz.get_safe_globals() == []
        sz.add_safe_globals(before)
    assert sz.get_unsafe_globals_in_checkpoint(io.BytesIO(data)) == ["fractions.Fraction", "collections.deque"]


@pytest.mark.parametrize(
    ("entry", "error", "text"),
    [
        (3, TypeError, r"functions and classes are expected \(3\)"),
        ((Fraction,), ValueError, "a pair"),
        ((Fraction, 3), TypeError, r"the full path is a str \(int\)"),
    ],
)
def test_what_cannot_be_allowed(entry: Any, error: type[Exception], text: str) -> None:
    before = sz.get_safe_globals()
    with pytest.raises(error, match=f"^add_safe_globals: .*{text}"):
        sz.add_safe_globals([Fraction, entry])
    assert sz.get_safe_globals() == before


class Runs:
    def __init__(self, function: Any, *args: Any) -> None:
        self.parts = function, args

    def __reduce__(self) -> Any:
        return self.parts


def test_files_run_no_code(tmp_path: Path) -> None:
    target = tmp_path / "made"
    for function, args in ((os.mkdir, (str(target),)), (eval, ("1+1",)), (getattr, ([], "append"))):
        with pytest.raises(pickle.UnpicklingError, match="not allowed|nothing may come"):
            loaded(saved(Runs(function, *args)))
    assert not target.exists()
    with sz.safe_globals([os.mkdir]), pytest.raises(pickle.UnpicklingError, match="nothing may come from this module"):
        loaded(saved(Runs(os.mkdir, str(target))))


@pytest.mark.parametrize(
    "stream",
    [
        b"\x80\x02c_codecs\nencode\n(X\x01\x00\x00\x00aX\x05\x00\x00\x00rot13tR.",  # a codec that is not for bytes
        b"\x80\x02cnumpy\ndtype\nX\x01\x00\x00\x00O\x89\x88\x87R.",  # objects in an array
        b"\x80\x02ctorch\nSize\n}X\x01\x00\x00\x00aK\x01sb.",  # state for a class
        b"\x80\x02ctorch\nfloat32\n)R.",  # a call of something that is no function
        b"\x80\x02ctorch\nTensor\n}b.",
        b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\n(cbuiltins\nset\nctorch\nTensor\n)}tR.",
        b"\x80\x02X\x03\x00\x00\x00abcQ.",  # a persistent id that is no storage
        b"\x80\x02K\x01K\x02a.",  # append to a number
        b"\x80\x02K\x01(K\x02K\x03u.",  # items for a number
    ],
)
def test_hostile_pickles_are_refused(stream: bytes) -> None:
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w") as z:
        z.writestr("archive/data.pkl", stream)
    with pytest.raises(pickle.UnpicklingError, match="^load: "):
        loaded(f.getvalue())


def test_names_of_torchs_that_have_no_counterpart() -> None:
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w") as z:
        z.writestr("archive/data.pkl", b"\x80\x02ctorch._utils\n_rebuild_qtensor\n.")
    with pytest.raises(pickle.UnpicklingError, match=r"no counterpart for \(torch._utils._rebuild_qtensor\)\nhint: "):
        loaded(f.getvalue())
    with pytest.raises(AttributeError, match="torch._utils._rebuild_qtensor has no counterpart in lamella\nhint: "):
        loaded(f.getvalue(), weights_only=False)


# ---------------------------------------------------------------- damage


def test_empty_missing_and_foreign_files(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pt"
    empty.touch()
    for weights_only in (True, False):
        with pytest.raises(EOFError, match=r"load: the file is empty \(.*empty.pt\)"):
            sz.load(empty, weights_only=weights_only)
    with pytest.raises(FileNotFoundError):
        sz.load(tmp_path / "none.pt")
    with pytest.raises(RuntimeError, match="magic number"):
        loaded(pickle.dumps({"a": 1}))
    for weights_only in (True, False):
        with pytest.raises(pickle.UnpicklingError, match="load: the pickle in the file is damaged"):
            loaded(b"hello world", weights_only=weights_only)
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w") as z:
        z.writestr("a/b.txt", "x")
    with pytest.raises(RuntimeError, match="this zip file is no checkpoint: it has no data.pkl"):
        loaded(f.getvalue())
    with pytest.raises(ValueError, match="this is no checkpoint"):
        sz.get_unsafe_globals_in_checkpoint(io.BytesIO(b"abc"))


def test_cut_and_changed_files() -> None:
    data = saved(tensor(1, 2, 3))
    for end in (len(data) - 1, len(data) // 2):
        with pytest.raises(RuntimeError, match="load: the zip file is damaged: .*\nhint: it may have been cut off"):
            loaded(data[:end])
    changed = bytearray(data)
    changed[data.index(tensor(1, 2, 3)._a.tobytes())] ^= 1
    with pytest.raises(RuntimeError, match="load: the record data/0 is damaged: its checksum differs"):
        loaded(bytes(changed))
    sz.set_crc32_options(False)
    try:
        assert loaded(bytes(changed)).shape == (3,)
    finally:
        sz.set_crc32_options(True)


@pytest.mark.parametrize(("size", "text"), [((4,), "reaches beyond its storage"), ((-1,), "impossible layout")])
def test_tensors_stay_within_their_storage(size: tuple[int, ...], text: str) -> None:
    from lamella.core.dtypes import float32
    from lamella.core.serialization.memory import Memory, make_tensor

    with pytest.raises(RuntimeError, match=f"load: a tensor .*{text}"):
        make_tensor(Memory(np.zeros(12, np.uint8)), float32, 0, size, (1,))


@pytest.mark.parametrize("new_format", [True, False])
def test_random_damage_gives_errors_of_three_kinds(new_format: bool) -> None:
    rng = random.Random(0)
    data = saved({"a": tensor(1, 2), "b": [np.float64(3), {1}], "c": "text"}, _use_new_zipfile_serialization=new_format)
    errors = 0
    for _ in range(400):
        broken = bytearray(data)
        for _ in range(3):
            broken[rng.randrange(min(len(data), 600))] = rng.randrange(256)
        try:
            loaded(bytes(broken[: rng.choice([len(data), rng.randrange(len(data))])]))
        except (pickle.UnpicklingError, RuntimeError, EOFError):
            errors += 1
    assert errors > 200


# ---------------------------------------------------------------- arguments


def test_arguments_of_the_wrong_kind(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match=r"save: f is a path or a file object .* \(Tensor\)\nhint: the order"):
        sz.save("x.pt", tensor(1))
    with pytest.raises(AttributeError, match=r"load: f is a path or a file object .* \(int\)"):
        sz.load(3)
    with pytest.raises(RuntimeError, match="save: the folder does not exist"):
        sz.save(1, tmp_path / "none" / "x.pt")
    with pytest.raises(RuntimeError, match=r"a pickle reader of its own \(pickle_module=pickle\)"):
        loaded(saved(1), pickle_module=pickle, weights_only=True)
    with pytest.warns(UserWarning, match="pickle_load_args have no effect"):
        loaded(saved(1), fix_imports=True)
    with pytest.raises(TypeError, match="LoadEndianness or None"):
        sz.set_default_load_endianness("big")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="MAP_PRIVATE or mmap.MAP_SHARED"):
        sz.set_default_mmap_options(77)


def test_deep_nesting_is_an_error_and_no_recursion_error() -> None:
    o: Any = []
    for _ in range(20_000):
        o = [o]
    with pytest.raises(RuntimeError, match="save: the object is nested too deeply"):
        saved(o)


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    data = unpacked(BLOCKED)
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    with pytest.warns(UserWarning, match="TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"):
        assert loaded(data)["a"] == Fraction(1, 2)
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(RuntimeError, match="are both set"):
        loaded(data)
    monkeypatch.delenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    with pytest.raises(pickle.UnpicklingError):
        loaded(data, weights_only=False)
