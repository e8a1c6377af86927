// A kernel in this process: built, optimized as for a device, and run on the emulator.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_EMULATEDKERNEL_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_EMULATEDKERNEL_H

#include "codegen/gpu/Emulate.h"
#include "runtime/emulator/Launch.h"
#include "tests/unit/codegen/gpu/Assembled.h"

#include "llvm/IR/Module.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT; // a header of two seconds, in every test of a kernel
}

namespace weft::test {

/// A module with one kernel, `k`.
class KernelModule {
public:
  KernelModule() : context(std::make_unique<llvm::LLVMContext>()) {}
  /// Of its text, without the line that says the target.
  static KernelModule parsed(const std::string &text);

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// What builds `k` in an empty module.
using Builds = std::function<void(llvm::Module &module)>;
KernelModule built(const Builds &builds);

class EmulatedKernel {
public:
  explicit EmulatedKernel(KernelModule given, const gpu::EmulateOptions &options = {});
  /// Optimized for this architecture first, as what becomes PTX is.
  EmulatedKernel(KernelModule given, const char *architecture,
                 const gpu::EmulateOptions &options = {});
  ~EmulatedKernel();

  /// What goes wrong, or "".
  std::string run(std::vector<void *> arguments, const emulator::Grid &grid,
                  const emulator::Mode &mode);

  std::string refusal;
  gpu::Sites sites;
  emulator::Counts counts; ///< of the last run

private:
  void compile(KernelModule given, const gpu::EmulateOptions &options);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  emulator::Kernel kernel = nullptr;
};

/// Seeds that every kernel runs under: both orders, and some that are new each time.
std::vector<uint64_t> seeds(int fresh = 4);

/// PTX of a kernel for an architecture.
std::string ptxFor(KernelModule given, const char *architecture);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_EMULATEDKERNEL_H
