// Tests only: CUDA text built by g++. A launch runs its blocks one after the other; the threads of a block are fibers
// that take turns at barriers and at what warps do together. Shared memory starts as NaN.
#pragma once

#include <cassert>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#define LAMELLA_EMULATED 1
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct uint3 { unsigned x, y, z; };
struct dim3 : uint3 {
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : uint3{x, y, z} {}
};

namespace emulated {

constexpr size_t stack_bytes = 256 << 10, shared_bytes = 228 << 10;
constexpr int most = 1024, lanes = 32;

// What a thread waits for: everybody, or its warp (at one of these functions).
enum Wait { nothing, block_barrier, warp_barrier, shuffle, ballot };

struct Thread {
    uint3 index;
    int number;
    Wait wait;
    bool alive;
    unsigned mask;           // of a wait with the warp: who is meant
    int source;              // of a shuffle: whose value is wanted
    uint64_t value, result;  // what it gives and gets
    void* stack;
#ifdef __x86_64__
    void* at;
#else
    ucontext_t at;
#endif
};

// One launch.
struct Launch {
    const char* kernel;
    uint3 grid, block;
    size_t shared;
    void** arguments;
    int order;  // 1: threads and blocks start from the last
};

static struct State {
    Thread threads[most], *self;
    int ready[most], first, waiting;  // a ring of threads that can go on
    int count, alive, arrived;
    uint64_t any, all, total;         // over the threads at the barrier
    uint3 block, block_size, grid_size;
    void* free_stacks[most];
    int free_count;
    void (*body)(void**);
    void** arguments;
    int order;
    char error[512];
    const char* kernel;
    alignas(256) unsigned char shared[shared_bytes];
    alignas(64) char signal_stack[64 << 10];
    sigjmp_buf escape;
#ifdef __x86_64__
    void* main;
#else
    ucontext_t main;
#endif
} s;

#ifdef __x86_64__
extern "C" void lamella_emulated_switch(void** save, void* load) __attribute__((visibility("hidden")));
__asm__(R"(
    .text
    .hidden lamella_emulated_switch
    .type lamella_emulated_switch, @function
lamella_emulated_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size lamella_emulated_switch, .-lamella_emulated_switch
)");
#endif

static __attribute__((noinline)) void to_main() {
#ifdef __x86_64__
    lamella_emulated_switch(&s.self->at, s.main);
#else
    swapcontext(&s.self->at, &s.main);
#endif
}

static void fail(const char* what, const char* more = "") {
    if (!s.error[0])
        std::snprintf(s.error, sizeof s.error, "%s: %s%s (block %u %u %u, thread %u %u %u)", s.kernel, what, more,
                      s.block.x, s.block.y, s.block.z, s.self->index.x, s.self->index.y, s.self->index.z);
}

[[noreturn]] static inline void stop(const char* what, const char* more = "") {
    fail(what, more);
    for (;;) to_main();
}

static void go_on(Thread& t) {
    t.wait = nothing;
    if (&t != s.self) s.ready[(s.first + s.waiting++) % most] = t.number;
}

// Let everybody through the barrier once all that live are there.
static void settle_block() {
    if (!s.arrived || s.arrived < s.alive) return;
    s.arrived = 0;
    for (int n = 0; n < s.count; ++n)
        if (s.threads[n].wait == block_barrier) {
            s.threads[n].result = s.any | s.all << 1 | s.total << 2;
            go_on(s.threads[n]);
        }
}

// The same for those of a warp who wait for each other: `whole` are the lanes of one wait.
static void settle_warp(int warp) {
    Thread* lane = s.threads + warp * lanes;
    int width = s.count - warp * lanes < lanes ? s.count - warp * lanes : lanes;
    for (int n = 0; n < width; ++n) {
        Thread& t = lane[n];
        if (!t.alive || t.wait < warp_barrier) continue;
        bool complete = true;
        uint64_t votes = 0;
        for (int k = 0; k < width; ++k) {
            if (!(t.mask >> k & 1) || !lane[k].alive) continue;
            if (lane[k].wait < warp_barrier) complete = false;
            else if (lane[k].wait != t.wait || lane[k].mask != t.mask)
                return fail("the lanes of a warp wait at different functions, or for different lanes");
            votes |= (lane[k].value != 0 ? uint64_t(1) : 0) << k;
        }
        if (!complete) continue;
        unsigned mask = t.mask;
        Wait wait = t.wait;
        for (int k = 0; k < width; ++k) {
            if (!(mask >> k & 1) || !lane[k].alive) continue;
            int from = lane[k].source;
            if (wait == ballot) lane[k].result = votes;
            if (wait == shuffle)
                lane[k].result = from < width && lane[from].alive && (mask >> from & 1) ? lane[from].value : ~uint64_t(0);
            go_on(lane[k]);
        }
    }
}

static void wait_here() {
    while (s.self->wait != nothing || s.error[0]) to_main();
    __asm__ volatile("" ::: "memory");
}

// Bit 0: whether one voted, bit 1: whether all did, and above how many.
static __attribute__((noinline)) uint64_t barrier(bool vote = false) {
    __asm__ volatile("" ::: "memory");
    if (!s.arrived) s.any = 0, s.all = 1, s.total = 0;
    s.any |= vote;
    s.all &= vote;
    s.total += vote;
    ++s.arrived;
    s.self->wait = block_barrier;
    settle_block();
    wait_here();
    return s.self->result;
}

static __attribute__((noinline)) uint64_t warp(Wait what, unsigned mask, uint64_t value, int source) {
    __asm__ volatile("" ::: "memory");
    Thread& t = *s.self;
    int lane = t.number % lanes;
    if (!(mask >> lane & 1)) stop("a lane is not in the mask that it waits with");
    t.mask = mask;
    t.value = value;
    t.source = source;
    t.wait = what;
    settle_warp(t.number / lanes);
    wait_here();
    return t.result;
}

static void run_thread() {
    s.body(s.arguments);
    s.self->alive = false;
    --s.alive;
    settle_block();
    settle_warp(s.self->number / lanes);
    s.free_stacks[s.free_count++] = s.self->stack;
    s.self->stack = nullptr;
    for (;;) to_main();
}

static void start(Thread& t) {
    if (s.free_count) t.stack = s.free_stacks[--s.free_count];
    else t.stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t.stack == MAP_FAILED) std::abort();
#ifdef __x86_64__
    void** top = reinterpret_cast<void**>(static_cast<char*>(t.stack) + stack_bytes) - 2;
    *top = reinterpret_cast<void*>(&run_thread);
    t.at = top - 6;  // six registers, then the address that the switch returns to
#else
    getcontext(&t.at);
    t.at.uc_stack.ss_sp = t.stack;
    t.at.uc_stack.ss_size = stack_bytes;
    t.at.uc_link = nullptr;
    makecontext(&t.at, &run_thread, 0);
#endif
}

static void resume(Thread& t) {
    s.self = &t;
    if (!t.stack) start(t);
#ifdef __x86_64__
    lamella_emulated_switch(&s.main, t.at);
#else
    swapcontext(&s.main, &t.at);
#endif
}

static void free_stacks() {
    for (int n = 0; n < s.count; ++n)
        if (s.threads[n].stack) s.free_stacks[s.free_count++] = s.threads[n].stack, s.threads[n].stack = nullptr;
}

static void run_block(size_t shared) {
    s.first = s.arrived = 0;
    s.alive = s.waiting = s.count;
    std::memset(s.shared, 0xff, shared);
    for (int n = 0; n < s.count; ++n) {
        Thread& t = s.threads[n];
        unsigned x = s.block_size.x, y = s.block_size.y;
        t.index = {n % x, n / x % y, n / x / y};
        t.number = n;
        t.alive = true;
        t.wait = nothing;
        s.ready[n] = s.order ? s.count - 1 - n : n;
    }
    while (s.waiting && !s.error[0]) {
        int next = s.ready[s.first];
        s.first = (s.first + 1) % most;
        --s.waiting;
        resume(s.threads[next]);
    }
    if (s.alive && !s.error[0])
        fail("the threads of a block wait for each other and none can go on", s.arrived ? " (some at __syncthreads)" : "");
    free_stacks();
}

static const char* run(void (*body)(void**), const Launch& l) {
    s.kernel = l.kernel;
    s.error[0] = 0;
    s.body = body;
    s.arguments = l.arguments;
    s.order = l.order;
    s.block_size = l.block;
    s.grid_size = l.grid;
    s.self = s.threads;
    s.block = s.threads[0].index = {0, 0, 0};
    uint64_t threads = uint64_t(l.block.x) * l.block.y * l.block.z;
    uint64_t blocks = uint64_t(l.grid.x) * l.grid.y * l.grid.z;
    s.count = int(threads);
    if (!threads || threads > most || l.block.z > 64) fail("a block has 1 to 1024 threads");
    else if (!blocks || l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535) fail("no such grid");
    else if (l.shared > shared_bytes) fail("too much shared memory");
    for (uint64_t n = 0; n < blocks && !s.error[0]; ++n) {
        uint64_t b = l.order ? blocks - 1 - n : n;
        s.block = {unsigned(b % l.grid.x), unsigned(b / l.grid.x % l.grid.y), unsigned(b / l.grid.x / l.grid.y)};
        run_block(l.shared);
    }
    return s.error[0] ? s.error : nullptr;
}

// A thread touched memory that nobody has: that ends the launch.
static void fault(int, siginfo_t* info, void*) {
    char where[40];
    std::snprintf(where, sizeof where, "%p", info->si_addr);
    fail("a thread touches memory that is not there: ", where);
    siglongjmp(s.escape, 1);
}

static const char* run_guarded(void (*body)(void**), const Launch& l) {
    struct sigaction mine = {}, old[2];
    stack_t stack = {s.signal_stack, 0, sizeof s.signal_stack}, old_stack;
    mine.sa_sigaction = fault;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaltstack(&stack, &old_stack);
    sigaction(SIGSEGV, &mine, old);
    sigaction(SIGBUS, &mine, old + 1);
    const char* error = s.error;
    if (!sigsetjmp(s.escape, 1)) error = run(body, l);
    else free_stacks();
    sigaction(SIGSEGV, old, nullptr);
    sigaction(SIGBUS, old + 1, nullptr);
    sigaltstack(&old_stack, nullptr);
    return error;
}

// The body of a launch for a kernel of any signature.
template <auto kernel, class... Args, size_t... n>
static void call(void (*)(Args...), void** arguments, std::index_sequence<n...>) {
    kernel(*static_cast<std::remove_const_t<Args>*>(arguments[n])...);
}
template <auto kernel>
struct Caller;
template <class... Args, void (*kernel)(Args...)>
struct Caller<kernel> {
    static void body(void** arguments) { call<kernel>(kernel, arguments, std::index_sequence_for<Args...>()); }
};

}  // namespace emulated

// A function that launches a kernel: returns what went wrong, or null.
#define LAMELLA_LAUNCHER(kernel) \
    extern "C" const char* kernel##_launch(const emulated::Launch* l) { \
        return emulated::run_guarded(emulated::Caller<&kernel>::body, *l); \
    }

#define threadIdx (emulated::s.self->index)
#define blockIdx (emulated::s.block)
#define blockDim (emulated::s.block_size)
#define gridDim (emulated::s.grid_size)
#define warpSize 32

#include "cuda_host_functions.h"
