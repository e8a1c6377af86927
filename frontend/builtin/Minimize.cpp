// What is logged, and the kinds of data.
#include "frontend/builtin/Minimize.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft {

bool isLogged(std::string_view name) {
  static constexpr std::string_view own[] = {"step",
                                             "loss",
                                             "norm",
                                             "rate",
                                             "tokens_per_second",
                                             "images_per_second",
                                             "rows_per_second",
                                             "seconds",
                                             "tokens",
                                             "rows",
                                             "perplexity"};
  return name.starts_with("validation_") ||
         std::find(std::begin(own), std::end(own), name) != std::end(own);
}

bool ParameterGroup::holds(std::string_view parameter) const {
  std::string whole = fmt::format(".{}.", parameter);
  for (std::span<const ast::Name> path : paths) {
    std::string wanted = ".";
    for (const ast::Name &name : path)
      wanted += name.text + ".";
    if (whole.find(wanted) != std::string::npos)
      return true;
  }
  return false;
}

std::optional<ParameterGroup> readGroup(const ast::Expr &expr) {
  auto *call = expr.as<ast::Call>();
  bool frozen = call && call->callee.text == "freeze";
  if (!call || (!frozen && call->callee.text != "group") || !call->dims.empty() || call->label ||
      !call->named.empty() || call->args.size() < (frozen ? 1 : 2))
    return std::nullopt;
  ParameterGroup group{call, frozen ? nullptr : call->args[0].get(), {}};
  for (size_t i = frozen ? 0 : 1; i < call->args.size(); ++i) {
    if (auto *path = call->args[i]->as<ast::Path>())
      group.paths.emplace_back(path->names);
    else if (auto *variable = call->args[i]->as<ast::Variable>())
      group.paths.emplace_back(&variable->name, 1);
    else
      return std::nullopt;
  }
  return group;
}

static constexpr std::string_view text[] = {"tokens", "next"};
static constexpr std::string_view pairs[] = {"source", "valid", "target", "label", "length"};
static constexpr std::string_view images[] = {"image", "label"};

const DataKind *findDataKind(std::string_view name) {
  static constexpr DataKind kinds[] = {
      {"text", text}, {"pairs", pairs}, {"images", images}, {"tensors", {}}};
  for (const DataKind &kind : kinds)
    if (kind.name == name)
      return &kind;
  return nullptr;
}

} // namespace weft
