// `freeze(encoder)` and `group(…, table)` in `minimize`: the paths lead to parameters.
#include "frontend/Minimize.h"
#include "frontend/check/Storages.h"

namespace weft::sema {

static ast::Path asPath(const std::vector<ast::Name> &names) {
  const Span &first = names.front().span, &last = names.back().span;
  return {names, {first.file, first.begin, last.end}};
}

void checkGroups(Module &module) {
  std::optional<Storages> storages;
  for (const auto &[name, derived] : module.derived) {
    auto *call = derived->expr->as<ast::Call>();
    for (size_t i = 2; call && call->callee.text == "minimize" && i < call->args.size(); ++i) {
      std::optional<ParameterGroup> group = readGroup(*call->args[i]);
      if (!group)
        continue;
      if (!storages)
        storages.emplace(module);
      for (const std::vector<ast::Name> &path : group->paths)
        if (!storages->leadsTo(path))
          storages->unknown(module, asPath(path));
    }
  }
}

} // namespace weft::sema
