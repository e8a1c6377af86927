// What one task of a kernel touches, where that is so many elements that lie side by side: by this
// a kernel packs what another one has written, task by task (`in_step` of `plan.launch`).
#ifndef WEFT_IR_CPU_INSTEP_H
#define WEFT_IR_CPU_INSTEP_H

#include "ir/cpu/Schedules.h"

namespace weft::cpu {

/// Tasks of which each has the next `each` elements of a dense tensor, in the order of memory, and
/// the last what is left.
struct Stretches {
  int64_t each = 0, total = 0;
  int64_t tasks() const { return (total + each - 1) / each; }
};

/// What tasks write of result `result`, by this schedule; nothing where they do not go by elements
/// that lie side by side, or where a size is not known.
std::optional<Stretches> stretchesOf(KernelCase kernel, RowsAttr schedule, const Machine &machine,
                                     unsigned result);

/// How a pack of known sizes can be cut into tasks of whole rows of what it reads, which then are
/// whole columns of the panels, or the other way round.
struct PackedInOrder {
  bool transposes = false;   ///< rows of the source are columns of the panels
  int64_t sources = 1;       ///< matrices, one after the other
  int64_t rows = 0, row = 0; ///< of each, and the elements of one

  /// What tasks come in, in elements: they write whole cache lines then.
  int64_t unit() const;
  int64_t total() const { return sources * rows * row; }
  /// Of what it makes.
  int64_t bytes() const;
  /// Tasks of `each` elements.
  PackAttr schedule(mlir::MLIRContext *context, int64_t each) const;
};
/// Nothing where the elements of its operand lie in another order than rows and columns.
std::optional<PackedInOrder> packedInOrder(KernelCase kernel);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_INSTEP_H
