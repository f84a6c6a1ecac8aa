"""The C++ headers, called from small programs: what they read, how they share work, how totals are merged."""


import pytest
from compile_emit_helper import outcome

pytestmark = pytest.mark.skipif(__import__("shutil").which("g++") is None, reason="no g++")
START = '''
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "lamella/report.h"
#include "lamella/types.h"
#include "lamella/math.h"
#include "lamella/loops.h"
using namespace lamella;
'''


def run(body: str, before: str = "", flags: tuple[str, ...] = (), **environment: str) -> str:
    """What a program prints whose ``main`` is ``body``; it must end well."""
    done = outcome(f"{START}\n{before}\nint main() {{\n{body}\nreturn 0;\n}}\n", flags, **environment)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout


GUARDED = '''
#include <sys/mman.h>
#include "lamella/conv.h"
#define SIZES n, groups, ci, co, 1, 1, w, 1, 1, k, 1, 1, o, 1, 1, 1, 0, 0, 0, 1, 1, 1
// Numbers whose memory ends where reading is forbidden.
template <class T>
T* before_the_end(long count) {
    const long page = 4096, size = (count * sizeof(T) + page - 1) / page * page;
    char* at = (char*)mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(at + size, page, PROT_NONE);
    T* to = (T*)(at + size - count * sizeof(T));
    for (long i = 0; i < count; i++) to[i] = T(i % 7) - 3;
    return to;
}
template <class T>
void convolutions(long n, long groups, long ci, long co, long w, long k) {
    const long o = w - k + 1;
    T *x = before_the_end<T>(n * groups * ci * w), *weight = before_the_end<T>(groups * co * ci * k);
    T *out = before_the_end<T>(n * groups * co * o), *dx = before_the_end<T>(n * groups * ci * w);
    T* dw = before_the_end<T>(groups * co * ci * k);
    conv_forward<T>(SIZES, out, x, weight, nullptr);
    for (long i = 0; i < n * groups; i++)
        for (long c = 0; c < co; c++)
            for (long p = 0; p < o; p++) {
                T sum = 0;
                for (long b = 0; b < ci; b++)
                    for (long q = 0; q < k; q++)
                        sum += x[(i * ci + b) * w + p + q] * weight[((i % groups * co + c) * ci + b) * k + q];
                if (sum != out[(i * co + c) * o + p]) std::exit(3);
            }
    conv_backward_input<T>(SIZES, dx, out, weight, nullptr);
    conv_backward_weight<T>(SIZES, dw, nullptr, out, x);
}
'''


def test_convolutions_read_nothing_behind_their_tensors():
    run('''
    for (long n : {1, 2, 3, 9})
        for (long groups : {1, 2})
            for (long w : {1, 2, 5, 30})
                for (long k : {1, 2})
                    for (long c : {1, 3}) {
                        if (k > w) continue;
                        convolutions<float>(n, groups, c, 1, w, k);
                        convolutions<double>(n, groups, 1, c, w, k);
                    }
    ''', GUARDED)


def test_every_step_is_done_where_fewer_threads_come_than_were_asked_for():
    run('''
    for (long steps : {3, 100, 1000, 100000}) {
        std::vector<int> seen(steps);
        share(steps, 1e9, [&](long first, long last) { for (long i = first; i < last; ++i) seen[i]++; });
        for (long i = 0; i < steps; ++i) if (seen[i] != 1) return 3;
    }''', OMP_NUM_THREADS="4", OMP_THREAD_LIMIT="2")


MERGED = '''
template <class Total, class T>
auto whole(const std::vector<T>& x, double work) {
    Total total;
    share_totals(long(x.size()), work, [&](long first, long last, auto& total) {
        lanes(first, last, [&](long i, int lane) INLINE {
            if constexpr (std::is_same<decltype(total.result()), long>::value && !std::is_same<Total, Sum<long>>::value)
                total.add(lane, x[i], i);
            else
                total.add(lane, x[i]);
        }, total);
    }, total);
    return total.result();
}
template <class T>
bool same(T a, T b) { return a == b || (a != a && b != b); }
template <class T>
int check(const std::vector<T>& x) {
    T top = x[0], low = x[0];
    long at_top = 0, at_low = 0;
    for (long i = 1; i < long(x.size()); ++i) {
        if (x[i] > top || (x[i] != x[i] && top == top)) top = x[i], at_top = i;
        if (x[i] < low || (x[i] != x[i] && low == low)) low = x[i], at_low = i;
    }
    for (double work : {1.0, 1e7}) {
        if (!same(whole<Max<T>>(x, work), top) || !same(whole<Min<T>>(x, work), low)) return 3;
        if (whole<ArgMax<T>>(x, work) != at_top || whole<ArgMin<T>>(x, work) != at_low) return 4;
    }
    return 0;
}
'''


def test_merged_totals_equal_one_pass():
    run('''
    std::srand(7);
    for (long n : {1, 5, 33, 600, 9000})
        for (int kinds : {1, 2, 5, 1000})
            for (int odd : {0, 1, 3}) {
                std::vector<float> x(n);
                std::vector<int> whole(n);
                for (long i = 0; i < n; ++i) x[i] = whole[i] = std::rand() % kinds - kinds / 2;
                for (int k = 0; k < odd; ++k) x[std::rand() % n] = k == 2 ? -inf32 : nan32;
                if (int wrong = check(x)) return wrong;
                if (int wrong = check(whole)) return wrong;
            }
    ''', MERGED)


def test_sums_of_integers_wrap():
    printed = run('''
    const long top = std::numeric_limits<long>::max();
    std::vector<long> x(100000, top / 2);
    Sum<long> total;
    share_totals(long(x.size()), 1e9, [&](long first, long last, auto& total) {
        lanes(first, last, [&](long i, int lane) INLINE { total.add(lane, x[i]); }, total);
    }, total);
    long a[4] = {top, top, 3, 2}, b[4] = {top, 5, top, 2}, c[4];
    product<long>(1, 1, 2, 2, 2, a, 0, 0, 2, 1, b, 0, 0, 2, 1, c, 0, 0, 2);
    std::printf("%ld %ld %ld %ld %ld", total.result(), c[0], c[1], c[2], c[3]);
    ''', '#include "lamella/gemm.h"', ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"))
    top = 2**63 - 1
    want = [100000 * (top // 2), top * top + top * top, top * 5 + top * 2, 3 * top + 2 * top, 15 + 4]
    assert printed.split() == [str((n + 2**63) % 2**64 - 2**63) for n in want]
