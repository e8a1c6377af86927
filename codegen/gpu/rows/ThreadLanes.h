// Places of the lanes of a row that a thread computes together.
#ifndef WEFT_CODEGEN_GPU_ROWS_THREADLANES_H
#define WEFT_CODEGEN_GPU_ROWS_THREADLANES_H

#include "codegen/rows/RowEvaluator.h"

namespace weft::gpu {

/// Along one dimension, in one scope.
struct ThreadLanes {
  llvm::IRBuilderBase &builder;
  rows::DimAttr dim;
  unsigned level;

  ThreadLanes(llvm::IRBuilderBase &builder, rows::DimAttr dim, unsigned level)
      : builder(builder), dim(dim), level(level) {}

  /// A position so far behind another.
  llvm::Value *at(llvm::Value *index, int64_t by) const {
    return by ? builder.CreateNSWAdd(index, builder.getInt64(by)) : index;
  }
  /// Lane number `number` of those side by side of which the one at `from`, at `first`, is number 0
  /// (and then `first` is null): `together` of them may be read at once.
  const rows::Place *beside(rows::RowEvaluator &evaluator, llvm::Value *from,
                            const rows::Place *first, int64_t together, unsigned number) const {
    rows::Place place;
    place.base = at(from, number);
    place.level = level;
    place.loop = dim;
    place.first = first;
    place.together = unsigned(together);
    place.number = number;
    return evaluator.internLane(place);
  }
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ROWS_THREADLANES_H
