// A planned module as machine code in this process.
#ifndef WEFT_TOOLS_REDUCE_COMPILED_NATIVECODE_H
#define WEFT_TOOLS_REDUCE_COMPILED_NATIVECODE_H

#include "codegen/Target.h"
#include "runtime/Abi.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace weft::reduce {

/// The objects that a program is linked from, loaded. They run on the runtime of this process.
class NativeCode {
public:
  NativeCode();
  ~NativeCode();

  /// Empty, or what went wrong.
  std::optional<std::string> load(mlir::ModuleOp plan, const Target &target,
                                  llvm::ArrayRef<std::string> sets, CodeEffort effort);
  const WeftProgram &program() const { return *found; }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  const WeftProgram *found = nullptr;
};

/// The instruction sets of `target` that this machine runs, by these names; all where none is
/// named, or none of those is run here: a program that was met on another machine is tried on this
/// one too. The last is what a program runs by that is not asked for another, if it is among them.
std::vector<std::string> setsOfMachine(const Target &target, const std::vector<std::string> &names);
/// Which of `names` this machine does not run, and why; "" where it runs all.
std::string whyNotThose(const std::vector<std::string> &names);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_NATIVECODE_H
