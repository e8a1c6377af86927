// Initial values that are drawn: `normal(s)`, `truncated_normal(s)`, `uniform(b)`, and functions
// that end in one.
#pragma once

#include "frontend/syntax/Ast.h"

namespace weft {

/// Whether `call` is `normal(…)`, `truncated_normal(…)` or `uniform(…)`.
bool isDraw(const ast::Call &call);

/// The draw that is the body of `function`, which makes the function an initial value too:
/// `fn xavier_normal[in, out](gain = 1.0) -> [in, out] = normal(…)`. Null where it is none: a
/// block, one with data, one that does anything else.
const ast::Call *drawOf(const ast::Function &function);

} // namespace weft
