// Every parameter and state that a program can have, and the paths that lead to them.
#pragma once

#include "frontend/check/Module.h"

#include <span>

namespace weft::sema {

/// `encoder.layer.weight`, as it is written.
std::string pathText(const ast::Path &path);

/// The bodies that the entries reach (without entries: all blocks), each once.
class Storages {
public:
  explicit Storages(const Module &module);
  /// Those that one entry reaches.
  Storages(const Module &module, const FunctionInfo &entry);

  using Names = std::span<const ast::Name>;
  /// Whether these names follow each other somewhere on a path to a parameter.
  bool leadsTo(Names path) const;
  /// The types of the parameters whose paths end with these names, each in the dimensions of the
  /// body where the names start.
  std::vector<Type> endingWith(Names path) const;
  /// The type of the one that `path` names inside `fn`, in its own dimensions.
  std::optional<Type> inside(const FunctionInfo &fn, Names path) const;
  /// Reports that `path` leads nowhere.
  void unknown(Module &module, const ast::Path &path) const;
  /// Whether there is any parameter; states do not count.
  bool anyParameter() const;
  /// Every name on a path.
  std::vector<std::string> names() const;
  /// Whether some parameter lies in a `repeat` over this dimension.
  bool repeats(const std::string &dim) const;

private:
  /// A body, and the function it is of: its untyped arguments are called in it.
  struct Node {
    const Naming *naming;
    const FunctionInfo *owner;
    auto operator<=>(const Node &) const = default;
  };
  class Search;

  void reach(Node node);
  void follow();
  std::vector<Node> below(const Child &child, const FunctionInfo &owner) const;

  const Module &module;
  std::vector<Node> nodes;
  std::set<Node> seen;
};

} // namespace weft::sema
