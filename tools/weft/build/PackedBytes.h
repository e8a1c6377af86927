// Weights as the products of a program read them, made while it is built.
#ifndef WEFT_TOOLS_WEFT_BUILD_PACKEDBYTES_H
#define WEFT_TOOLS_WEFT_BUILD_PACKEDBYTES_H

#include "ir/plan/Plan.h"
#include "runtime/base/Block.h"
#include "runtime/model/Parameters.h"

#include <optional>
#include <vector>

namespace weft {

/// What `facts`, which are the plan's, say that a program carries packed, made of `parameters` by
/// the program's own kernels, compiled for this machine: they make the same bytes by every
/// instruction set.
class PackedBytes {
public:
  /// Nothing, if something went wrong; prints what.
  static std::optional<PackedBytes> make(mlir::ModuleOp plan, const runtime::Facts &facts,
                                         runtime::Parameters &parameters);
  /// By number; null where a weight is not carried.
  const std::vector<const char *> &all() const { return addresses; }

private:
  std::vector<runtime::Block> blocks;
  std::vector<const char *> addresses;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_PACKEDBYTES_H
