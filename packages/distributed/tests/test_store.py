"""Stores, and where ranks meet."""

import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
from datetime import timedelta

import pytest
from harness import ranks

from lamella import distributed as dist
from lamella.distributed import DistNetworkError, DistStoreError
from lamella.distributed.rendezvous import parse, register_rendezvous_handler, rendezvous
from lamella.distributed.store import FileStore, HashStore, PrefixStore, QueueEmptyError, Store, TCPStore

SHORT = timedelta(seconds=0.1)
LONG = timedelta(seconds=30)


@pytest.fixture(params=["hash", "tcp", "file", "prefix"])
def store(request, tmp_path):
    made = {
        "hash": lambda: HashStore(), "tcp": lambda: TCPStore("localhost", 0, 1, True, LONG),
        "file": lambda: FileStore(str(tmp_path / "store"), 1), "prefix": lambda: PrefixStore("p", HashStore()),
    }[request.param]()
    made.set_timeout(LONG)
    return made


def test_values(store):
    own = store.num_keys()
    store.set("a", "x")
    store.set("b", b"\xff")
    store.set("e", "")
    assert store.get("a") == b"x" and store.get("b") == b"\xff" and store.get("e") == b""
    store.set("a", "y")
    assert store.get("a") == b"y" and store.num_keys() == own + 3
    assert store.check(["a", "b"]) and not store.check(["a", "z"]) and store.check([])
    assert store.delete_key("a") and not store.delete_key("a") and not store.check(["a"])
    store.append("q", "1")
    store.append("q", "2")
    assert store.get("q") == b"12"
    store.multi_set(["m", "n"], ["1", b"2"])
    assert store.multi_get(["m", "n"]) == [b"1", b"2"]
    assert set(store.list_keys()) - {"init/"} == {"b", "e", "q", "m", "n"}
    assert store.has_extended_api() and isinstance(store, Store)


def test_counters(store):
    assert [store.add("n", 2), store.add("n", -5), store.get("n")] == [2, -3, b"-3"]
    store.set("n", "10")
    assert store.add("n", 1) == 11
    store.set("word", "x")
    with pytest.raises(ValueError, match="no number"):
        store.add("word", 1)
    assert store.get("word") == b"x"  # and the store goes on


def test_compare_set(store):
    assert store.compare_set("c", "", "v") == b"v"
    assert store.compare_set("d", "no", "v") == b"no" and not store.check(["d"])
    assert store.compare_set("c", "no", "w") == b"v" and store.compare_set("c", "v", "w") == b"w"


def test_queues(store):
    store.queue_push("k", "1")
    store.queue_push("k", "2")
    assert store.queue_len("k") == 2 and [store.queue_pop("k"), store.queue_pop("k")] == [b"1", b"2"]
    assert dist.QueueEmptyError is QueueEmptyError
    with pytest.raises(QueueEmptyError, match="queue is empty"):
        store.queue_pop("k", block=False)
    store.set_timeout(SHORT)
    with pytest.raises(DistStoreError, match="wait timeout"):
        store.queue_pop("k")
    assert not store.check(["k"])


def test_waiting_ends(store):
    store.set("there", "1")
    store.wait(["there"])
    start = time.monotonic()
    with pytest.raises(DistStoreError, match="wait timeout after 100ms, keys: (p/)?missing\n"):
        store.wait(["there", "missing"], SHORT)
    store.set_timeout(SHORT)
    assert store.timeout == SHORT
    with pytest.raises(DistStoreError, match="missing"):
        store.get("missing")
    assert time.monotonic() - start < 10


def test_another_rank_sets_what_is_waited_for(store):
    other = store.clone()
    timer = threading.Timer(0.05, lambda: (other.set("late", "now"), other.queue_push("k", "v")))
    timer.start()
    store.wait(["late"])
    assert store.get("late") == b"now" and store.queue_pop("k") == b"v"
    timer.join()


def test_barrier(store):
    passed = []

    def come(s):
        for turn in range(3):
            s.barrier("here", 2)
            passed.append(turn)

    threads = [threading.Thread(target=come, args=(s,)) for s in (store, store.clone())]
    for t in threads:
        t.start()
    for t in threads:
        t.join(20)
    assert sorted(passed) == [0, 0, 1, 1, 2, 2] and passed[:2] == [0, 0]
    with pytest.raises(DistStoreError, match="wait timeout"):
        store.barrier("alone", 2, SHORT)


def test_wrong_arguments(store):
    for call in (lambda: store.set("a", 1), lambda: store.set(1, "a"), lambda: store.wait("key"),
                 lambda: store.set_timeout(3), lambda: store.wait(["a"], 3)):
        with pytest.raises(TypeError, match="Store."):
            call()
    with pytest.raises(DistStoreError, match="must be of same size"):
        store.multi_set(["a"], ["1", "2"])
    with pytest.raises(TypeError, match="is no store of its own"):
        Store().get("x")


def test_many_ranks_count_at_once(store):
    stores = [store.clone() for _ in range(4)]

    def count(s):
        for _ in range(25):
            s.add("n", 1)

    threads = [threading.Thread(target=count, args=(s,)) for s in stores]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert store.get("n") == b"100"


def test_prefixes_nest():
    whole = HashStore()
    part = PrefixStore("a", PrefixStore("b", whole))
    part.set("k", "v")
    assert whole.get("b/a/k") == b"v" and part.list_keys() == ["k"]
    assert part._underlying_non_prefix_store is whole and part.underlying_store.underlying_store is whole
    part.set_timeout(SHORT)
    assert whole.timeout == SHORT
    with pytest.raises(TypeError, match="PrefixStore: needs"):
        PrefixStore(whole, "a")


def test_tcp_store_joins_late_masters_and_many_clients():
    free = TCPStore("localhost", 0, 1, True, LONG)
    port = free.port
    del free
    gc.collect()
    got = []
    client = threading.Thread(target=lambda: got.append(TCPStore("localhost", port, 2, False, LONG).get("k")))
    client.start()
    time.sleep(0.05)
    master = TCPStore("localhost", port, 2, True, LONG)
    master.set("k", "v" * 100_000)
    client.join(20)
    assert got == [b"v" * 100_000] and "master" in repr(master)


def test_tcp_store_errors():
    with pytest.raises(DistNetworkError, match=r"timed out after 100ms while trying to connect to \(localhost, 1\)"):
        TCPStore("localhost", 1, 2, False, SHORT)
    master = TCPStore("localhost", 0, 1, True, LONG)
    with pytest.raises(DistNetworkError, match="EADDRINUSE"):
        TCPStore("localhost", master.port, 1, True, LONG)
    with pytest.raises(DistStoreError, match="1/2 clients joined"):
        TCPStore("localhost", 0, 2, True, SHORT)
    with pytest.raises(ValueError, match="from 0 to 65535"):
        TCPStore("localhost", -5, 2, True, LONG)
    client = TCPStore("localhost", master.port, 1, False, LONG)
    client.set("a", "1")
    del master
    gc.collect()
    for _ in range(2):
        with pytest.raises(DistNetworkError, match="Connection was likely closed"):
            client.get("a")


def test_tcp_masters_of_one_process_share_a_port():
    one = TCPStore("localhost", 0, None, True, LONG, multi_tenant=True)
    two = TCPStore("localhost", one.port, None, True, LONG, multi_tenant=True)
    two.set("k", "v")
    assert one.get("k") == b"v"


def test_file_store_goes_with_its_last_user(tmp_path):
    path = tmp_path / "store"
    one, two = FileStore(str(path), 2), FileStore(str(path), 2)
    one.set("k", "v")
    assert two.get("k") == b"v" and path.exists() and one.path == str(path)
    del one
    gc.collect()
    assert path.exists()
    del two
    gc.collect()
    assert not path.exists()


def test_file_store_passes_over_half_a_record(tmp_path):
    path = str(tmp_path / "store")
    one = FileStore(path, -1)
    one.set("a", "1")
    with open(path, "ab") as f:
        f.write(b"\x00\x00\x00\x00\x09half")
    two = FileStore(path, -1)
    two.set("b", "2")
    assert one.get("b") == b"2" and two.get("a") == b"1"


def test_addresses_are_taken_apart():
    assert parse("tcp://host:9?rank=1&world_size=4")[1:] == (1, 4)
    assert parse("env://", 2, 3)[1:] == (2, 3)
    with pytest.raises(ValueError, match="given in the URL and as an argument"):
        parse("tcp://host:9?rank=1", rank=1)
    with pytest.raises(ValueError, match="must be a URL"):
        parse("host:9")
    with pytest.raises(ValueError, match="must be an integer"):
        parse("tcp://host:9?rank=one")


def test_meeting_at_a_file_and_at_a_port(tmp_path):
    store, rank, size = next(iter(rendezvous(f"file://{tmp_path}/meet", rank=0, world_size=1)))
    assert isinstance(store, FileStore) and (rank, size) == (0, 1)
    free = TCPStore("localhost", 0, 1, True, LONG)
    port = free.port
    del free
    gc.collect()
    results = []

    def meet(rank):
        store, *place = next(iter(rendezvous(f"tcp://localhost:{port}", rank, 2, timeout=LONG)))
        store.set(f"from {rank}", "hello")
        store.wait([f"from {1 - rank}"])
        results.append(place)
        store.barrier("end", 2)

    threads = [threading.Thread(target=meet, args=(r,)) for r in (1, 0)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(30)
    assert sorted(results) == [[0, 2], [1, 2]]


def test_meeting_by_the_environment(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match="environment variable RANK expected, but not set"):
        next(rendezvous("env://"))
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    with pytest.raises(ValueError, match="environment variable MASTER_ADDR expected"):
        next(rendezvous("env://"))
    monkeypatch.setenv("MASTER_ADDR", "localhost")
    monkeypatch.setenv("MASTER_PORT", "0")
    store, rank, size = next(rendezvous("env://"))
    assert store.add("n", 1) == 1 and (rank, size) == (0, 1)


@pytest.mark.parametrize(("url", "error", "text"), [
    ("tcp://host?rank=0&world_size=1", ValueError, "port number missing"),
    ("tcp://host:1?world_size=1", ValueError, "rank parameter missing"),
    ("file:///x?rank=0", ValueError, "world size parameter missing"),
    ("file://?rank=0&world_size=1", ValueError, "path missing"),
    ("fil:///x", RuntimeError, "No rendezvous handler for fil://"),
    (5, RuntimeError, "must be a string"),
])
def test_addresses_that_are_not_complete(url, error, text):
    with pytest.raises(error, match=text):
        next(iter(rendezvous(url)))


def test_other_schemes():
    def meet(url, **kwargs):
        at = parse(url)
        yield HashStore(), at.rank, at.world_size

    register_rendezvous_handler("here", meet)
    assert next(iter(rendezvous("here://x", 1, 2)))[1:] == (1, 2)
    with pytest.raises(RuntimeError, match="already registered"):
        register_rendezvous_handler("here", meet)


@ranks(2)
def test_ranks_share_a_file(folder):
    rank, size = dist.get_rank(), dist.get_world_size()
    store = FileStore(os.path.join(folder, f"store{size}"), size)
    store.set_timeout(LONG)
    for _ in range(10):
        store.add("n", rank + 1)
    store.barrier("all", size)
    assert store.add("n", 0) == 10 * size * (size + 1) // 2
    store.barrier("end", size)


@ranks(2)
def test_ranks_share_a_tcp_store(folder):
    rank = dist.get_rank()
    port = FileStore(os.path.join(folder, "port"), 2)
    port.set_timeout(LONG)
    if rank == 0:
        store = TCPStore("localhost", 0, 2, True, LONG, wait_for_workers=False)
        port.set("port", str(store.port))
    else:
        store = TCPStore("localhost", int(port.get("port")), 2, False, LONG)
    store.set(str(rank), f"rank {rank}")
    assert store.multi_get(["0", "1"]) == [b"rank 0", b"rank 1"]
    dist.barrier()  # the keys go with rank 0's store


def test_processes_see_one_file(tmp_path):
    code = textwrap.dedent("""
        import sys
        from datetime import timedelta
        from lamella.distributed.store import FileStore
        store = FileStore(sys.argv[1], 3)
        store.set_timeout(timedelta(seconds=60))
        for _ in range(50):
            store.add("n", 1)
        store.barrier("all", 3)
        assert store.get("n") == b"150", store.get("n")
    """)
    path = str(tmp_path / "store")
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", code, path]) for _ in range(3)]
    assert [p.wait(60) for p in running] == [0, 0, 0]
    assert not os.path.exists(path)
