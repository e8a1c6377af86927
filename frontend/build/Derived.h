// `minimize(…)` and `decode[…](…)`: what a derived entry says.
#pragma once

#include "frontend/build/Builder.h"

namespace weft::build {

/// What `minimize` says; nothing after it reported what is wrong with it.
std::optional<MinimizeClause> readMinimize(const ast::DerivedEntry &derived, Session &session);
std::optional<DecodeClause> readDecode(const ast::DerivedEntry &derived, Session &session);

/// `{kind = "text", arguments = {tokens = "ids", next = "next"}}` of `text(ids, next)`: what the
/// data source calls its tensors, and the entry's arguments that take them. Null after errors.
mlir::DictionaryAttr dataOf(const MinimizeClause &clause, Session &session);

} // namespace weft::build
