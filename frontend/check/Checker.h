// The semantic checker: names, dimensions, sizes, types, calls, paths, entries, configs, weights.
#pragma once

#include "frontend/semantics/Program.h"
#include "frontend/source/Diagnostic.h"

namespace weft {

/// Checks a whole program (with the library among its files) and gives what everything in it means;
/// `program` outlives that. Silent when right; else reports every independent error once, in the
/// order of the source, and what it gives is false. Warnings do not make it false. The program must
/// have been parsed without errors, but any tree is survived.
CheckedProgram check(const ast::Program &program, Diagnostics &diagnostics);

} // namespace weft
