// Faults planted in a kernel that a test builds by hand.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_PLANTEDFAULTS_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_PLANTEDFAULTS_H

#include "tests/unit/codegen/gpu/EmulatedKernel.h"
#include "tests/unit/codegen/gpu/Mutation.h"

namespace weft::test {

/// Plants each fault in what `build` makes, and runs it as `run` does.
void expectFound(llvm::ArrayRef<Mutant> mutants, const Builds &build, const char *architecture,
                 const std::function<std::string(EmulatedKernel &, uint64_t seed)> &run);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_PLANTEDFAULTS_H
