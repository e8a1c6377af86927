// Descriptors, and wgmma as assembly whose waits hand over every register that was pending.
#include "codegen/gpu/instructions/Group.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

/// PTX ISA, "Matrix descriptor": addresses and distances in 16 bytes.
Value *descriptorOf(Builder &builder, const SharedTile &tile, Element element, bool transposed,
                    Value *row, unsigned deep) {
  unsigned wide = unsigned(tile.swizzle), bytes = bytesOf(element);
  uint64_t mode = wide == 128 ? 1 : wide == 64 ? 2 : wide == 32 ? 3 : 0;
  constexpr unsigned pattern = 8; // rows
  Value *place;
  uint64_t leading = 1, stride;
  if (!transposed) {
    place = builder.CreateAdd(builder.CreateMul(row, builder.getInt32(tile.rowBytes)),
                              builder.getInt32(deep * bytes));
    stride = pattern * wide;
  } else {
    unsigned elements = wide / bytes, depth = tile.rows;
    place = builder.CreateAdd(builder.CreateMul(builder.CreateUDiv(row, builder.getInt32(elements)),
                                                builder.getInt32(depth * wide)),
                              builder.getInt32(deep * wide));
    leading = depth * wide / chunkBytes;
    stride = pattern * wide;
  }
  Value *address =
      builder.CreateAdd(builder.CreatePtrToInt(tile.base, builder.getInt32Ty()), place);
  Value *low = builder.CreateAnd(builder.CreateLShr(address, 4), 0x3fff);
  uint64_t rest = leading << 16 | (stride / chunkBytes) << 32 | mode << 62;
  return builder.CreateOr(builder.CreateZExt(low, builder.getInt64Ty()), builder.getInt64(rest));
}

Accumulators Accumulators::zero(Builder &builder, unsigned columns) {
  Accumulators sums;
  sums.values.assign(columns / 2, ConstantFP::get(builder.getFloatTy(), 0));
  return sums;
}

Accumulators Accumulators::of(ArrayRef<Value *> registers) {
  Accumulators sums;
  sums.values.assign(registers.begin(), registers.end());
  return sums;
}

Value *Accumulators::rowOf(Builder &builder, unsigned pair) {
  Value *thread = builder.CreateAnd(threadOf(builder), threadsOfGroup - 1);
  Value *warp = builder.CreateLShr(thread, Log2_32(lanesOfWarp));
  Value *row = builder.CreateAdd(builder.CreateShl(warp, 4),
                                 builder.CreateLShr(builder.CreateAnd(thread, 31), 2));
  return builder.CreateAdd(row, builder.getInt32(pair % 2 * 8));
}

Value *Accumulators::columnOf(Builder &builder, unsigned pair) {
  Value *place = builder.CreateShl(builder.CreateAnd(threadOf(builder), 3), 1);
  return builder.CreateAdd(place, builder.getInt32(pair / 2 * 8));
}

PendingAccumulators PendingAccumulators::begin(Builder &builder, const Accumulators &from) {
  PendingAccumulators pending;
  pending.values = from.values;
  pending.fence(builder);
  return pending;
}

PendingAccumulators PendingAccumulators::carried(ArrayRef<Value *> values) {
  PendingAccumulators pending;
  pending.values.assign(values.begin(), values.end());
  return pending;
}

void PendingAccumulators::fence(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_wgmma_fence_sync_aligned, {});
}

/// Assembly that gives as many registers as `results` has, of their types.
static SmallVector<Value *> assemble(Builder &builder, const std::string &text,
                                     const std::string &constraints, ArrayRef<Value *> operands,
                                     ArrayRef<Value *> results) {
  SmallVector<Type *> types, given;
  for (Value *each : results)
    types.push_back(each->getType());
  for (Value *each : operands)
    given.push_back(each->getType());
  Type *result = types.size() == 1 ? types[0] : StructType::get(builder.getContext(), types);
  auto *code = InlineAsm::get(FunctionType::get(result, given, false), text, constraints, true);
  CallInst *all = builder.CreateCall(code, operands);
  all->setConvergent();
  SmallVector<Value *> values;
  for (unsigned i = 0; i < results.size(); ++i)
    values.push_back(types.size() == 1 ? all : builder.CreateExtractValue(all, i));
  return values;
}

void PendingAccumulators::emit(Builder &builder, const GroupProduct &product,
                               ArrayRef<Value *> operands) {
  SmallVector<Value *> all(values);
  append_range(all, operands);
  values = assemble(builder, product.text(), product.constraints(), all, values);
}

void PendingAccumulators::add(Builder &builder, const GroupProduct &product, Value *leftMatrix,
                              Value *rightMatrix) {
  emit(builder, product, {leftMatrix, rightMatrix});
}

void PendingAccumulators::add(Builder &builder, const GroupProduct &product,
                              const LeftFragment &left, Value *rightMatrix) {
  SmallVector<Value *> operands(left.registers.begin(), left.registers.end());
  append_range(lefts, operands);
  operands.push_back(rightMatrix);
  emit(builder, product, operands);
}

Accumulators PendingAccumulators::wait(Builder &builder, unsigned underWay,
                                       SmallVectorImpl<Value *> *read) && {
  GroupWait wait = {underWay, unsigned(values.size()), unsigned(lefts.size())};
  SmallVector<Value *> all(values);
  append_range(all, lefts);
  all = assemble(builder, wait.text(), wait.constraints(), all, all);
  Accumulators sums;
  sums.values.assign(all.begin(), all.begin() + values.size());
  if (read)
    read->append(all.begin() + values.size(), all.end());
  return sums;
}

void commitProducts(Builder &builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_wgmma_commit_group_sync_aligned, {});
}

void waitForReads(Builder &builder, unsigned underWay) {
  builder.CreateIntrinsic(Intrinsic::nvvm_wgmma_wait_group_sync_aligned,
                          builder.getInt64(underWay));
}

void shrinkRegisters(Builder &builder, unsigned count) {
  builder.CreateIntrinsic(Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32, builder.getInt32(count));
}

void growRegisters(Builder &builder, unsigned count) {
  builder.CreateIntrinsic(Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32, builder.getInt32(count));
}

} // namespace weft::gpu
