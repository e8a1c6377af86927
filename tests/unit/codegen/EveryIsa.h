// Tests that run once for every instruction set.
#ifndef WEFT_TESTS_UNIT_CODEGEN_EVERYISA_H
#define WEFT_TESTS_UNIT_CODEGEN_EVERYISA_H

#include "KernelHarness.h"

namespace weft::cpu {

inline void PrintTo(Isa isa, std::ostream *out) {
  constexpr const char *names[] = {"v3", "avx512", "avx512bf16", "amx"};
  *out << names[int(isa)];
}

} // namespace weft::cpu

namespace weft::test {

/// A suite of kernels, by their text. Instantiate with everyIsa() and isaName.
class EveryIsa : public testing::TestWithParam<cpu::Isa> {
protected:
  Kernel kernel(const std::string &text) { return Kernel(GetParam(), text); }
};

/// Those that have schedules of their own. What else there is differs in products of bfloat16 only.
inline auto everyIsa() {
  return testing::Values(cpu::Isa::x86_64_v3, cpu::Isa::avx512);
}
inline auto everyIsaOfProducts() {
  return testing::Values(cpu::Isa::x86_64_v3, cpu::Isa::avx512, cpu::Isa::avx512_bf16,
                         cpu::Isa::amx);
}

inline std::string isaName(const testing::TestParamInfo<cpu::Isa> &info) {
  return testing::PrintToString(info.param);
}

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_EVERYISA_H
