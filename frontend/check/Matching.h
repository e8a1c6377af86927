// The match of one call's arguments with a signature.
#pragma once

#include "frontend/check/Module.h"
#include "frontend/semantics/Replacement.h"

namespace weft::sema {

struct Matching {
  explicit Matching(const FunctionInfo &callee, SlotUse *slot = nullptr)
      : callee(callee), slot(slot) {}

  const FunctionInfo &callee;
  SlotUse *slot;     ///< the option or argument through which it is called, if it is
  Substitution dims; ///< what fills the slots, and what each `..` brings
  std::vector<const FunctionInfo *> passed; ///< functions given as arguments
  bool slotsFilled = false;
  bool known = true; ///< false after an error in an argument

  bool speaksOf(const Dim *dim) const;
};

/// What could stand where `wanted` is the default, as help: "`gelu`, `silu` or `tanh` would fit".
std::string alternatives(const Module &module, const FunctionInfo &wanted, const SlotUse &use,
                         bool fromLibrary);

/// `expected [ … ]` above`found [ … ]`, aligned by dimension.
std::string alignShapes(const std::vector<std::pair<std::string, std::string>> &columns);

} // namespace weft::sema
