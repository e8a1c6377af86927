// Runs what the kernel builders emit, in this process.
#ifndef WEFT_TESTS_UNIT_CODEGEN_JIT_H
#define WEFT_TESTS_UNIT_CODEGEN_JIT_H

#include "codegen/cpu/base/Emission.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace weft::test {

/// A module of LLVM IR in the making, then in memory, through the passes of real programs. Where
/// the host lacks the instruction set, the same IR is compiled for the host's own: wide vectors are
/// split, the numbers stay.
class Jit {
public:
  explicit Jit(cpu::Isa isa);
  ~Jit();

  llvm::Module &module() { return *unit; }
  cpu::Isa isa() const { return set; }
  /// Optimizes and compiles; fails the test and gives false if the IR is not well formed. Once,
  /// before `address`.
  bool compile();
  /// The address of a function of the module.
  void *address(llvm::StringRef name);
  template <class Function> Function *function(llvm::StringRef name) {
    return reinterpret_cast<Function *>(address(name));
  }
  /// The optimized IR, for looking at.
  const std::string &text() const { return optimized; }

private:
  cpu::Isa set;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> unit;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string optimized;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_JIT_H
