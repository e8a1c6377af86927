// The numbers that `minimize` and `decode` take: `clip`, `clip_value`, `start` and `max`. What they
// are depends on the configuration, for they may be made of options.
#pragma once

#include "frontend/configure/Configure.h"

namespace weft {

/// What a number given as `name` has to be, "`clip` is a number above 0", and the least that is.
struct ClauseRule {
  std::string text;
  int64_t least;
};
ClauseRule clauseRule(std::string_view name);

/// A number, or what is wrong with it; `shown` is what it is. All are empty where it is not known.
struct ClauseNumber {
  std::optional<StaticNumber> value;
  std::string problem, shown;
};

/// What `expr`, given as `name`, is under `configuration`. `indexed`: the dimension whose position
/// it is, if it is one.
ClauseNumber readClauseNumber(std::string_view name, const ast::Expr &expr,
                              const Configuration &configuration, std::string_view indexed = {});

} // namespace weft
