// Runs what the kernel builders emit, in this process.
#ifndef WEFT_TOOLS_KERNEL_JIT_H
#define WEFT_TOOLS_KERNEL_JIT_H

#include "codegen/cpu/base/IsaEmission.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace weft::trial {

/// A module of LLVM IR in the making, then in memory, through the passes of real programs. Where
/// the host lacks the instruction set, the same IR is compiled for the host's own: wide vectors are
/// split, the numbers stay.
class Jit {
public:
  explicit Jit(cpu::Isa isa);
  ~Jit();

  llvm::Module &module() { return *unit; }
  cpu::Isa isa() const { return set; }
  /// Optimizes and compiles, once, before `address`; gives false if the IR is not well formed.
  bool compile();
  /// Why the last call of the others gave false or null.
  const std::string &problem() const { return why; }
  /// The address of a function of the module; null if there is none.
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
  std::string optimized, why;
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_JIT_H
