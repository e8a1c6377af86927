// Search over what bodies name. Options and function arguments lead to all that may fill them.
#include "frontend/check/clauses/Storages.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

Storages::Storages(const Module &module) : module(module) {
  for (const auto &[name, entry] : module.tree.entries)
    reach({&entry->naming, entry});
  if (module.tree.entries.empty())
    for (const auto &[name, fn] : module.tree.own)
      if (fn->isBlock())
        reach({&fn->naming, fn});
  follow();
}

Storages::Storages(const Module &module, const FunctionInfo &entry) : module(module) {
  reach({&entry.naming, &entry});
  follow();
}

void Storages::follow() {
  for (size_t i = 0; i < nodes.size(); ++i) { // grows while it is read
    Node node = nodes[i];
    for (const auto &[name, children] : node.naming->children)
      for (const Child &child : children)
        for (Node next : below(child, *node.owner))
          reach(next);
    for (const Child &child : node.naming->joined)
      for (Node next : below(child, *node.owner))
        reach(next);
  }
}

void Storages::reach(Node node) {
  if (seen.insert(node).second)
    nodes.push_back(node);
}

std::vector<Storages::Node> Storages::below(const Child &child, const FunctionInfo &owner) const {
  if (child.repeat)
    return {{child.inside.get(), &owner}};
  const FunctionInfo *fn = child.instance.fn;
  std::vector<Node> out = {{&fn->naming, fn}};
  const std::string &callee = child.instance.call->callee.text;
  auto add = [&](const FunctionInfo *other) {
    if (other != fn)
      out.push_back({&other->naming, other});
  };
  if (auto it = module.passed.find({&owner, callee}); it != module.passed.end())
    std::for_each(it->second.begin(), it->second.end(), add);
  else if (auto option = module.tree.options.find(callee);
           !owner.library && option != module.tree.options.end())
    std::for_each(option->second.functions.begin(), option->second.functions.end(), add);
  return out;
}

/// One walk along a path; every body is looked at once for each of its names.
class Storages::Search {
public:
  Search(const Storages &all, bool toTheEnd) : all(all), toTheEnd(toTheEnd) {}

  /// What the path leads to: a parameter's type, or that of no meaning where it may end above one.
  std::optional<Type> find(Node node, Names path) {
    constexpr unsigned deepest = 1000;
    if (depth > deepest || !visited.insert({node, path.size()}).second)
      return std::nullopt;
    ++depth;
    std::optional<Type> found = here(node, path);
    for (auto child = node.naming->joined.begin(); !found && child != node.naming->joined.end();
         ++child)
      found = into(*child, node, path);
    --depth;
    return found;
  }

private:
  std::optional<Type> here(Node node, Names path) {
    const std::string &name = path.front().text;
    bool last = path.size() == 1;
    if (auto it = node.naming->storage.find(name); last && it != node.naming->storage.end()) {
      const Module &module = all.module;
      module.mean(path.front(), module.tree.bindings.at(&it->second.syntax->name).variable);
      return it->second.type;
    }
    auto children = node.naming->children.find(name);
    if (children == node.naming->children.end())
      return std::nullopt;
    for (const Child &child : children->second) {
      if (last && !toTheEnd)
        for (Node next : all.below(child, *node.owner))
          if (next.naming->stores()) {
            all.module.meanChild(path.front(), child);
            return Type();
          }
      if (!last)
        if (std::optional<Type> found = into(child, node, path.subspan(1))) {
          all.module.meanChild(path.front(), child);
          return found;
        }
    }
    return std::nullopt;
  }

  std::optional<Type> into(const Child &child, Node node, Names path) {
    for (Node next : all.below(child, *node.owner)) {
      std::optional<Type> found = find(next, path);
      if (!found)
        continue; // what a config puts there instead may have it
      if (child.repeat)
        return found;
      // What stands in for a default has its dimensions in the same slots.
      Substitution names = child.instance.dims;
      const std::vector<const Dim *> &slots = child.instance.fn->signature.dims;
      for (size_t i = 0; i < std::min(slots.size(), next.owner->signature.dims.size()); ++i)
        if (auto it = child.instance.dims.find(slots[i]); it != child.instance.dims.end())
          names[next.owner->signature.dims[i]] = it->second;
      return substitute(names, *found);
    }
    return std::nullopt;
  }

  const Storages &all;
  bool toTheEnd;
  std::set<std::pair<Node, size_t>> visited;
  unsigned depth = 0;
};

bool Storages::leadsTo(Names path) const {
  Search search(*this, /*toTheEnd=*/false);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](Node node) { return search.find(node, path).has_value(); });
}

std::vector<Type> Storages::endingWith(Names path) const {
  std::vector<Type> out;
  for (Node node : nodes)
    if (std::optional<Type> found = Search(*this, /*toTheEnd=*/true).find(node, path))
      out.push_back(std::move(*found));
  return out;
}

std::optional<Type> Storages::inside(const FunctionInfo &fn, Names path) const {
  return Search(*this, /*toTheEnd=*/true).find({&fn.naming, &fn}, path);
}

std::string pathText(const ast::Path &path) {
  std::string out;
  for (const ast::Name &name : path.names)
    out += (out.empty() ? "" : ".") + name.text;
  return out;
}

void Storages::unknown(Module &module, const ast::Path &path) const {
  std::vector<std::string> known = names();
  auto wrong = std::find_if(path.names.begin(), path.names.end(), [&](const ast::Name &name) {
    return std::find(known.begin(), known.end(), name.text) == known.end();
  });
  bool isWhole = wrong == path.names.end();
  Diagnostic &problem = module.diagnostics
                            .error(Code::E0520, isWhole ? path.span : wrong->span,
                                   fmt::format("no path to a parameter has `{}`",
                                               isWhole ? pathText(path) : wrong->text))
                            .suggest("`weft params` lists the paths");
  if (!isWhole)
    module.suggest(problem, *wrong, known);
}

bool Storages::anyParameter() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node &node) {
    const auto &storage = node.naming->storage;
    return std::any_of(storage.begin(), storage.end(), [](const auto &each) {
      return each.second.syntax->kind == ast::StorageKind::param;
    });
  });
}

bool Storages::repeats(const std::string &dim) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](Node node) {
    auto found = node.naming->children.find(dim);
    return found != node.naming->children.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [](const Child &child) { return child.repeat; });
  });
}

std::vector<std::string> Storages::names() const {
  std::set<std::string> all;
  for (Node node : nodes) {
    for (const auto &[name, storage] : node.naming->storage)
      all.insert(name);
    for (const auto &[name, children] : node.naming->children)
      all.insert(name);
  }
  return {all.begin(), all.end()};
}

} // namespace weft::sema
