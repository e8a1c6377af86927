// Reads the numbers that `minimize` and `decode` take.
#include "frontend/configure/ClauseNumber.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft {
namespace {

/// What a number has to be.
struct Range {
  std::string_view name;
  bool whole;
  int64_t bound;
  bool open; ///< the bound itself is too small
};

constexpr Range ranges[] = {{"clip", false, 0, true},
                            {"clip_value", false, 0, true},
                            {"start", true, 0, false},
                            {"max", true, 1, false}};

const Range &rangeOf(std::string_view name) {
  return *std::find_if(std::begin(ranges), std::end(ranges) - 1,
                       [&](const Range &range) { return range.name == name; });
}

} // namespace

ClauseRule clauseRule(std::string_view name) {
  const Range &range = rangeOf(name);
  return {fmt::format("`{}` is a {} {}", name, range.whole ? "whole number from" : "number above",
                      range.bound),
          range.bound + range.open};
}

ClauseNumber readClauseNumber(std::string_view name, const ast::Expr &expr,
                              const Configuration &configuration, std::string_view indexed) {
  StaticScope scope;
  scope.value = [&](const ast::Name &option) -> std::optional<Static> {
    auto found = configuration.options.find(option.text);
    return found == configuration.options.end() ? std::nullopt : std::optional(found->second);
  };
  std::optional<Static> value = evaluateStatic(expr, scope);
  if (!value)
    return {};
  const Range &range = rangeOf(name);
  auto *number = std::get_if<StaticNumber>(&*value);
  bool fits = number && (number->whole || !range.whole) &&
              (range.open ? number->value > range.bound : number->value >= range.bound);
  if (!fits)
    return {{}, clauseRule(name).text, show(*value)};
  const Dimension *dim = configuration.dim(indexed);
  if (dim && dim->size.number && number->integer >= *dim->size.number)
    return {{}, fmt::format("`{}` has no position {}", indexed, number->integer), show(*value)};
  return {*number, {}, show(*value)};
}

} // namespace weft
