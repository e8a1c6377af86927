// One kernel of a GPU on trial on the emulator: how far it is from the interpreter, and how long a
// device is predicted to take.
#ifndef WEFT_TOOLS_KERNEL_EMULATEDTRIAL_H
#define WEFT_TOOLS_KERNEL_EMULATEDTRIAL_H

#include "runtime/emulator/prediction/Prediction.h"
#include "tools/kernel/EmulatedKernel.h"

#include "mlir/IR/OwningOpRef.h"

namespace weft::trial {

class EmulatedTrial {
public:
  /// A copy of `op`, with its layouts, for an image. Its schedule is what it says, else the
  /// default.
  EmulatedTrial(kernel::FusedOp op, const cuda::Device &image);

  /// Why there is no code, or what the emulator has said of the last run.
  const std::optional<std::string> &problem() const { return why; }
  /// Of the first launch that has blocks at these sizes.
  int64_t blocks(const Sizes &sizes) const {
    return compiled.blocks(sizes, compiled.firstLaunch(sizes));
  }
  unsigned threadsOfBlock(const Sizes &sizes) const {
    return compiled.threadsOfBlock(compiled.firstLaunch(sizes));
  }
  size_t sharedBytes(const Sizes &sizes) const {
    return compiled.sharedBytes(compiled.firstLaunch(sizes));
  }

  /// The largest `difference` of a result from what the float64 interpreter gives, in several
  /// orders of warps, in which races are looked for. Nothing if the interpreter or the emulator
  /// refuses.
  std::optional<double> check(const Sizes &sizes);

  struct Predicted {
    emulator::Counts counts;
    emulator::Prediction time;
    uint64_t bytes = 0; ///< of operands and results, each element that is read once
  };
  /// What all launches of one run do, counted, and how long the device would take for that. Nothing
  /// if the emulator refuses.
  std::optional<Predicted> predict(const Sizes &sizes, const emulator::Device &device,
                                   unsigned workers);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  EmulatedKernel compiled;
  std::optional<std::string> why;
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_EMULATEDTRIAL_H
