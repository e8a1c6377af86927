// A program for a GPU while it is written: what runs on the device, and what the host computes of
// sizes.
#ifndef WEFT_CODEGEN_GPU_BASE_DEVICEEMISSION_H
#define WEFT_CODEGEN_GPU_BASE_DEVICEEMISSION_H

#include "codegen/emit/Frame.h"
#include "codegen/gpu/base/DeviceMath.h"
#include "ir/cuda/Schedules.h"

#include <memory>

namespace weft::gpu {

using namespace weft::kernel;
using namespace weft::emit;

/// What a launch has of each block.
struct LaunchShape {
  unsigned threads = 0;
  unsigned shared = 0;  ///< bytes of memory beside what the kernel declares
  unsigned cluster = 1; ///< blocks that run together
  unsigned maps = 0;    ///< tensors of which tiles are copied
  /// Blocks that a multiprocessor is to hold at least: threads may have the registers that are left
  /// then. 0: as many as the assembler likes, which spills a few rather than to lose a block.
  unsigned resident = 1;
};

/// The module of a device, which has no vectors: its threads are the lanes.
struct DeviceEmission : Emission {
  /// What `kernel` makes: kernels, or functions of one kernel that runs several (Joined.h).
  enum class Kind { kernels, parts };
  const cuda::Device &device;
  const Kind kind;

  DeviceEmission(llvm::Module &module, const DimTable &dims, const cuda::Device &device,
                 Kind kind = Kind::kernels)
      : Emission(module, /*lanes=*/1, dims), device(device), kind(kind) {
    own = ownFunction;
  }
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type) override;
  /// A kernel (WeftDeviceKernel in runtime/Abi.h) for blocks of exactly so many threads:
  /// void(sizes by value, addresses of buffers by value, address of scratch, descriptions of
  /// tensors by value). As a part, its own internal function that takes addresses of sizes and of
  /// buffers, that of scratch, and i32, which block it is of how many.
  llvm::Function *kernel(llvm::StringRef name, unsigned buffers, const LaunchShape &shape);
  /// How many numbers `sizes` has.
  unsigned sizes() const;
};

struct Emissions {
  DeviceEmission &device;
  Emission &host;
};

/// What an entry needs of a kernel. The functions are the host's: i64(ptr sizes).
struct DeviceKernel {
  llvm::StringRef name; ///< of the kernel in the device's module
  unsigned buffers = 0; ///< operands, results, then what it draws random numbers from if it does
  LaunchShape shape;
  llvm::Function *blocks = nullptr;
  llvm::Function *scratch = nullptr;  ///< bytes for all blocks together
  llvm::Function *describe = nullptr; ///< WeftDeviceKernel's; null where there are no maps
  /// What is launched behind it, on the same buffers and the same scratch, where all that the
  /// blocks have left there is seen; null: nothing.
  std::shared_ptr<const DeviceKernel> then = {};
  /// Of a part: blocks and scratch as functions of the device's module, and the part itself.
  struct Part {
    llvm::Function *body = nullptr, *blocks = nullptr, *scratch = nullptr;
  } part = {};
  std::optional<llvm::SmallVector<unsigned>> reads = {}; ///< numbers of sizes; none: it may be any
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_DEVICEEMISSION_H
