// Reading a value by its path: `output.weights`, `decoder.above.cross.weights`.
#include "frontend/lower/body/Builder.h"
#include "frontend/syntax/Mentions.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

std::vector<Names> pathsIn(const ast::Body &body) {
  std::vector<Names> paths;
  for (const ast::Path *path : weft::mentions(body).paths) {
    Names &names = paths.emplace_back();
    for (const ast::Name &name : path->names)
      names.push_back(name.text);
  }
  return paths;
}

Tensor Builder::path(const ast::Path &path, Scope &scope) {
  Names names;
  for (const ast::Name &name : path.names)
    names.push_back(name.text);
  if (Tensor x = find(*scope.frame.node, names))
    return x;
  for (const std::shared_ptr<Node> &node : llvm::reverse(scope.frame.enclosing))
    if (Tensor x = find(*node, names))
      return x;
  error(Code::E0206, path.span,
        fmt::format("nothing that was built is called `{}`", fmt::join(names, ".")))
      .suggest("an `if` left it out, or an option was set to a function that has no such value");
  return {};
}

/// The value at `names` from `node` on, in the names of whoever owns `node`; null if there is none.
/// A body's own values come first, then its instances, then what unnamed calls named.
Tensor Builder::find(const Node &node, ArrayRef<std::string> names) {
  const std::string &head = names.front();
  auto back = [&](Tensor x, const Instance &instance) {
    for (const Renamed &r : instance.back)
      if (x && !x.has(r.outer))
        x = outside(x, r, x.value.getLoc());
    return x;
  };
  if (names.size() == 1)
    if (auto value = node.values.find(head); value != node.values.end())
      return value->second;
  if (auto found = node.instances.find(head); found != node.instances.end()) {
    if (names.size() == 1)
      return found->second.result;
    const Node &inner = *found->second.node;
    if (!inner.isLoop)
      return back(find(inner, names.drop_front()), found->second);
    auto stacked = inner.stacked.find(fmt::format("{}", fmt::join(names.drop_front(), ".")));
    return stacked == inner.stacked.end() ? Tensor() : stacked->second;
  }
  for (const Instance &instance : node.unnamed)
    if (Tensor x = find(*instance.node, names))
      return back(x, instance);
  return {};
}

/// The names that a body has: of values and instances; those of unnamed calls are its own.
static void namesIn(const Node &node, std::set<std::string> &names) {
  for (const auto &[name, value] : node.values)
    names.insert(name);
  for (const auto &[name, instance] : node.instances)
    names.insert(name);
  for (const Instance &instance : node.unnamed)
    namesIn(*instance.node, names);
}

static const Node *instanceNamed(const Node &node, const std::string &name) {
  if (auto found = node.instances.find(name); found != node.instances.end())
    return found->second.node.get();
  for (const Instance &instance : node.unnamed)
    if (const Node *inside = instanceNamed(*instance.node, name))
      return inside;
  return nullptr;
}

std::vector<std::string> Builder::readable(ArrayRef<std::string> path) const {
  std::string before;
  const Node *node = root.get();
  for (const std::string &name : path) {
    const Node *next = node ? instanceNamed(*node, name) : nullptr;
    if (!next)
      break;
    node = next;
    before += name + ".";
  }
  std::set<std::string> names;
  if (node)
    namesIn(*node, names);
  std::vector<std::string> paths;
  for (const std::string &name : names)
    paths.push_back(before + name);
  return paths;
}

} // namespace weft::lower
