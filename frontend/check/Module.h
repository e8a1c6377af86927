// A program while it is checked, and the stages of that.
#pragma once

#include "frontend/semantics/Program.h"
#include "frontend/source/Diagnostic.h"

#include <functional>

namespace weft::sema {

/// A program while it is checked.
struct Module {
  Module(Program &tree, Diagnostics &diagnostics) : tree(tree), diagnostics(diagnostics) {}
  Module(const Module &) = delete;

  Program &tree; ///< what is found out
  Diagnostics &diagnostics;
  std::map<std::string, Diagnostic *> unknownDims; ///< each said once
  /// The functions that calls pass as an untyped argument of a function.
  std::map<std::pair<const FunctionInfo *, std::string>, std::set<const FunctionInfo *>> passed;

  std::function<const Size *(const std::string &)> bounds() const {
    return [this](const std::string &atom) { return tree.table.bound(atom); };
  }
  /// Notes what `name` stands for.
  template <class T> void mean(const ast::Name &name, T meaning) const {
    tree.meanings.insert_or_assign(&name, meaning);
  }
  /// Notes that `name`, on a path, is what `child` is named after.
  void meanChild(const ast::Name &name, const Child &child) const;
  /// "did you mean …" as help and as an edit in the place of `name`. False if nothing is near: then
  /// the help says what there is, if that is little and it said nothing yet.
  bool suggest(Diagnostic &problem, const ast::Name &name,
               const std::vector<std::string> &known) const;
  /// The same, of names that are gathered only for an error that will be read: of thousands of
  /// unknown names most are counted only.
  bool suggest(Diagnostic &problem, const ast::Name &name,
               const std::function<std::vector<std::string>()> &known) const {
    return diagnostics.full() || suggest(problem, name, known());
  }
};

// The stages of a check, in this order.

/// Enters every declaration; what is declared twice keeps its first meaning.
void declare(Module &module);
/// Settles the equations and bounds of the file dimensions.
void resolveDimensions(Module &module);
/// Settles one definition in the names of `scope`: its size, bound and parts. `dim` is broken after
/// an error.
void settle(Module &module, const ast::DimDef &def, Dim &dim, const DimScope &scope);
/// The dimension called `name`, or null after an error that says so and never suggests `except`.
const Dim *findDim(Module &module, const ast::Name &name, const DimScope &scope,
                   std::string_view except = {});
/// Where an expression of build-time values stands.
struct StaticPlace {
  const std::vector<ArgInfo> *args = nullptr; ///< untyped ones among them can be read
  bool fromLibrary = false;
  const DimScope *dims = nullptr; ///< for `size(d)`
  std::string_view help = {};     ///< what to say where something is not known at build time
  /// Whether a name stands for a value that only a run knows; may be empty.
  std::function<bool(std::string_view)> isData = {};
  /// Unknown names that were reported: each is said once; may be null.
  std::map<std::string, Diagnostic *> *reported = nullptr;
};
/// What `expr` is at build time: unknown after an error that says why it is not known then.
Static evaluate(Module &module, const ast::Expr &expr, StaticPlace place);
/// Says so if `value`, which `expr` gives, has a fraction where the default `written` has none.
bool checkWhole(Module &module, const ast::Expr &expr, const Static &value, const Static &fallback,
                const ast::Expr &written);
/// "a number", "a switch", "a function".
std::string_view describe(Static::Kind kind);
/// Says so if a dimension may not have this name.
void checkDimName(Module &module, const ast::Name &name);
/// Says so if a value may not have this name where `dims` are visible.
void checkName(Module &module, const DimScope &dims, const ast::Name &name);
/// The type as written, without its `..`; not known after an error.
Type readType(Module &module, const FunctionInfo &fn, const ast::Type &syntax,
              const DimScope &scope);
/// Finds what options are. Each may name others, in any order, but not itself.
void resolveOptions(Module &module);
/// Finds what every function takes and gives.
void resolveSignatures(Module &module);
/// Finds recursion, and which dimensions each function speaks of. Gives callees before callers.
std::vector<FunctionInfo *> orderCalls(Module &module);
/// Whether it is `block name(value: [..], gradient: [..], …) -> [..]`, which `minimize` can run.
bool isOptimizer(const FunctionInfo &fn);
/// Checks one body against its signature and records what it names.
void checkBody(Module &module, FunctionInfo &fn);
void checkDerived(Module &module);
/// The optimizer that `minimize` is given; its tensors and the step are filled in.
void checkOptimizer(Module &module, const ast::Expr &call);
void checkConfigs(Module &module);
/// What `minimize` trains: there are parameters, and the paths of those that it treats otherwise
/// lead somewhere.
void checkGroups(Module &module);
void checkWeights(Module &module);
/// Warns of options, dimensions and parameters that nothing reads.
void checkUse(Module &module);

} // namespace weft::sema
