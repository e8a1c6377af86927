// What a test adds to a system's program: an entry that gives intermediate values too, and a
// function whose gradient is asked for.
#pragma once

#include "Systems.h"

namespace weft::test {

/// The entry that `withObserved` adds.
inline constexpr const char *observed = "observed";

/// The text of the program's own file and, behind it, the entry `observed`: as `entry`, with a
/// result `observed0`, `observed1`, … for each of `compared` that is a path. Empty if there is no
/// such entry.
std::string withObserved(const ast::Program &program, const SourceManager &sources,
                         const std::string &entry, const std::vector<Compared> &compared);

/// Makes a path of one name of every `observed0 = name`: the language reads instances only through
/// longer ones.
void readAsPaths(ast::Program &program);

/// Appends a function that gives sum(output * probe) of `entry`'s first result, with `probe` as its
/// last argument, and gives its symbol, which is its entry's name too.
std::string addProbe(mlir::func::FuncOp entry);

} // namespace weft::test
