// TMA by LLVM's intrinsics.
#include "codegen/gpu/instructions/Tensor.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

void loadTile(Builder &builder, const SharedTile &tile, TensorMapArgument map, Mbarrier counts,
              ArrayRef<Value *> coordinates, Value *blocks) {
  const Intrinsic::ID ids[] = {Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_1d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_2d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_3d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_4d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_g2s_tile_5d};
  SmallVector<Value *> arguments = {
      builder.CreateAddrSpaceCast(tile.base, builder.getPtrTy(clusterSpace)), counts.address,
      map.pointer};
  append_range(arguments, coordinates);
  arguments.append({blocks ? blocks : builder.getInt16(0), builder.getInt64(0),
                    builder.getInt1(blocks), builder.getInt1(false), builder.getInt32(0)});
  builder.CreateIntrinsic(ids[coordinates.size() - 1], arguments);
}

void storeTile(Builder &builder, const SharedTile &tile, TensorMapArgument map,
               ArrayRef<Value *> coordinates) {
  const Intrinsic::ID ids[] = {Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_1d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_2d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_3d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_4d,
                               Intrinsic::nvvm_cp_async_bulk_tensor_s2g_tile_5d};
  SmallVector<Value *> arguments = {tile.base, map.pointer};
  append_range(arguments, coordinates);
  arguments.append({builder.getInt64(0), builder.getInt1(false)});
  builder.CreateIntrinsic(ids[coordinates.size() - 1], arguments);
}

void commitStores(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_bulk_commit_group, {});
}

void waitForStores(Builder &builder, unsigned underWay) {
  builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_bulk_wait_group_read,
                          builder.getInt32(underWay));
}

void crossToCopies(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_fence_proxy_async_shared_cta, {});
}

void prefetchMap(Builder &builder, TensorMapArgument map) {
  builder.CreateIntrinsic(Intrinsic::nvvm_prefetch_tensormap, {map.pointer->getType()},
                          {map.pointer});
}

} // namespace weft::gpu
