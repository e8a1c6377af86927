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

/// What a program is linked from, loaded. It runs on the runtime of this process.
class NativeCode {
public:
  NativeCode();
  ~NativeCode();

  /// The objects for instruction sets that this machine runs. Empty, or what went wrong.
  std::optional<std::string> load(mlir::ModuleOp plan, const Target &target,
                                  llvm::ArrayRef<std::string> sets, CodeEffort effort);
  /// Code for a set of processors that this machine may lack: what it lacks is stood in for
  /// (tools/kernel/StandIn.h). The program has it as code for x86-64-v3.
  std::optional<std::string> loadStandIn(mlir::ModuleOp plan, llvm::StringRef set,
                                         CodeEffort effort);
  const WeftProgram &program() const { return *found; }
  /// The name by which the program has its code for `set`.
  std::string nameOf(const std::string &set) const;

private:
  std::optional<std::string> link();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const WeftProgram *found = nullptr;
  std::optional<WeftProgram> standing; ///< what is stood in for in the place of another set
};

/// The instruction sets of `target` that this machine runs, those that it gains by last: what a
/// program runs by that is not asked for another.
std::vector<std::string> setsOfMachine(const Target &target);
/// The instruction sets of `target` that are among `names`; all that this machine runs where there
/// are none. Of processors those too that it lacks (NativeCode::loadStandIn): a program that was
/// met on another machine is tried on this one as it was there.
std::vector<std::string> setsToTry(const Target &target, const std::vector<std::string> &names);
/// Those of `names` that this machine does not run, and why; "" where it runs all.
std::string whyNotThose(const std::vector<std::string> &names);
/// The same, and what a program that names them is tried on instead.
std::string aboutLacking(const Target &target, const std::vector<std::string> &names);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_NATIVECODE_H
