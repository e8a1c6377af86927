// The instructions that LLVM has no intrinsic for: their texts are here alone, for those who write
// them and for the emulator, which reads them.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_ASSEMBLY_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_ASSEMBLY_H

#include "codegen/gpu/instructions/Tile.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>

namespace weft::gpu {

/// wgmma.mma_async: 64 rows by `columns` by as deep as 32 bytes are, the right side and, unless it
/// is in registers, the left one in shared memory.
struct GroupProduct {
  unsigned columns = 0; ///< 8 to 256, a multiple of 8
  Element element = Element::bfloat16;
  bool leftInRegisters = false;
  bool leftTransposed = false, rightTransposed = false; ///< of 16-bit numbers only
  bool keeps = true;                                    ///< adds to the sums that there are

  unsigned registers() const { return columns / 2; }
  std::string text() const;
  /// Of the sums, of a left side in registers, and of descriptors.
  std::string constraints() const;
  static std::optional<GroupProduct> parsed(llvm::StringRef text);
};

/// wgmma.wait_group behind which registers that it names may be read: `sums` floats, and `others`
/// that products read.
struct GroupWait {
  unsigned underWay = 0, sums = 0, others = 0;

  std::string text() const;
  std::string constraints() const;
  static std::optional<unsigned> parsed(llvm::StringRef text); ///< under way
};

/// tanh.approx.f32
extern const llvm::StringRef tanhText, tanhConstraints;

/// cvt.rn.bf16x2.f32: two floats as bf16, to nearest even, in an i32. What LLVM's intrinsic gives
/// is of the type bfloat, which for a processor without it becomes calls of functions that no
/// program has: here numbers of 16 bits are bits.
extern const llvm::StringRef narrowText;
llvm::Value *narrowed(llvm::IRBuilderBase &builder, llvm::Value *low, llvm::Value *high);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_ASSEMBLY_H
