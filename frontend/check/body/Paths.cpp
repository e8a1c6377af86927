// Paths: any value of an instance, read by the names on the way to it.
#include "frontend/check/body/Body.h"

#include <fmt/format.h>
#include <span>

namespace weft::sema {

namespace {

using Names = std::span<const ast::Name>;

/// Follows a path down from one body, through the instances and repeats that it names.
class PathReader {
public:
  explicit PathReader(Module &module) : module(module) {}

  /// The value in the dimensions of `node`, if the path leads anywhere.
  std::optional<Type> find(const Naming &node, Names path) {
    constexpr unsigned deepest = 1000; // chains of unnamed instances
    if (++depth > deepest || !visited.insert({&node, path.size()}).second) {
      --depth;
      return std::nullopt;
    }
    std::optional<Type> found = path.size() == 1 ? last(node, path) : below(node, path);
    // What an unnamed instance names is named here.
    for (auto child = node.joined.begin(); !found && child != node.joined.end(); ++child)
      if ((found = find(child->instance.fn->naming, path)))
        found = substitute(child->instance.dims, *found);
    if (!found && (!where || path.size() < missing)) {
      missing = path.size();
      where = &node;
    }
    --depth;
    return found;
  }

  size_t missing = 0;            ///< names left where the path ended
  const Naming *where = nullptr; ///< the body that lacks the next name
  bool running = false;          ///< it leads into a repeat from inside

private:
  std::optional<Type> last(const Naming &node, Names path) {
    const std::string &name = path.front().text;
    if (auto value = node.values.find(name); value != node.values.end()) {
      module.mean(path.front(), value->second.variable);
      return value->second.type;
    }
    if (auto children = node.children.find(name); children != node.children.end())
      for (const Child &child : children->second)
        if (child.instance.fn) {
          module.meanChild(path.front(), child);
          return child.instance.result;
        }
    return std::nullopt;
  }

  std::optional<Type> below(const Naming &node, Names path) {
    auto children = node.children.find(path.front().text);
    if (children == node.children.end())
      return std::nullopt;
    for (const Child &child : children->second) {
      if (child.open) {
        running = true;
        continue;
      }
      const Naming &next = child.repeat ? *child.inside : child.instance.fn->naming;
      std::optional<Type> found = find(next, path.subspan(1));
      if (!found)
        continue;
      module.meanChild(path.front(), child);
      if (!child.repeat)
        return substitute(child.instance.dims, *found);
      found->dims.insert(found->dims.begin(), child.repeat);
      return found;
    }
    return std::nullopt;
  }

  Module &module;
  std::set<std::pair<const Naming *, size_t>> visited;
  unsigned depth = 0;
};

std::vector<std::string> namesIn(const Naming &node) {
  std::vector<std::string> names;
  for (const auto &[name, type] : node.values)
    names.push_back(name);
  for (const auto &[name, child] : node.children)
    names.push_back(name);
  return names;
}

} // namespace

Value BodyChecker::path(const ast::Path &path, Place place) {
  PathReader reader(module);
  std::optional<Type> found;
  for (auto node = enclosing.rbegin(); !found && node != enclosing.rend(); ++node)
    found = reader.find(**node, path.names);
  if (!found) {
    const ast::Name &name = path.names[path.names.size() - reader.missing];
    auto &problem =
        error(Code::E0206, name.span,
              reader.running ? fmt::format("`{}` is read before it is over", path.names[0].text)
                             : fmt::format("nothing is called `{}` here", name.text));
    if (reader.running)
      problem.suggest("read it after the `repeat`, where it has a value for each pass");
    else
      problem.suggest("a path names values and instances on the way: `layer.attn.weights`");
    if (!reader.running && reader.where)
      module.suggest(problem, name, namesIn(*reader.where));
    return Value::unknown();
  }
  return visible(path, *found, place);
}

Value BodyChecker::visible(const ast::Path &path, const Type &type, Place place) {
  if (!type.known)
    return Value::unknown();
  const ast::Name &name = path.names.back();
  Dims all = type.dims;
  if (type.element.isIndex())
    all.push_back(type.element.dim);
  for (const Dim *dim : all)
    if (!dim->isRest() && place.dims.find(dim->name) != dim) {
      error(Code::E0206, name.span,
            fmt::format("`{}` has the dimension `{}`, which is local to its block", name.text,
                        dim->name),
            "shape " + show(type))
          .suggest(fmt::format("declare `{}` at the top of the file", dim->name));
      return Value::unknown();
    }
  if (const Dim *twice = repeated(type.dims)) {
    error(Code::E0305, name.span, fmt::format("`{}` would have `{}` twice", name.text, twice->name),
          "shape " + show(type))
        .suggest("rename it where it is bound");
    return Value::unknown();
  }
  return {type, {}};
}

} // namespace weft::sema
