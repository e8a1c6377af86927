// Faults planted in a kernel that a test builds by hand.
#include "tests/unit/codegen/gpu/PlantedFaults.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace weft::test {

void expectFound(ArrayRef<Mutant> mutants, const Builds &build, const char *architecture,
                 const std::function<std::string(EmulatedKernel &, uint64_t seed)> &run) {
  {
    EmulatedKernel kernel(built(build), architecture);
    for (uint64_t seed = 0; seed < orders; ++seed)
      EXPECT_EQ(run(kernel, seed), "") << "without a fault, seed " << seed;
  }
  for (const Mutant &mutant : mutants) {
    KernelModule planted = built([&](Module &module) {
      build(module);
      mutant.plant(module);
    });
    EmulatedKernel kernel(std::move(planted), architecture);
    mutant.expectIn(firstSaid([&](uint64_t seed) { return run(kernel, seed); }));
  }
}

} // namespace weft::test
