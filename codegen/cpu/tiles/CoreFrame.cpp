// The arguments of a core, its left side, and how it ends.
#include "codegen/cpu/tiles/CoreFrame.h"

#include "ir/cpu/Families.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

CoreFrame::CoreFrame(Emission &emission, Core core, Tile tile, Function *function)
    : emission(emission), core(core), tile(tile), builder(&function->getEntryBlock()),
      vectors(tile.width() / emission.lanes), k(function->getArg(0)), left(function->getArg(1)),
      offsets(function->getArg(2)), right(function->getArg(3)), rightStride(function->getArg(4)),
      out(function->getArg(5)), outStride(function->getArg(6)), accumulate(function->getArg(7)),
      leftStride(function->getArg(8)) {
  for (int64_t row = 0; row < tile.rows; ++row) {
    if (core.left == Core::Left::rows)
      rows.push_back(
          ofLeft(left, load(builder.getInt64Ty(), at(builder.getInt64Ty(), offsets, row))));
    if (core.left == Core::Left::matrix)
      rows.push_back(ofLeft(left, builder.CreateNSWMul(leftStride, builder.getInt64(row))));
  }
}

int64_t CoreFrame::chainsUpTo(int64_t most) const {
  auto fits = [&](int64_t chains) {
    return chains * sums() <= core.set.accumulators &&
           chains * (sums() + vectors) <= registersBeside(core.set.accumulators);
  };
  while (most > 1 && !fits(most))
    most /= 2;
  return most;
}

Value *CoreFrame::leftAt(int64_t row, Value *index) {
  Type *number = builder.getFloatTy();
  Value *pitch = core.left == Core::Left::transposed ? leftStride : builder.getInt64(tile.rows);
  Value *from = rows.empty() ? at(number, at(left, builder.CreateNSWMul(index, pitch)), row)
                             : at(rows[row], index);
  return builder.CreateVectorSplat(emission.lanes, load(number, from));
}

Value *CoreFrame::leftPairAt(int64_t row, Value *index) {
  Type *word = builder.getInt32Ty();
  if (!rows.empty())
    return builder.CreateAlignedLoad(word, ofLeft(rows[row], index), Align(2));
  Value *pitch = core.left == Core::Left::transposed ? leftStride : builder.getInt64(tile.rows);
  Value *line = builder.CreateNSWMul(builder.CreateLShr(index, 1), pitch);
  return load(word, at(word, builder.CreateInBoundsGEP(word, left, line), row));
}

Value *CoreFrame::leftLastAt(int64_t row, Value *index) {
  if (rows.empty())
    return leftPairAt(row, index);
  Value *half = builder.CreateAlignedLoad(builder.getInt16Ty(), ofLeft(rows[row], index), Align(2));
  return builder.CreateZExt(half, builder.getInt32Ty());
}

void CoreFrame::addProducts(MutableArrayRef<Value *> sums, Value *index, ArrayRef<Value *> right) {
  for (int64_t row = 0; row < tile.rows; ++row) {
    Value *a = leftAt(row, index);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *&sum = sums[row * vectors + vector];
      sum = builder.CreateIntrinsic(emission.vector(), Intrinsic::fma, {a, right[vector], sum});
    }
  }
}

void CoreFrame::addDots(MutableArrayRef<Value *> sums, ArrayRef<Value *> words,
                        function_ref<Value *(int64_t row)> leftWord) {
  auto *pairs = FixedVectorType::get(builder.getBFloatTy(), 2 * emission.lanes);
  for (int64_t row = 0; row < tile.rows; ++row) {
    Value *a = builder.CreateVectorSplat(emission.lanes, leftWord(row));
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value *&sum = sums[row * vectors + vector];
      sum = builder.CreateIntrinsic(
          Intrinsic::x86_avx512bf16_dpbf16ps_512,
          {sum, builder.CreateBitCast(a, pairs), builder.CreateBitCast(words[vector], pairs)});
    }
  }
}

void CoreFrame::addChains(Values &chains) {
  size_t count = sums();
  for (size_t half = chains.size() / 2; half >= count; half /= 2) {
    for (size_t i = 0; i < half; ++i)
      chains[i] = builder.CreateFAdd(chains[i], chains[i + half]);
    chains.truncate(half);
  }
}

Value *CoreFrame::place(int64_t sum) {
  int64_t row = sum / vectors, vector = sum % vectors;
  Value *start = at(out, builder.CreateNSWMul(outStride, builder.getInt64(row)));
  return at(builder.getFloatTy(), start, vector * emission.lanes);
}

/// The sums of this call, plus what the tile holds if `accumulate`. That is added last, not first:
/// a sum of blocks of sums is off by as many roundings as there are blocks and terms of a block,
/// one of single terms by as many as there are terms (Higham, The accuracy of floating point
/// summation, 1993).
Values CoreFrame::plusTile(const Values &sum) {
  return choose(
      builder, accumulate,
      [&] {
        Values values;
        for (auto [i, value] : enumerate(sum))
          values.push_back(builder.CreateFAdd(load(emission.vector(), place(i)), value));
        return values;
      },
      [&] { return sum; });
}

void CoreFrame::clearTile() {
  when(builder, builder.CreateNot(accumulate), [&] {
    for (int64_t i = 0; i < sums(); ++i)
      builder.CreateAlignedStore(Constant::getNullValue(emission.vector()), place(i), Align(4));
  });
}

void CoreFrame::finish(Values sum) {
  sum = plusTile(sum);
  for (auto [i, value] : enumerate(sum))
    builder.CreateAlignedStore(value, place(i), Align(4));
  builder.CreateRetVoid();
}

} // namespace weft::cpu
