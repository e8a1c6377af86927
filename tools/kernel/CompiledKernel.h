// One `kernel.fused`, compiled for one instruction set in this process.
#ifndef WEFT_TOOLS_KERNEL_COMPILEDKERNEL_H
#define WEFT_TOOLS_KERNEL_COMPILEDKERNEL_H

#include "codegen/cpu/Kernels.h"
#include "runtime/Abi.h"
#include "tools/kernel/Jit.h"
#include "tools/kernel/NamedTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace weft::trial {

/// A module that holds `op` and the dimensions of its program, and nothing else.
mlir::OwningOpRef<mlir::ModuleOp> alone(kernel::FusedOp op);

/// The last kernel of a module with its dimensions. Its schedule is what it says for the
/// instruction set, else the default.
class CompiledKernel {
public:
  CompiledKernel(mlir::ModuleOp module, cpu::Isa isa);

  /// Why there is no code, with the diagnostics on the kernel.
  const std::optional<std::string> &problem() const { return why; }
  kernel::FusedOp op() const { return kernel; }

  /// WeftKernel of runtime/Abi.h.
  using Run = void(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end,
                   char *scratch);
  /// Of its tasks, or of its second launch.
  struct Launch {
    Run *run;
    int64_t tasks;
  };
  /// One after the other; one or two.
  std::vector<Launch> launches(const std::vector<int64_t> &sizes) const;
  /// The sizes by number, as the code takes them; static ones come from the program.
  std::vector<int64_t> numbered(const Sizes &sizes) const;
  int64_t tasks(const Sizes &sizes) const { return tasks(numbered(sizes)); }
  /// Of the first launch.
  int64_t tasks(const std::vector<int64_t> &sizes) const { return countTasks(sizes.data()); }
  /// Of one worker.
  int64_t scratchBytes(const Sizes &sizes) const { return countScratch(numbered(sizes).data()); }
  /// Of what its two launches share: the buffer behind the results. 0 where it is one launch.
  int64_t sharedBytes(const Sizes &sizes) const {
    return countShared ? countShared(numbered(sizes).data()) : 0;
  }
  /// How launches of several runs can be one; null where they cannot.
  const WeftRows *rows() const { return ofRuns; }
  const kernel::DimTable &dims() const { return table; }
  /// The optimized LLVM IR.
  const std::string &llvm() const { return jit.text(); }

private:
  using Count = int64_t(const int64_t *);
  std::optional<std::string> compile(cpu::Isa isa);

  kernel::DimTable table;
  kernel::FusedOp kernel;
  Jit jit;
  std::optional<std::string> why;
  const WeftRows *ofRuns = nullptr;
  Run *run = nullptr, *join = nullptr;
  Count *countTasks = nullptr, *countScratch = nullptr, *countJoins = nullptr,
        *countShared = nullptr;
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_COMPILEDKERNEL_H
