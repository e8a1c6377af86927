// Builds entries again for what is probed in them.
#include "frontend/lower/Probes.h"

#include "frontend/source/Spelling.h"
#include "ir/model/demands/Demands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace mlir;

namespace weft::lower {

Probes::Probes(Session &session) : session(session) {
  for (const std::string &path : session.options.probes) {
    SmallVector<StringRef> names;
    StringRef(path).split(names, '.');
    paths.emplace_back(names.begin(), names.end());
  }
}

bool Probes::add(const sema::FunctionInfo &entry) {
  if (paths.empty())
    return true;
  Builder builder(session, session.options.training);
  std::vector<model::Demand> before = model::demandsOf(session.module);
  func::FuncOp function = builder.entry(entry, entry.name + ".probed", paths);
  if (!function)
    return false;
  for (const Names &path : paths) {
    if (builder.probed().contains(path))
      answered.insert(path);
    for (const std::string &other : builder.readable(path))
      known[path].insert(other);
  }
  if (builder.probed().empty()) {
    function.erase();
    if (!before.empty() || session.module->hasAttr(model::attr::demands))
      model::setDemands(session.module, before); // none of it is built
  }
  return true;
}

void Probes::reportUnanswered() {
  for (const Names &path : paths) {
    if (answered.contains(path))
      continue;
    std::string name = fmt::format("{}", fmt::join(path, "."));
    auto &error = session.diagnostics.error(
        Code::E0612, fmt::format("no entry that is built has a value `{}`", name));
    std::vector<std::string> others(known[path].begin(), known[path].end());
    if (auto near = nearest(name, others))
      error.suggest(fmt::format("did you mean `{}`?", *near));
    else
      error.suggest(fmt::format("there are `{}`", fmt::join(others, "`, `")));
  }
}

} // namespace weft::lower
