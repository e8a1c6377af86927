// How the work of a rows kernel is divided into tasks and vectors.
#include "codegen/cpu/rows/RowFunctions.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

std::optional<int64_t> laneCount(const RowProgram &program, const Emission &emission) {
  return emission.known(sizeOf(program.lanes));
}

RowPartition partition(Frame frame, const RowProgram &program, RowsAttr schedule) {
  IRBuilderBase &builder = frame.builder;
  const Emission &emission = frame.emission;
  unsigned lanes = emission.lanes;
  Value *one = builder.getInt64(1), *grain = builder.getInt64(schedule.getElements());
  RowPartition part;
  part.rows = frame.extent(program.outer);
  part.laneCount = program.lanesOuter ? frame.extent(program.lanes) : one;
  DimList inner;
  for (DimAttr dim : program.loops)
    if (!is_contained(program.outer, dim) &&
        !(program.lanesOuter && is_contained(program.lanes, dim)))
      inner.push_back(dim);
  // What one position along row and lanes costs, at least 1.
  Value *weight = maximum(builder, frame.extent(inner), one);
  part.laneBlock = one;
  part.laneBlocks = one;
  if (program.lanesOuter) {
    int64_t step = int64_t(lanes) * schedule.getUnroll();
    part.laneBlock = roundUp(builder, ceilDiv(builder, grain, weight), step);
    part.laneBlocks = maximum(builder, ceilDiv(builder, part.laneCount, part.laneBlock), one);
  }
  Value *row = builder.CreateNSWMul(
      weight, maximum(builder, minimum(builder, part.laneCount, part.laneBlock), one));
  part.rowsPerTask = ceilDiv(builder, grain, row);
  part.tasks = builder.CreateNSWMul(ceilDiv(builder, part.rows, part.rowsPerTask), part.laneBlocks);
  return part;
}

} // namespace weft::cpu
