// What code can be made for: how its kernels lie in memory, and how a plan becomes code.
#ifndef WEFT_CODEGEN_TARGET_H
#define WEFT_CODEGEN_TARGET_H

#include "ir/model/StorageType.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace weft {

/// `quick` leaves out optimizations and computes the same: for tests, which compile much and run
/// little.
enum class CodeEffort { full, quick };

/// A module as an object file, or as one of its target's texts.
struct EmittedCode {
  std::string name; // "x86-64-v3", "avx512", "program"
  llvm::SmallVector<char, 0> bytes;
};

/// A planned module on its way to code. The jobs know nothing of each other, nor of other modules'
/// jobs, and want large stacks; `finish` comes after them. Each is called once, while the module is
/// there.
struct LoweredCode {
  std::vector<std::function<void()>> jobs;
  std::function<mlir::FailureOr<std::vector<EmittedCode>>()> finish;
};

/// By which symbol a program is found (WeftProgram of runtime/Abi.h), and the symbol of the one
/// behind it: the same model for another target. Empty: there is none.
struct ProgramSymbols {
  std::string own = "weft_program", next;
};

/// The form of code that is linked with the runtime.
inline constexpr llvm::StringLiteral objectForm = "object";

/// Those of a target whose kernels read and write memory through `emit::Stored`.
inline constexpr model::StorageType allStorageTypes[] = {
    model::StorageType::float32, model::StorageType::int32, model::StorageType::byte,
    model::StorageType::bfloat16};

/// A kind of machine. The stages up to `fused` know of none; from `kernel` on, a module is for one.
class Target {
public:
  virtual ~Target() = default;

  /// As `--target` takes it.
  virtual llvm::StringRef name() const = 0;
  /// Passes of the kernel stage that are not run: they make panels or schedules that this target
  /// does not read.
  virtual llvm::ArrayRef<llvm::StringRef> passesLeftOut() const = 0;
  /// The dialect of its kernels' schedules (`ir/cpu`, `ir/cuda`); empty: they have none.
  virtual llvm::StringRef schedules() const = 0;
  /// How elements may lie in the memory of its kernels.
  virtual llvm::ArrayRef<model::StorageType> storageTypes() const = 0;
  /// The instruction sets that a program may carry code for, as `--isa` and WEFT_ISA take them.
  virtual llvm::ArrayRef<llvm::StringRef> instructionSets() const = 0;
  /// Whether a planned module has other kernels for that set than for the one before it: those that
  /// nobody asked for are left out of a program where not.
  virtual bool gainsBy(mlir::ModuleOp, llvm::StringRef) const { return true; }
  /// The texts that its code can be looked at as: `weft show --at llvm`.
  virtual llvm::ArrayRef<llvm::StringRef> texts() const = 0;
  /// Archives of the runtime (runtime/Archives.h) that its objects are linked with: "weft_NAME".
  virtual llvm::ArrayRef<llvm::StringRef> archives() const { return {}; }
  /// Code of a planned module in `form` (objectForm or one of `texts`) for these of its instruction
  /// sets. Together the objects have the program under its symbol. Fails with diagnostics on the
  /// ops at fault.
  virtual mlir::FailureOr<LoweredCode> lower(mlir::ModuleOp plan, llvm::StringRef form,
                                             llvm::ArrayRef<std::string> sets, CodeEffort effort,
                                             const ProgramSymbols &symbols = {}) const = 0;
  /// The same, with the jobs done.
  mlir::FailureOr<std::vector<EmittedCode>> emit(mlir::ModuleOp plan, llvm::StringRef form,
                                                 llvm::ArrayRef<std::string> sets,
                                                 CodeEffort effort) const;
};

/// Whether its kernels read panels, and so weights that are whole numbers, which share scales there
/// only.
inline bool readsPanels(const Target &target) {
  return !llvm::is_contained(target.passesLeftOut(), "weft-pack-operands");
}

/// x86-64 through LLVM.
const Target &cpuTarget();
/// PTX for NVIDIA GPUs, and the same on this machine.
const Target &cudaTarget();
const Target &emulatedTarget();
/// Portable C.
const Target &cTarget();

/// All of them, the default one first.
llvm::ArrayRef<const Target *> targets();
/// Null if there is none of that name.
const Target *targetNamed(llvm::StringRef name);
/// "`cpu`, `c`"
std::string targetNames();
/// The one whose code has this text, or null.
const Target *targetWithText(llvm::StringRef text);

} // namespace weft

#endif // WEFT_CODEGEN_TARGET_H
