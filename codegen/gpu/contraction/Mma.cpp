// The ring of stages, and what a warp multiplies of each.
#include "codegen/gpu/contraction/Mma.h"

#include "codegen/gpu/instructions/Copy.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

std::string MmaTiles::problem() const {
  auto isPower = [](unsigned number) { return number && !(number & (number - 1)); };
  if (!isPower(depth) || !isPower(rows) || !isPower(columns) || !isPower(warpsDown) ||
      !isPower(warpsAcross))
    return "tiles and warps are powers of two";
  if (depth < mmaDepth(element) || rows / warpsDown < mmaRows ||
      columns / warpsAcross < 2 * mmaColumns)
    return "a warp has less than one product";
  if (stages < 2)
    return "a ring has two stages at least";
  if (sharedBytes() > 227 * 1024)
    return "stages take more shared memory than a block has";
  return "";
}

MmaTile::MmaTile(Builder &builder, const MmaTiles &tiles, const MmaPlace &place, Value *shared)
    : builder(builder), tiles(tiles), place(place), shared(shared) {
  Value *warp = warpOf(builder);
  Value *down = builder.CreateUDiv(warp, builder.getInt32(tiles.warpsAcross));
  Value *across = builder.CreateURem(warp, builder.getInt32(tiles.warpsAcross));
  warpRow = builder.CreateMul(down, builder.getInt32(rowsOfWarp()));
  warpColumn = builder.CreateMul(across, builder.getInt32(columnsOfWarp()));
}

Values MmaTile::zero() const {
  Values sums;
  for (unsigned i = 0; i < productsDown() * productsAcross(); ++i)
    append_range(sums, Sums::zero(builder).values);
  return sums;
}

Values MmaTile::multiply(const Side &left, const Side &right, const MmaDepth &depth,
                         ArrayRef<Value *> sums) const {
  RingSide leftSide(builder, shape(tiles.rows), left, place.firstRow, place.rows, depth.size);
  RingSide rightSide(builder, shape(tiles.columns), right, place.firstColumn, place.columns,
                     depth.size);
  unsigned leftBytes = RingSide::bytes(shape(tiles.rows));
  unsigned stageBytes = leftBytes + RingSide::bytes(shape(tiles.columns));
  Value *deep = builder.getInt64(tiles.depth), *one = builder.getInt64(1);
  Value *first = depth.first ? depth.first : builder.getInt64(0);
  Value *end = depth.end ? depth.end : emit::ceilDiv(builder, depth.size, deep);
  auto stageOf = [&](Value *step) {
    Value *slot = builder.CreateURem(step, builder.getInt64(tiles.stages));
    return offset(builder, shared,
                  builder.CreateMul(builder.CreateTrunc(slot, builder.getInt32Ty()),
                                    builder.getInt32(stageBytes)));
  };
  // Asks for the stage of this step, if there is one; it is a group of copies either way.
  auto fill = [&](Value *step) {
    emit::when(builder, builder.CreateICmpULT(step, end), [&] {
      Value *stage = stageOf(step), *from = builder.CreateMul(step, deep);
      leftSide.fill(stage, from);
      rightSide.fill(offset(builder, stage, leftBytes), from);
    });
    commitCopies(builder);
  };
  for (unsigned stage = 0; stage + 1 < tiles.stages; ++stage)
    fill(builder.CreateAdd(first, builder.getInt64(stage)));
  return emit::carryingLoop(
      builder, first, end, one, sums, [&](Value *step, ArrayRef<Value *> carried) {
        // This step's stage is there for all, and the one before is no longer read by any.
        waitForCopies(builder, tiles.stages - 2);
        barrier(builder);
        fill(builder.CreateAdd(step, builder.getInt64(tiles.stages - 1)));
        Value *stage = stageOf(step);
        return multiplyStage(leftSide.tile(stage), left.alongDepth,
                             rightSide.tile(offset(builder, stage, leftBytes)), right.alongDepth,
                             carried);
      });
}

Values MmaTile::multiplyStage(const SharedTile &left, bool leftAlongDepth, const SharedTile &right,
                              bool rightAlongDepth, ArrayRef<Value *> carried) const {
  Values sums(carried);
  for (unsigned deep = 0; deep < tiles.depth; deep += mmaDepth(tiles.element)) {
    SmallVector<LeftFragment> lefts;
    SmallVector<RightFragment> rights;
    for (unsigned i = 0; i < productsDown(); ++i) {
      Value *row = builder.CreateAdd(warpRow, builder.getInt32(i * mmaRows));
      lefts.push_back(rounded(builder, tiles.element,
                              loadLeft(builder, left, tiles.element, !leftAlongDepth, row, deep)));
    }
    for (unsigned j = 0; j < productsAcross(); j += 2) {
      Value *column = builder.CreateAdd(warpColumn, builder.getInt32(j * mmaColumns));
      for (const RightFragment &each :
           loadRight(builder, right, tiles.element, !rightAlongDepth, column, deep))
        rights.push_back(rounded(builder, tiles.element, each));
    }
    for (unsigned i = 0; i < productsDown(); ++i)
      for (unsigned j = 0; j < productsAcross(); ++j) {
        Value **own = &sums[(i * productsAcross() + j) * 4];
        Sums before{{own[0], own[1], own[2], own[3]}};
        Sums after = gpu::multiply(builder, tiles.element, lefts[i], rights[j], before);
        copy(after.values, own);
      }
  }
  return sums;
}

void MmaTile::each(ArrayRef<Value *> sums, SumPair pair) const {
  each(sums, [](Value *, function_ref<void()> body) { body(); }, pair);
}

void MmaTile::each(ArrayRef<Value *> sums, function_ref<void(Value *, function_ref<void()>)> group,
                   SumPair pair) const {
  Value *down[] = {Sums::rowOf(builder, 0), Sums::rowOf(builder, 1)};
  Value *across = builder.CreateAdd(warpColumn, Sums::columnOf(builder));
  for (unsigned i = 0; i < productsDown(); ++i) {
    Value *first = builder.CreateAdd(warpRow, builder.getInt32(i * mmaRows));
    group(first, [&] {
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned j = 0; j < productsAcross(); ++j) {
          size_t at = (i * productsAcross() + j) * 4 + 2 * half;
          pair(builder.CreateAdd(first, down[half]),
               builder.CreateAdd(across, builder.getInt32(j * mmaColumns)), sums[at], sums[at + 1]);
        }
    });
  }
}

} // namespace weft::gpu
