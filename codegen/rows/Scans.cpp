// What kernels of one cumsum or top compute.
#include "codegen/rows/Scans.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::rows {

// Floats are summed in f64: the sum is long.
void runningSum(OrderedKernel &kernel, model::CumSumOp op, const RowFrame &frame) {
  IRBuilderBase &builder = kernel.builder;
  DimAttr dim = op.getDimAttr();
  unsigned lanes = kernel.context.lanes;
  Type *stored = kernel.target().element.loaded();
  bool isFloat = stored->isFloatTy();
  Type *type = isFloat ? builder.getDoubleTy() : stored;
  if (lanes > 1) {
    type = FixedVectorType::get(type, lanes);
    stored = FixedVectorType::get(stored, lanes);
  }
  Value *sum = stackSlot(builder, type, 1, cacheLine);
  builder.CreateStore(Constant::getNullValue(type), sum);
  Value *count = kernel.evaluator.extent(dim), *zero = builder.getInt64(0),
        *one = builder.getInt64(1);
  kernel.scopes.loop(zero, count, one, [&](Value *index) {
    if (op.getReverse())
      index = builder.CreateNSWSub(builder.CreateNSWSub(count, one), index);
    RowFrame here = frame.with(dim, kernel.loops.at(index, dim));
    Value *value =
        ElementwiseEmitter::splat(builder, kernel.evaluator.value(op.getInput(), here), lanes);
    Value *before = builder.CreateLoad(type, sum);
    Value *now = isFloat ? builder.CreateFAdd(before, builder.CreateFPCast(value, type))
                         : builder.CreateAdd(before, value);
    builder.CreateStore(now, sum);
    kernel.evaluator.memory.store(kernel.target(),
                                  isFloat ? builder.CreateFPCast(now, stored) : now, here);
  });
}

Value *rankOf(IRBuilderBase &builder, Value *value, Value *position) {
  if (value->getType()->isFloatTy()) {
    Type *whole = builder.getInt32Ty();
    Value *number = builder.CreateFAdd(value, ConstantFP::get(value->getType(), 0));
    Value *bits = builder.CreateBitCast(number, whole);
    Value *low = builder.CreateAnd(builder.CreateAShr(bits, 31), builder.getInt32(0x7fffffff));
    value = builder.CreateSelect(builder.CreateFCmpUNO(number, number),
                                 builder.getInt32(0x7fffffff), builder.CreateXor(bits, low));
  }
  Value *order = builder.CreateShl(builder.CreateSExt(value, builder.getInt64Ty()), 32);
  return builder.CreateOr(order, builder.CreateSub(builder.getInt64(INT32_MAX), position));
}

void keepLarger(IRBuilderBase &builder, Value *rank, Value *below, Value *best) {
  Value *most = builder.CreateLoad(builder.getInt64Ty(), best);
  Value *better =
      builder.CreateAnd(builder.CreateICmpSLT(rank, below), builder.CreateICmpSGT(rank, most));
  builder.CreateStore(builder.CreateSelect(better, rank, most), best);
}

Value *positionOf(IRBuilderBase &builder, Value *rank) {
  return builder.CreateSub(builder.getInt32(INT32_MAX),
                           builder.CreateTrunc(rank, builder.getInt32Ty()));
}

} // namespace weft::rows
