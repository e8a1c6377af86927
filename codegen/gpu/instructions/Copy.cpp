// cp.async by LLVM's intrinsics.
#include "codegen/gpu/instructions/Copy.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

void copyAsync(Builder &builder, Value *shared, Value *global, unsigned bytes, Value *given) {
  // 16 bytes pass by the first cache, which threads of a block do not share them in.
  Intrinsic::ID id = bytes == 16  ? Intrinsic::nvvm_cp_async_cg_shared_global_16_s
                     : bytes == 8 ? Intrinsic::nvvm_cp_async_ca_shared_global_8_s
                                  : Intrinsic::nvvm_cp_async_ca_shared_global_4_s;
  builder.CreateIntrinsic(id, {shared, global, given});
}

void commitCopies(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, {});
}

void waitForCopies(Builder &builder, unsigned underWay) {
  builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group, builder.getInt32(underWay));
}

} // namespace weft::gpu
