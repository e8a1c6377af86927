// What `minimize` trains: the loss has parameters, and the paths of `freeze(encoder)` and
// `group(…, table)` lead to some.
#include "frontend/builtin/Minimize.h"
#include "frontend/check/clauses/Storages.h"

#include <fmt/format.h>

namespace weft::sema {

static ast::Path asPath(std::span<const ast::Name> names) {
  return {{names.begin(), names.end()}, join(names.front().span, names.back().span)};
}

/// Which of them are frozen shows when it is built.
static void checkTrained(Module &module, const ast::Call &call) {
  auto *name = call.args.empty() ? nullptr : call.args[0]->as<ast::Variable>();
  auto entry = name ? module.tree.entries.find(name->name.text) : module.tree.entries.end();
  if (entry == module.tree.entries.end() || Storages(module, *entry->second).anyParameter())
    return;
  module.diagnostics
      .error(Code::E0509, call.args[0]->span,
             fmt::format("`{}` has no parameters to train", entry->first))
      .label(entry->second->syntax->name.span, "declared here")
      .suggest("`minimize` changes the parameters of the blocks that the loss calls: "
               "`param weight: [in, out] = normal(0.02)`");
}

void checkGroups(Module &module) {
  std::optional<Storages> storages;
  for (const auto &[name, derived] : module.tree.derived) {
    auto *call = derived->expr->as<ast::Call>();
    if (call && call->callee.text == "minimize")
      checkTrained(module, *call);
    for (size_t i = 2; call && call->callee.text == "minimize" && i < call->args.size(); ++i) {
      std::optional<ParameterGroup> group = readGroup(*call->args[i]);
      if (!group)
        continue;
      if (!storages)
        storages.emplace(module);
      for (std::span<const ast::Name> path : group->paths)
        if (!storages->leadsTo(path))
          storages->unknown(module, asPath(path));
    }
  }
}

} // namespace weft::sema
