// The semantic checker: names, dimensions, sizes, types, calls, paths, entries, configs, weights.
#pragma once

#include "frontend/source/Diagnostic.h"
#include "frontend/syntax/Ast.h"

namespace weft {

/// Checks a whole program (with the library among its files). Silent when right; else reports
/// every independent error once, in the order of the source, and returns false. Warnings do not
/// make it false. The program must have been parsed without errors, but any tree is survived.
bool check(const ast::Program &program, Diagnostics &diagnostics);

} // namespace weft
