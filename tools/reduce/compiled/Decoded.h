// What is continued in pieces against what is computed at once.
#ifndef WEFT_TOOLS_REDUCE_COMPILED_DECODED_H
#define WEFT_TOOLS_REDUCE_COMPILED_DECODED_H

#include "tools/reduce/compiled/Compiled.h"
#include "tools/reduce/subject/Subject.h"

namespace weft::reduce {

/// What is wrong with a decoding of the program, if something is: ids at random, taken in by pieces
/// of random lengths, give at each end of a piece what the entry gives there for all ids.
std::optional<std::string> decodesWrongly(Compiled &compiled, mlir::ModuleOp model,
                                          const std::vector<SizeMap> &sizes, uint64_t seed,
                                          const std::function<std::string()> &said);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_DECODED_H
