// `minimize(…)` and `decode[…](…)`: what a derived entry says.
#pragma once

#include "frontend/lower/body/Builder.h"

namespace weft::lower {

/// What `minimize` says; nothing after it reported what is wrong with it.
std::optional<MinimizeClause> readMinimize(const ast::DerivedEntry &derived, Session &session);
std::optional<DecodeClause> readDecode(const ast::DerivedEntry &derived, Session &session);

/// `clip`, `start`, `max` under the configuration of the session
/// (frontend/configure/ClauseNumber.h); nothing after an error.
std::optional<StaticNumber> clauseNumber(Session &session, const ast::Expr &expr,
                                         llvm::StringRef name, llvm::StringRef indexed = {});

/// `{kind = "text", arguments = {tokens = "ids", next = "next"}}` of `text(ids, next)`: what the
/// data source calls its tensors, and the entry's arguments that take them. Null after errors.
mlir::DictionaryAttr dataOf(const MinimizeClause &clause, Session &session);

} // namespace weft::lower
