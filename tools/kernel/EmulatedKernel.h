// One `kernel.fused`, compiled for a GPU and run on the emulator in this process.
#ifndef WEFT_TOOLS_KERNEL_EMULATEDKERNEL_H
#define WEFT_TOOLS_KERNEL_EMULATEDKERNEL_H

#include "codegen/gpu/Emulate.h"
#include "codegen/gpu/Kernels.h"
#include "runtime/Abi.h"
#include "runtime/emulator/Launch.h"
#include "tools/kernel/Interpreted.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <map>
#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace weft::trial {

/// The last kernel of a module with its dimensions. Its schedule is what it says for the device,
/// else the default.
class EmulatedKernel {
public:
  /// What is changed in the code as its builder made it: a fault that a test plants.
  using Change = std::function<void(llvm::Module &)>;
  /// `accesses`: whether races can be looked for, and plain accesses counted. Buffers will lie at
  /// multiples of `alignment` bytes, and of no more; 0: of the size of their elements.
  EmulatedKernel(mlir::ModuleOp module, const cuda::Device &device, bool accesses = true,
                 int64_t alignment = 0, const Change &change = nullptr);
  ~EmulatedKernel();

  /// Why there is no code, with the diagnostics on the kernel.
  const std::optional<std::string> &problem() const { return why; }
  kernel::FusedOp op() const { return kernel; }
  const std::string &ptx() const { return text; }
  /// How often it is launched; the others begin where the one before has ended. Some may have no
  /// blocks at these sizes.
  size_t launches() const { return phases.size(); }
  int64_t blocks(const Sizes &sizes, size_t launch = 0) const {
    return phases[launch].blocks(numbered(sizes).data());
  }
  /// The first that has some.
  size_t firstLaunch(const Sizes &sizes) const;
  unsigned threadsOfBlock(size_t launch = 0) const { return phases[launch].shape.threads; }
  /// Bytes that all launches have in common.
  int64_t scratchBytes(const Sizes &sizes) const { return countScratch(numbered(sizes).data()); }
  /// Bytes of shared memory that a block has.
  size_t sharedBytes(size_t launch = 0) const { return phases[launch].shared; }

  struct Outcome {
    std::vector<Tensor> results;
    std::vector<emulator::Counts> counts; ///< of each launch
    std::optional<std::string> problem;   ///< as the emulator says it, or what was written over
  };
  /// Runs it on buffers between guards. `inPlace` maps a result to the operand whose buffer it has.
  Outcome run(const Sizes &sizes, const std::vector<Tensor> &inputs, const emulator::Mode &mode,
              RandomKey random = {}, const std::map<unsigned, unsigned> &inPlace = {});

private:
  using Count = int64_t(const int64_t *);
  /// A launch.
  struct Phase {
    emulator::Kernel code = nullptr;
    gpu::LaunchShape shape;
    size_t shared = 0;
    Count *blocks = nullptr;
    decltype(WeftDeviceKernel::describe) describe = nullptr;
  };
  std::optional<std::string> compile(const cuda::Device &device, bool accesses,
                                     const Change &change);
  std::vector<int64_t> numbered(const Sizes &sizes) const;
  void launch(const Phase &phase, const std::vector<int64_t> &numbers,
              const std::vector<void *> &buffers, const void *scratch, const emulator::Mode &mode,
              Outcome &outcome) const;
  /// What the emulator says, with instructions in place of their numbers.
  std::string explained(const std::string &said) const;

  kernel::DimTable table;
  kernel::FusedOp kernel;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  gpu::Sites sites;
  std::string text;
  std::optional<std::string> why;
  int64_t alignment;
  std::vector<Phase> phases;
  Count *countScratch = nullptr;
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_EMULATEDKERNEL_H
