// What may stand in the place of a function that is the default of an option or an argument.
#pragma once

#include "frontend/semantics/Program.h"

namespace weft::sema {

/// Why `found` cannot stand where `wanted` is the default, given what calls through it use; empty
/// if it can.
std::string mismatch(const FunctionInfo &wanted, const FunctionInfo &found, const SlotUse &use);

} // namespace weft::sema
