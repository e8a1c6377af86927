// Judges the numbers of derived entries under every config.
#include "frontend/check/clauses/ClauseNumbers.h"

#include "frontend/configure/ClauseNumber.h"

#include <fmt/format.h>

namespace weft::sema {

const std::vector<ClauseNumbers::Case> &ClauseNumbers::cases() {
  if (!known.empty())
    return known;
  constexpr size_t most = 200; // of more configs, each is judged when it is built
  auto add = [&](const std::string &config) {
    Diagnostics elsewhere;
    if (auto configuration = configure(module.tree, {config, {}}, elsewhere))
      known.push_back({config, std::move(*configuration)});
  };
  add("");
  if (module.tree.configs.size() <= most)
    for (const auto &[name, config] : module.tree.configs)
      add(name);
  if (known.empty())
    known.push_back({}); // what is written out can be judged all the same
  return known;
}

void ClauseNumbers::check(const ast::Expr &expr, std::string_view name, const Dim *indexed) {
  Static value = evaluate(module, expr, {});
  if (value.kind == Static::Kind::unknown)
    return;
  ClauseRule rule = clauseRule(name);
  auto report = [&](std::string problem, std::string label) -> Diagnostic & {
    return module.diagnostics.error(Code::E0506, expr.span, std::move(problem), std::move(label))
        .suggest(fmt::format("`{} = {}`", name, rule.least))
        .replace(expr.span, std::to_string(rule.least));
  };
  if (value.kind != Static::Kind::number) {
    report(rule.text, "");
    return;
  }
  for (const Case &each : cases()) {
    ClauseNumber number = readClauseNumber(name, expr, each.configuration,
                                           indexed ? std::string_view(indexed->name) : "");
    if (number.problem.empty())
      continue;
    std::string where = each.config.empty() ? "" : fmt::format(" in config `{}`", each.config);
    bool written = expr.is<ast::Number>() && where.empty();
    Diagnostic &problem =
        report(number.problem, written ? "" : fmt::format("is {}{}", number.shown, where));
    const Dimension *dim = indexed ? each.configuration.dim(indexed->name) : nullptr;
    if (number.problem != rule.text && dim)
      problem.label(indexed->place, fmt::format("positions 0 to {}", *dim->size.number - 1));
    return;
  }
}

} // namespace weft::sema
