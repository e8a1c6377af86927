// Third stage: what options are, each after those that its default names.
#include "frontend/check/Module.h"
#include "frontend/syntax/Mentions.h"
#include "frontend/syntax/Ordering.h"

#include <fmt/format.h>

namespace weft::sema {

void resolveOptions(Module &module) {
  std::vector<OptionInfo *> options;
  std::map<std::string_view, size_t> number;
  for (auto &[name, option] : module.tree.options) {
    number[name] = options.size();
    options.push_back(&option);
  }
  std::vector<std::vector<size_t>> uses(options.size());
  for (size_t i = 0; i < options.size(); ++i)
    for (const ast::Name *name : mentions(*options[i]->syntax->value).variables)
      if (auto it = number.find(name->text); it != number.end())
        uses[i].push_back(it->second);

  Ordering ordering = dependenciesFirst(uses);
  std::set<size_t> circular;
  for (const std::vector<size_t> &cycle : ordering.cycles) {
    std::string ring;
    for (size_t i : cycle)
      ring += fmt::format("`{}` -> ", options[i]->syntax->name.text);
    circular.insert(cycle.begin(), cycle.end());
    const ast::Setting &first = *options[cycle.front()]->syntax;
    module.diagnostics
        .error(Code::E0212, first.name.span,
               fmt::format("option `{}` depends on itself", first.name.text))
        .note(fmt::format("{}`{}`", ring, first.name.text))
        .suggest(fmt::format("give it a value of its own: `{} = 1`", first.name.text));
  }
  for (size_t i : ordering.order) {
    if (circular.count(i))
      continue; // said: what it would be is not known
    options[i]->value = evaluate(module, *options[i]->syntax->value, {});
    if (const FunctionInfo *fn = options[i]->value.fn)
      options[i]->functions.push_back(fn);
  }
}

} // namespace weft::sema
