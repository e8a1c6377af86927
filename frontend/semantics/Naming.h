// What a body names: its values, parameters, instances and repeats. Paths and checkpoint keys are
// read from this tree.
#pragma once

#include "frontend/semantics/Type.h"
#include "frontend/syntax/Ast.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft::sema {

struct FunctionInfo;
struct Naming;
struct Variable;

/// What the dimensions of a callee are for its caller: a parameter the group that fills it, a `..`
/// what the argument brings. Others are the same on both sides.
using Substitution = std::map<const Dim *, Dims>;
Dims substitute(const Substitution &names, const Dims &dims);
Type substitute(const Substitution &names, const Type &type);

/// One call of a function.
struct Instance {
  const ast::Call *call = nullptr;
  /// What is called; of an option or an argument, its default.
  const FunctionInfo *fn = nullptr;
  Substitution dims;
  Type result;
};

/// The way through `if`s to a place: two places that part at one `if` are never both built.
using Branches = std::vector<std::pair<const ast::If *, bool>>;
bool exclude(const Branches &a, const Branches &b);

/// Something that has names inside it: an instance, or a `repeat`.
struct Child {
  Span place;
  Branches branches;
  const ast::Name *label = nullptr; ///< what it is named after; null for a repeat
  Instance instance;                ///< `fn` is null for a repeat
  const Dim *repeat = nullptr;      ///< its dimension
  std::unique_ptr<Naming> inside;   ///< what the repeat's body names
  bool open = false;                ///< the repeat is being checked: its values are of one pass
};

/// A parameter or state of a block.
struct StorageInfo {
  const ast::Storage *syntax = nullptr;
  Type type;
};

/// A name that stands for something of its own in a checkpoint or a path.
struct Claim {
  Span place;
  Branches branches;
  const ast::Call *call = nullptr; ///< the instance, if it is one
  const Dim *repeat = nullptr;     ///< the dimension of a `repeat`: two of one dimension are merged
  bool stores = false;             ///< parameters or state are below it
  const FunctionInfo *unnamed = nullptr; ///< the block without a name that brought it
};

struct Naming {
  struct Named {
    const Variable *variable;
    Type type; ///< of the last value that is bound to it
  };
  std::map<std::string, Named, std::less<>> values;
  std::map<std::string, StorageInfo, std::less<>> storage;
  /// By label. Several of one name stand in branches that exclude each other.
  std::map<std::string, std::vector<Child>, std::less<>> children;
  std::vector<Child> joined; ///< instances without a name: what they name is named here
  std::map<std::string, std::vector<Claim>, std::less<>> claims;

  /// Whether any parameter or state is named below it.
  bool stores() const;
};

} // namespace weft::sema
