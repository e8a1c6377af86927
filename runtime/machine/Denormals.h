// Denormal numbers count as zero while compiled code runs: masked lanes made attention 30 times
// slower.
#ifndef WEFT_RUNTIME_MACHINE_DENORMALS_H
#define WEFT_RUNTIME_MACHINE_DENORMALS_H

#include <xmmintrin.h>

namespace weft::runtime {

/// Flush-to-zero and denormals-are-zero for the calling thread, for good.
inline void ignoreDenormals() {
  _mm_setcsr(_mm_getcsr() | 0x8040);
}

/// The same for a scope: a host program keeps its own arithmetic.
class DenormalsIgnored {
public:
  DenormalsIgnored() : before(_mm_getcsr()) { ignoreDenormals(); }
  ~DenormalsIgnored() { _mm_setcsr(before); }
  DenormalsIgnored(const DenormalsIgnored &) = delete;

private:
  unsigned before;
};

/// Arithmetic as C++ has it, for a scope on a thread that ignores them.
class DenormalsKept {
public:
  DenormalsKept() : before(_mm_getcsr()) { _mm_setcsr(before & ~0x8040u); }
  ~DenormalsKept() { _mm_setcsr(before); }
  DenormalsKept(const DenormalsKept &) = delete;

private:
  unsigned before;
};

} // namespace weft::runtime
#endif
