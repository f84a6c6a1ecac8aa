"""The header that plays a GPU on the host: grids, barriers, warps, shared memory, atomics, and what it refuses."""

import ctypes

import numpy as np
import pytest
from compile_cuda_emulation import EmulationError, Module, kernels

TEXT = """
extern "C" __global__ void __launch_bounds__(256) places(long* out, long n) {
    long step = (long)gridDim.x * blockDim.x;
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += step) out[i] = i * 3 + blockIdx.x % 1;
}
extern "C" __global__ void coordinates(int* out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        int(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y
            + 100000 * blockIdx.z);
}
extern "C" __global__ void block_sums(const float* x, float* out, long n) {
    __shared__ float part[256];
    float total = 0;
    for (long i = threadIdx.x; i < n; i += blockDim.x) total += x[blockIdx.x * n + i];
    part[threadIdx.x] = total;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void reversed(const double* x, double* out) {
    extern __shared__ double row[];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void warp_sums(const double* x, double* down, double* all, double* up, double* first) {
    double a = x[threadIdx.x], b = a, c = a;
    int lane = threadIdx.x % 32;
    for (int d = 16; d > 0; d /= 2) a += __shfl_down_sync(0xffffffffu, a, d);
    for (int d = 16; d > 0; d /= 2) b += __shfl_xor_sync(0xffffffffu, b, d);
    for (int d = 1; d < 32; d *= 2) {
        double y = __shfl_up_sync(0xffffffffu, c, d);
        if (lane >= d) c += y;
    }
    down[threadIdx.x] = a;
    all[threadIdx.x] = b;
    up[threadIdx.x] = c;
    first[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], 8, 16);
}
extern "C" __global__ void votes(const int* x, unsigned* ballot, int* any, int* all, int* count) {
    int mine = x[threadIdx.x];
    ballot[threadIdx.x] = __ballot_sync(0xffffffffu, mine > 0);
    any[threadIdx.x] = __any_sync(0xffffffffu, mine > 7) + 2 * __syncthreads_or(mine > 7);
    all[threadIdx.x] = __all_sync(0xffffffffu, mine > 0) + 2 * __syncthreads_and(mine >= 0);
    count[threadIdx.x] = __syncthreads_count(mine > 0);
    unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
    ballot[threadIdx.x] += __ballot_sync(half, 1) - half;
}
extern "C" __global__ void early(float* out, int live) {
    __shared__ float slot[64];
    if (threadIdx.x >= live) return;
    slot[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = slot[live - 1 - threadIdx.x] + __shfl_xor_sync(0xffffffffu, 1.0f, 0);
}
extern "C" __global__ void counted(unsigned* bins, const int* x, int* most, unsigned long long* total) {
    atomicAdd(&bins[x[threadIdx.x] % 4], 1u);
    atomicMax(most, x[threadIdx.x]);
    unsigned long long old = *total, seen;
    do { seen = old; old = atomicCAS(total, seen, seen + x[threadIdx.x]); } while (old != seen);
}
extern "C" __global__ void unmatched(int* out) {
    if (threadIdx.x == 3) __syncwarp();
    else __syncthreads();
}
extern "C" __global__ void differing(int* out) {
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
    else out[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
extern "C" __global__ void stopped(int* out) { if (blockIdx.x == 2 && threadIdx.x == 1) __trap(); }
extern "C" __global__ void reaching(int* out) { if (threadIdx.x == 5) out[1L << 40] = 1; }
extern "C" __global__ void racing(int* out) {
    __shared__ int slot[64];
    slot[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = slot[(threadIdx.x + 1) % 64];
}
"""


@pytest.fixture(scope="module")
def module():
    return Module(TEXT)


@pytest.mark.parametrize("order", [0, 1])
def test_grids_and_blocks(module, order):
    out = np.zeros(1000, np.int64)
    module.launch("places", (3,), (64,), [out, 1000], order=order)
    np.testing.assert_array_equal(out, np.arange(1000) * 3)
    out = np.zeros((2, 3, 2, 2, 3, 4), np.int32)
    module.launch("coordinates", (2, 3, 2), (4, 3, 2), [out], order=order)
    z, y, x, tz, ty, tx = np.indices(out.shape)
    np.testing.assert_array_equal(out, tx + 10 * ty + 100 * tz + 1000 * x + 10000 * y + 100000 * z)


@pytest.mark.parametrize("order", [0, 1])
def test_shared_memory_and_barriers(module, order):
    x = np.random.default_rng(0).standard_normal((5, 300)).astype(np.float32)
    out = np.zeros(5, np.float32)
    module.launch("block_sums", (5,), (256,), [x, out, 300], order=order)
    np.testing.assert_allclose(out, x.sum(1), rtol=1e-5)
    y, back = np.arange(100.0), np.zeros(100)
    module.launch("reversed", (1,), (100,), [y, back], shared=800, order=order)
    np.testing.assert_array_equal(back, y[::-1])


def test_warps(module):
    x = np.random.default_rng(1).standard_normal((3, 32))
    down, both, up, first = (np.zeros((3, 32)) for _ in range(4))
    module.launch("warp_sums", (1,), (96,), [x, down, both, up, first])
    np.testing.assert_allclose(down[:, 0], x.sum(1))
    np.testing.assert_allclose(both, np.broadcast_to(x.sum(1)[:, None], x.shape))
    np.testing.assert_allclose(up, x.cumsum(1))
    np.testing.assert_array_equal(first, np.repeat(x.reshape(3, 2, 16)[:, :, 8], 16, 1))


def test_votes(module):
    x = np.ones(64, np.int32)
    x[5], x[40] = 0, 9
    ballot, some, every, count = np.zeros(64, np.uint32), *(np.zeros(64, np.int32) for _ in range(3))
    module.launch("votes", (1,), (64,), [x, ballot, some, every, count])
    np.testing.assert_array_equal(ballot, [0xFFFFFFFF - 32] * 32 + [0xFFFFFFFF] * 32)
    np.testing.assert_array_equal(some, [2] * 32 + [3] * 32)
    np.testing.assert_array_equal(every, [2] * 32 + [3] * 32)
    np.testing.assert_array_equal(count, 63)


def test_threads_that_leave_count_as_arrived(module):
    out = np.zeros(64, np.float32)
    module.launch("early", (1,), (64,), [out, ctypes.c_int(40)])
    np.testing.assert_array_equal(out, [*np.arange(39, -1, -1) + 1, *[0] * 24])


def test_atomics(module):
    x = np.arange(256, dtype=np.int32)
    bins, most, total = np.zeros(4, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.uint64)
    module.launch("counted", (1,), (256,), [bins, x, most, total])
    assert bins.tolist() == [64] * 4 and most[0] == 255 and total[0] == x.sum()


@pytest.mark.parametrize("kernel, message", [
    ("unmatched", "unmatched: the threads of a block wait for each other"),
    ("differing", "differing: the lanes of a warp wait at different functions"),
    ("stopped", "stopped: trap (block 2 0 0, thread 1 0 0)"),
    ("reaching", "reaching: a thread touches memory that is not there"),
])
def test_what_would_hang_or_fault_is_reported(module, kernel, message):
    out = np.zeros(64, np.int32)
    with pytest.raises(EmulationError) as error:
        module.launch(kernel, (4,), (32 if kernel == "differing" else 64,), [out])
    assert message in str(error.value)
    module.launch("places", (1,), (32,), [np.zeros(10, np.int64), 10])  # the next launch is none the worse


def test_sizes_that_no_device_takes(module):
    with pytest.raises(EmulationError, match="1 to 1024 threads"):
        module.launch("places", (1,), (2048,), [np.zeros(1, np.int64), 0])
    with pytest.raises(EmulationError, match="no such grid"):
        module.launch("places", (0,), (32,), [np.zeros(1, np.int64), 0])
    with pytest.raises(EmulationError, match="too much shared memory"):
        module.launch("places", (1,), (32,), [np.zeros(1, np.int64), 0], shared=1 << 20)


def test_a_missing_barrier_shows_in_one_of_the_orders(module):
    wrong = []
    for order in (0, 1):
        out = np.zeros(64, np.int32)
        module.launch("racing", (1,), (64,), [out], order=order)
        wrong.append((out != np.roll(np.arange(64), -1)).any())
    assert any(wrong)


def test_kernels_are_found():
    assert kernels(TEXT)[:2] == ["places", "coordinates"] and len(kernels(TEXT)) == 13
