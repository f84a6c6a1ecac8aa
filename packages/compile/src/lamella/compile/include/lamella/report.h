// What a segment returns when a check fails, and the signature that all segments have.
#pragma once

namespace lamella {

// Filled by the first check that fails; the segment then returns a value other than 0.
struct Report {
    const char* kernel;  // name of the kernel, or the operator's name
    long value;          // the index that was out of range
    long size;           // the size that it must lie in
};

typedef int (*Segment)(char** bufs, const long* symbols, const double* scalars, Report* report);

inline int fail(Report* report, const char* kernel, long value, long size) {
    report->kernel = kernel;
    report->value = value;
    report->size = size;
    return 1;
}

}  // namespace lamella
