// Threads of a block that work on one row.
#include "codegen/gpu/base/Team.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Kernel.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

Team::Team(IRBuilderBase &builder, unsigned threads, unsigned size)
    : builder(builder), threads(threads), width(size) {
  auto wide = [&](Value *number) { return builder.CreateZExt(number, builder.getInt64Ty()); };
  thread = wide(threadOf(builder));
  blockNumber = wide(blockOf(builder, 0));
  blockCount = wide(blocksOf(builder, 0));
  place = width == threads ? thread : builder.CreateAnd(thread, width - 1);
  which =
      width == threads ? builder.getInt64(0) : builder.CreateUDiv(thread, builder.getInt64(width));
  first = builder.CreateICmpEQ(place, builder.getInt64(0));
}

Team Team::behind(IRBuilderBase &builder, unsigned first, unsigned threads, unsigned barrier) {
  Team team(builder, threads, threads);
  team.thread = builder.CreateSub(team.thread, builder.getInt64(first));
  team.place = team.thread;
  team.first = builder.CreateICmpEQ(team.place, builder.getInt64(0));
  team.ownBarrier = barrier;
  return team;
}

void Team::barrier() {
  if (ownBarrier)
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_count,
                            {builder.getInt32(ownBarrier), builder.getInt32(threads)});
  else if (width > cuda::warpThreads)
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
  else
    builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {builder.getInt32(-1)});
}

Value *Team::shuffle(Value *value, Intrinsic::ID how, unsigned by) {
  auto word = [&](Value *bits) -> Value * {
    return builder.CreateIntrinsic(
        how, {builder.getInt32(-1), bits, builder.getInt32(by), builder.getInt32(31)});
  };
  Type *type = value->getType();
  if (type->getScalarSizeInBits() <= 32) {
    Type *narrow = builder.getIntNTy(type->getScalarSizeInBits());
    Value *bits = builder.CreateZExt(builder.CreateBitCast(value, narrow), builder.getInt32Ty());
    return builder.CreateBitCast(builder.CreateTrunc(word(bits), narrow), type);
  }
  Value *bits = builder.CreateBitCast(value, builder.getInt64Ty());
  Value *low = word(builder.CreateTrunc(bits, builder.getInt32Ty()));
  Value *high = word(builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty()));
  bits = builder.CreateOr(builder.CreateZExt(low, builder.getInt64Ty()),
                          builder.CreateShl(builder.CreateZExt(high, builder.getInt64Ty()), 32));
  return builder.CreateBitCast(bits, type);
}

Team::Several Team::shuffled(const Several &values, Intrinsic::ID how, unsigned by) {
  Several result;
  for (Value *value : values)
    result.push_back(shuffle(value, how, by));
  return result;
}

Value *Team::cells(Type *type, unsigned count) {
  Module &module = *builder.GetInsertBlock()->getModule();
  auto *array = ArrayType::get(type, count);
  auto *cells = new GlobalVariable(module, array, false, GlobalValue::InternalLinkage,
                                   PoisonValue::get(array), "shared", nullptr,
                                   GlobalValue::NotThreadLocal, sharedSpace);
  cells->setAlignment(Align(16));
  return cells;
}

// Lanes of a warp in a butterfly; then each thread adds up what the warps have. In a butterfly the
// lanes combine in different orders, and the largest of 0 and -0 may be either: lane 0 says.
Team::Several Team::foldNeighbours(Several values, unsigned width, Combine combine) {
  for (unsigned by = width / 2; by > 0; by /= 2)
    values = combine(values, shuffled(values, Intrinsic::nvvm_shfl_sync_bfly_i32, by));
  return values;
}

// Teams of a warp in a butterfly, then each thread adds up what the warps have.
Team::Several Team::foldAlike(Several values, Combine combine) {
  for (unsigned by = cuda::warpThreads / 2; by >= width; by /= 2)
    values = combine(values, shuffled(values, Intrinsic::nvvm_shfl_sync_bfly_i32, by));
  unsigned warps = threads / cuda::warpThreads;
  SmallVector<Value *> partial;
  for (Value *value : values)
    partial.push_back(cells(value->getType(), warps * width));
  auto cell = [&](unsigned i, Value *warp) {
    Value *number = builder.CreateAdd(builder.CreateMul(warp, builder.getInt64(width)), place);
    return builder.CreateInBoundsGEP(values[i]->getType(), partial[i], number);
  };
  auto all = [&] {
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
  };
  Value *lane = builder.CreateAnd(thread, cuda::warpThreads - 1);
  when(builder, builder.CreateICmpULT(lane, builder.getInt64(width)), [&] {
    for (auto [i, value] : enumerate(values))
      builder.CreateStore(value,
                          cell(i, builder.CreateUDiv(thread, builder.getInt64(cuda::warpThreads))));
  });
  all();
  auto of = [&](Value *warp) {
    Several each;
    for (auto [i, value] : enumerate(values))
      each.push_back(builder.CreateLoad(value->getType(), cell(i, warp)));
    return each;
  };
  // A loop, for there are as many warps as registers are few.
  Several first = of(builder.getInt64(0));
  Values sum =
      carryingLoop(builder, builder.getInt64(1), builder.getInt64(warps), builder.getInt64(1),
                   first, [&](Value *warp, ArrayRef<Value *> carried) -> Values {
                     Several both = combine(Several(carried.begin(), carried.end()), of(warp));
                     return Values(both.begin(), both.end());
                   });
  all(); // before the cells are written again
  return Several(sum.begin(), sum.end());
}

Team::Several Team::fold(Several values, Combine combine) {
  values = foldNeighbours(values, cuda::warpThreads, combine);
  if (width == cuda::warpThreads)
    return shuffled(values, Intrinsic::nvvm_shfl_sync_idx_i32, 0);
  unsigned warps = width / cuda::warpThreads;
  SmallVector<Value *> partial;
  for (Value *value : values)
    partial.push_back(cells(value->getType(), warps));
  auto cell = [&](unsigned i, Value *number) {
    return builder.CreateInBoundsGEP(values[i]->getType(), partial[i], number);
  };
  Value *warp = builder.CreateUDiv(place, builder.getInt64(cuda::warpThreads));
  Value *lane = builder.CreateURem(place, builder.getInt64(cuda::warpThreads));
  when(builder, builder.CreateICmpEQ(lane, builder.getInt64(0)), [&] {
    for (auto [i, value] : enumerate(values))
      builder.CreateStore(value, cell(i, warp));
  });
  barrier();
  auto of = [&](Value *number) {
    Several each;
    for (auto [i, value] : enumerate(values))
      each.push_back(builder.CreateLoad(value->getType(), cell(i, number)));
    return each;
  };
  Several sum;
  if (isPowerOf2_32(warps)) { // each warp, in a butterfly again
    sum = foldNeighbours(of(builder.CreateAnd(lane, warps - 1)), warps, combine);
    sum = shuffled(sum, Intrinsic::nvvm_shfl_sync_idx_i32, 0);
  } else {
    sum = of(builder.getInt64(0));
    for (unsigned number = 1; number < warps; ++number)
      sum = combine(sum, of(builder.getInt64(number)));
  }
  barrier(); // before the cells are written again
  return sum;
}

Value *Team::any(Value *yes) {
  return builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                                 {builder.getInt32(0), yes});
}

// Each warp votes; what the warps before have is added up by each thread.
Team::Rank Team::rank(Value *yes) {
  unsigned warps = threads / cuda::warpThreads;
  Value *count = cells(builder.getInt32Ty(), warps);
  auto cell = [&](Value *warp) {
    return builder.CreateInBoundsGEP(builder.getInt32Ty(), count, warp);
  };
  Value *votes =
      builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {builder.getInt32(-1), yes});
  auto ones = [&](Value *bits) { return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits); };
  Value *warp = builder.CreateUDiv(thread, builder.getInt64(cuda::warpThreads));
  Value *lane = builder.CreateURem(thread, builder.getInt64(cuda::warpThreads));
  when(builder, builder.CreateICmpEQ(lane, builder.getInt64(0)),
       [&] { builder.CreateStore(ones(votes), cell(warp)); });
  barrier();
  Value *zero = builder.getInt32(0), *one = builder.getInt32(1);
  Value *lower = builder.CreateSub(
      builder.CreateShl(one, builder.CreateTrunc(lane, builder.getInt32Ty())), one);
  Rank rank{ones(builder.CreateAnd(votes, lower)), zero};
  for (unsigned number = 0; number < warps; ++number) {
    Value *of = builder.CreateLoad(builder.getInt32Ty(), cell(builder.getInt64(number)));
    Value *isBefore = builder.CreateICmpULT(builder.getInt64(number), warp);
    rank.before = builder.CreateAdd(rank.before, builder.CreateSelect(isBefore, of, zero));
    rank.all = builder.CreateAdd(rank.all, of);
  }
  return rank;
}

} // namespace weft::gpu
