// A program's declarations, resolved: what every part of the checker looks names up in.
#pragma once

#include "frontend/check/Naming.h"
#include "frontend/source/Diagnostic.h"
#include "frontend/syntax/Ast.h"

#include <deque>
#include <functional>
#include <set>

namespace weft::sema {

/// A value that is fixed at build time.
struct Static {
  enum class Kind { number, toggle, function, unknown };
  Kind kind = Kind::unknown;
  const FunctionInfo *fn = nullptr; ///< of a function
  bool whole = false; ///< of a number: it has no fraction, and replaces one that has none

  bool isFunction() const { return kind == Kind::function; }
};

/// One argument of a function.
struct ArgInfo {
  std::string name;
  const ast::Arg *syntax = nullptr; ///< null for a primitive
  Type type;                        ///< with its own `..`
  Dims optional;                    ///< those of the type that may be missing
  const Dim *rest = nullptr;        ///< its `..`, if it has one
  bool isStatic = false;            ///< written without a type
  Static fallback;                  ///< the default of a static one
  bool hasDefault = false;
};

struct Signature {
  std::vector<const Dim *> dims; ///< the dimension parameters
  std::vector<ArgInfo> args;
  Type result; ///< its `..` are those of the arguments
  std::vector<std::pair<const ast::Result *, Type>> results; ///< of an entry with several
  bool known = true; ///< false after an error in it: calls are not judged
};

/// Uses of a static function by what replaces its default must be possible too.
struct SlotUse {
  std::set<std::string> named; ///< arguments passed by name, and untyped ones passed at all
};

struct FunctionInfo {
  std::string name;
  ast::FnKind kind = ast::FnKind::fn;
  const ast::Function *syntax = nullptr; ///< null for a primitive that stands for a function
  bool library = false;
  Span keyword;  ///< the `fn`, `block` or `entry` in front of it
  DimScope dims; ///< what its signature sees
  Signature signature;
  Naming naming;
  std::map<std::string, SlotUse> slots; ///< by untyped argument that is called
  /// Dimensions of the file that it or a callee speaks of: no `..` may bring them.
  std::set<const Dim *> spoken;

  bool isBlock() const { return kind == ast::FnKind::block; }
};

struct OptionInfo {
  const ast::Setting *syntax = nullptr;
  Static value;
  /// The functions it may stand for: its default's, and those of the configs.
  std::vector<const FunctionInfo *> functions;
  SlotUse use;
  bool used = false;
};

struct Module {
  Module(const ast::Program &program, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics) {}
  Module(const Module &) = delete;

  const ast::Program &program;
  Diagnostics &diagnostics;
  DimTable table;
  DimScope dims;                                   ///< of the files; the library has none
  std::map<std::string, Diagnostic *> unknownDims; ///< each said once
  std::vector<std::pair<const ast::DimDef *, Dim *>> dimDefs; ///< what `dims` holds
  std::deque<FunctionInfo> functions;
  std::map<std::string, FunctionInfo *, std::less<>> own, library, primitives, entries;
  std::map<std::string, OptionInfo, std::less<>> options;
  std::map<std::string, const ast::Config *, std::less<>> configs;
  std::map<std::string, const ast::DerivedEntry *, std::less<>> derived;
  /// The functions that calls pass as an untyped argument of a function.
  std::map<std::pair<const FunctionInfo *, std::string>, std::set<const FunctionInfo *>> passed;

  /// What `name` calls for a reader in the library or in the files: never an option.
  FunctionInfo *function(std::string_view name, bool fromLibrary) const;
  std::vector<std::string> functionNames(bool fromLibrary) const;
  std::function<const Size *(const std::string &)> bounds() const {
    return [this](const std::string &atom) { return table.bound(atom); };
  }
  /// "did you mean …" as help and as an edit in the place of `name`. False if nothing is near: then
  /// the help says what there is, if that is little and it said nothing yet.
  bool suggest(Diagnostic &problem, const ast::Name &name,
               const std::vector<std::string> &known) const;
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
