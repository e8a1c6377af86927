// What must hold of the run-time sizes of a program, in the order in which it is settled at every
// call.
#ifndef WEFT_CODEGEN_OBLIGATIONS_H
#define WEFT_CODEGEN_OBLIGATIONS_H

#include "ir/model/Model.h"

namespace weft {

/// `dim` follows from others (`equals`, `divides` exactly) or is at most something (`bound`).
/// `size` names only dimensions that come with the data.
struct Obligation {
  enum class Kind { equals, divides, bound } kind;
  std::string dim;
  Size size;
  /// For people: "`seq` is at most `position` (64)".
  std::string text;
};

std::vector<Obligation> obligations(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_CODEGEN_OBLIGATIONS_H
