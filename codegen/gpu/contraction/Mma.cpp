// The ring of stages, and what a warp multiplies of each.
#include "codegen/gpu/contraction/Mma.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Copy.h"

using namespace llvm;
using weft::emit::Values;

namespace weft::gpu {

std::string MmaTiles::problem(bool leftAlongDepth, bool rightAlongDepth) const {
  unsigned bytes = bytesOf(element), pieces = chunkBytes / bytes;
  auto isPower = [](unsigned number) { return number && !(number & (number - 1)); };
  if (!isPower(depth) || !isPower(rows) || !isPower(columns) || !isPower(warpsDown) ||
      !isPower(warpsAcross))
    return "tiles and warps are powers of two";
  if (depth < mmaDepth(element) || rows / warpsDown < mmaRows ||
      columns / warpsAcross < 2 * mmaColumns)
    return "a warp has less than one product";
  if ((!leftAlongDepth || !rightAlongDepth) && element == Element::tf32)
    return "elements of four bytes lie along what is summed";
  if (rows * depth / pieces < threads() || columns * depth / pieces < threads())
    return "a thread has nothing to copy";
  if (stages < 2)
    return "a ring has two stages at least";
  if (sharedBytes() > 227 * 1024)
    return "stages take more shared memory than a block has";
  return "";
}

namespace {

/// One side of the ring.
class SideOfRing {
public:
  SideOfRing(Builder &builder, const MmaTiles &tiles, const Side &side, unsigned wide, Value *begin,
             Value *size, Value *depth, Value *shared)
      : builder(builder), tiles(tiles), side(side), begin(begin), size(size), depth(depth) {
    unsigned bytes = bytesOf(tiles.element);
    tileRows = side.alongDepth ? wide : tiles.depth;
    rowBytes = (side.alongDepth ? tiles.depth : wide) * bytes;
    // What this thread copies of each stage: pieces that lie side by side fall to threads that do.
    unsigned pieces = rowBytes / tiles.copyBytes, threads = tiles.threads();
    for (unsigned first = 0; first < tileRows * pieces; first += threads) {
      Value *piece = builder.CreateAdd(threadOf(builder), builder.getInt32(first));
      Part part;
      part.row = builder.CreateUDiv(piece, builder.getInt32(pieces));
      Value *byte = builder.CreateMul(builder.CreateURem(piece, builder.getInt32(pieces)),
                                      builder.getInt32(tiles.copyBytes));
      part.inRow = builder.CreateLShr(byte, Log2_32(bytes));
      SharedTile tile =
          SharedTile::mixed(Constant::getNullValue(shared->getType()), tileRows, rowBytes);
      Value *place = tile.chunk(builder, part.row, builder.CreateLShr(byte, Log2_32(chunkBytes)));
      part.place = builder.CreateAdd(builder.CreatePtrToInt(place, builder.getInt32Ty()),
                                     builder.CreateAnd(byte, chunkBytes - 1));
      parts.push_back(part);
    }
  }

  unsigned bytes() const { return tileRows * rowBytes; }

  /// Asks for what the stage holds from `deep` on; what lies outside becomes zeros.
  void copy(Value *stage, Value *deep) const {
    for (const Part &part : parts) {
      Value *wide = builder.CreateAdd(begin, side.alongDepth ? part.row : part.inRow);
      Value *down = builder.CreateAdd(deep, side.alongDepth ? part.inRow : part.row);
      Value *inside =
          builder.CreateAnd(builder.CreateICmpULT(wide, size), builder.CreateICmpULT(down, depth));
      Value *given =
          builder.CreateSelect(inside, builder.getInt32(tiles.copyBytes), builder.getInt32(0));
      Value *row = builder.CreateZExt(side.alongDepth ? wide : down, builder.getInt64Ty());
      Value *column = builder.CreateZExt(side.alongDepth ? down : wide, builder.getInt64Ty());
      Value *elements = builder.CreateAdd(builder.CreateMul(row, side.pitch), column);
      // Nothing is read from outside; the address stays one that is there.
      elements = builder.CreateSelect(inside, elements, builder.getInt64(0));
      Value *from =
          offset(builder, side.data, builder.CreateShl(elements, Log2_32(bytesOf(tiles.element))));
      copyAsync(builder, offset(builder, stage, part.place), from, tiles.copyBytes, given);
    }
  }

  SharedTile tile(Value *stage) const { return SharedTile::mixed(stage, tileRows, rowBytes); }

private:
  struct Part {
    Value *row, *inRow; ///< of the tile, in elements
    Value *place;       ///< in the stage, in bytes
  };
  Builder &builder;
  const MmaTiles &tiles;
  const Side &side;
  Value *begin, *size, *depth;
  unsigned tileRows, rowBytes;
  SmallVector<Part> parts;
};

class Contraction {
public:
  Contraction(Builder &builder, const MmaTiles &tiles, const Side &left, const Side &right,
              const ContractionSizes &sizes, Value *tileRow, Value *tileColumn, Value *shared)
      : builder(builder), tiles(tiles), left(left), right(right), sizes(sizes), shared(shared),
        firstRow(builder.CreateMul(tileRow, builder.getInt32(tiles.rows))),
        firstColumn(builder.CreateMul(tileColumn, builder.getInt32(tiles.columns))),
        leftRing(builder, tiles, left, tiles.rows, firstRow, sizes.rows, sizes.depth, shared),
        rightRing(builder, tiles, right, tiles.columns, firstColumn, sizes.columns, sizes.depth,
                  shared) {
    Value *warp = warpOf(builder);
    Value *down = builder.CreateUDiv(warp, builder.getInt32(tiles.warpsAcross));
    Value *across = builder.CreateURem(warp, builder.getInt32(tiles.warpsAcross));
    warpRow = builder.CreateMul(down, builder.getInt32(rowsOfWarp()));
    warpColumn = builder.CreateMul(across, builder.getInt32(columnsOfWarp()));
  }

  void emit(Epilogue epilogue) {
    Value *deep = builder.getInt32(tiles.depth);
    Value *steps =
        builder.CreateUDiv(builder.CreateAdd(sizes.depth, builder.getInt32(tiles.depth - 1)), deep);
    for (unsigned stage = 0; stage + 1 < tiles.stages; ++stage)
      fill(builder.getInt32(stage), steps);
    Values sums;
    for (unsigned i = 0; i < productsDown() * productsAcross(); ++i)
      append_range(sums, Sums::zero(builder).values);
    Value *one = builder.getInt32(1);
    sums = emit::carryingLoop(builder, builder.getInt32(0), steps, one, sums,
                              [&](Value *step, ArrayRef<Value *> carried) {
                                // This step's stage is there for all, and the one before is no
                                // longer read by any.
                                waitForCopies(builder, tiles.stages - 2);
                                barrier(builder);
                                fill(builder.CreateAdd(step, builder.getInt32(tiles.stages - 1)),
                                     steps);
                                return multiplyStage(stageOf(step), carried);
                              });
    store(sums, epilogue);
  }

private:
  unsigned rowsOfWarp() const { return tiles.rows / tiles.warpsDown; }
  unsigned columnsOfWarp() const { return tiles.columns / tiles.warpsAcross; }
  unsigned productsDown() const { return rowsOfWarp() / mmaRows; }
  unsigned productsAcross() const { return columnsOfWarp() / mmaColumns; }

  Value *stageOf(Value *step) const {
    Value *slot = builder.CreateURem(step, builder.getInt32(tiles.stages));
    return offset(builder, shared,
                  builder.CreateMul(slot, builder.getInt32(leftRing.bytes() + rightRing.bytes())));
  }
  Value *rightOf(Value *stage) const { return offset(builder, stage, leftRing.bytes()); }

  /// Asks for the stage of this step, if there is one; it is a group either way.
  void fill(Value *step, Value *steps) {
    emit::when(builder, builder.CreateICmpULT(step, steps), [&] {
      Value *stage = stageOf(step);
      Value *deep = builder.CreateMul(step, builder.getInt32(tiles.depth));
      leftRing.copy(stage, deep);
      rightRing.copy(rightOf(stage), deep);
    });
    commitCopies(builder);
  }

  Values multiplyStage(Value *stage, ArrayRef<Value *> carried) {
    Values sums(carried);
    SharedTile leftTile = leftRing.tile(stage), rightTile = rightRing.tile(rightOf(stage));
    for (unsigned deep = 0; deep < tiles.depth; deep += mmaDepth(tiles.element)) {
      SmallVector<LeftFragment> lefts;
      SmallVector<RightFragment> rights;
      for (unsigned i = 0; i < productsDown(); ++i) {
        Value *row = builder.CreateAdd(warpRow, builder.getInt32(i * mmaRows));
        lefts.push_back(
            rounded(builder, tiles.element,
                    loadLeft(builder, leftTile, tiles.element, !left.alongDepth, row, deep)));
      }
      for (unsigned j = 0; j < productsAcross(); j += 2) {
        Value *column = builder.CreateAdd(warpColumn, builder.getInt32(j * mmaColumns));
        for (const RightFragment &each :
             loadRight(builder, rightTile, tiles.element, !right.alongDepth, column, deep))
          rights.push_back(rounded(builder, tiles.element, each));
      }
      for (unsigned i = 0; i < productsDown(); ++i)
        for (unsigned j = 0; j < productsAcross(); ++j) {
          Value **own = &sums[(i * productsAcross() + j) * 4];
          Sums before{{own[0], own[1], own[2], own[3]}};
          Sums after = multiply(builder, tiles.element, lefts[i], rights[j], before);
          copy(after.values, own);
        }
    }
    return sums;
  }

  void store(ArrayRef<Value *> sums, Epilogue epilogue) {
    for (unsigned i = 0; i < productsDown(); ++i)
      for (unsigned half = 0; half < 2; ++half) {
        Value *row = builder.CreateAdd(
            builder.CreateAdd(firstRow, warpRow),
            builder.CreateAdd(Sums::rowOf(builder, half), builder.getInt32(i * mmaRows)));
        for (unsigned j = 0; j < productsAcross(); ++j) {
          Value *column = builder.CreateAdd(
              builder.CreateAdd(firstColumn, warpColumn),
              builder.CreateAdd(Sums::columnOf(builder), builder.getInt32(j * mmaColumns)));
          size_t at = (i * productsAcross() + j) * 4 + 2 * half;
          epilogue(builder, row, column, sums[at], sums[at + 1]);
        }
      }
  }

  Builder &builder;
  const MmaTiles &tiles;
  const Side &left, &right;
  const ContractionSizes &sizes;
  Value *shared, *firstRow, *firstColumn, *warpRow, *warpColumn;
  SideOfRing leftRing, rightRing;
};
} // namespace

void emitContraction(Builder &builder, const MmaTiles &tiles, const Side &left, const Side &right,
                     const ContractionSizes &sizes, Value *tileRow, Value *tileColumn,
                     Value *shared, Epilogue epilogue) {
  Contraction(builder, tiles, left, right, sizes, tileRow, tileColumn, shared).emit(epilogue);
}

} // namespace weft::gpu
