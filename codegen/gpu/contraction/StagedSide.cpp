// A tile of one side of a product on its way.
#include "codegen/gpu/contraction/StagedSide.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Mma.h"

using namespace llvm;

namespace weft::gpu {

static unsigned pitchOf(StagedSide::Tile tile) {
  return tile.across + unsigned(cuda::padding);
}

unsigned StagedSide::Tile::bytes() const {
  return unsigned(cuda::sideBytes(across, depth));
}

unsigned StagedSide::elementsEach() const {
  return divideCeil(tile.across * tile.depth, team.size());
}

StagedSide::StagedSide(Frame frame, Team &team, Tile tile, Value *cells)
    : frame(frame), b(frame.builder), team(team), tile(tile), cells(cells) {}

StagedSide::Element StagedSide::element(unsigned number) {
  Value *index = b.CreateNSWAdd(team.lane(), b.getInt64(int64_t(number) * team.size()));
  Value *fast = b.getInt64(depthFirst ? tile.depth : tile.across);
  Value *low = b.CreateURem(index, fast), *high = b.CreateUDiv(index, fast);
  return depthFirst ? Element{high, low} : Element{low, high};
}

// The last element of some threads may be behind the tile's end, and behind that of the matrix.
Value *StagedSide::isInTile(unsigned number) {
  unsigned all = tile.across * tile.depth, end = (number + 1) * team.size();
  if (end <= all)
    return b.getTrue();
  return b.CreateICmpSLT(team.lane(), b.getInt64(int64_t(all) + team.size() - end));
}

void StagedSide::enter(const Matrix &given, Value *first) {
  matrix = given;
  depthFirst = matrix.depthWalk.contiguous() && !matrix.acrossWalk.contiguous();
  offsets.clear();
  within.clear();
  for (unsigned number = 0; number < elementsEach(); ++number) {
    Value *across = b.CreateNSWAdd(first, element(number).across);
    Value *inside = isInTile(number);
    if (!matrix.wholeAcross) {
      inside = b.CreateAnd(inside, b.CreateICmpSLT(across, matrix.acrossCount));
      across = b.CreateSelect(inside, across, b.getInt64(0));
    }
    offsets.push_back(frame.emission.offset(b, matrix.acrossWalk, across, frame.sizes));
    within.push_back(inside);
  }
}

SmallVector<Value *> StagedSide::fetch(Value *start) {
  SmallVector<Value *> values;
  Value *zero = ConstantFP::get(b.getFloatTy(), 0);
  for (unsigned number = 0; number < elementsEach(); ++number) {
    Value *depth = b.CreateNSWAdd(start, element(number).depth), *inside = within[number];
    if (!matrix.wholeDepth)
      inside = b.CreateAnd(inside, b.CreateICmpSLT(depth, matrix.depthCount));
    values.push_back(choose(
        b, inside,
        [&] {
          Value *offset = b.CreateNSWAdd(
              offsets[number], frame.emission.offset(b, matrix.depthWalk, depth, frame.sizes));
          Value *at = b.CreateInBoundsGEP(matrix.element.memory, matrix.start, offset);
          Value *value = matrix.element.load(b, at);
          return Values{matrix.tf32 ? asTf32(b, value) : value};
        },
        [&] { return Values{zero}; })[0]);
  }
  return values;
}

Value *StagedSide::place(Value *half, Value *depth, Value *across) {
  Value *row = b.CreateNSWAdd(b.CreateNSWMul(half, b.getInt64(tile.depth)), depth);
  Value *index = b.CreateNSWAdd(b.CreateNSWMul(row, b.getInt64(pitchOf(tile))), across);
  return b.CreateInBoundsGEP(b.getFloatTy(), cells, index);
}

void StagedSide::put(ArrayRef<Value *> values, Value *half) {
  for (auto [number, value] : enumerate(values)) {
    Element at = element(number);
    when(b, isInTile(number), [&] { b.CreateStore(value, place(half, at.depth, at.across)); });
  }
}

} // namespace weft::gpu
