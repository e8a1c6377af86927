// What a program declares, resolved: functions with their signatures, options, and what every name
// in it stands for.
#pragma once

#include "frontend/builtin/Primitives.h"
#include "frontend/semantics/Naming.h"

#include <deque>
#include <set>
#include <unordered_map>
#include <variant>

namespace weft::sema {

/// What is known of a value that is fixed at build time before it is configured.
struct Static {
  enum class Kind { number, toggle, function, unknown };
  Kind kind = Kind::unknown;
  const FunctionInfo *fn = nullptr; ///< of a function
  bool whole = false; ///< of a number: it has no fraction, and replaces one that has none

  bool isFunction() const { return kind == Kind::function; }
};

/// A value of a body: an argument, storage, or what `=` binds, under all that it is bound to one
/// after the other. Bound in both branches of an `if`, it is one.
struct Variable {
  std::string name;
  Span place; ///< where it is bound first
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
  const Variable *variable = nullptr; ///< what it is in the body; null for a static one
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
  /// The dimension parameters that no group of several can fill, and why: "it is repeated".
  std::map<const Dim *, std::string> single;
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

/// A word of the language that stands for a value.
enum class Word { training, infinity };

/// What a name stands for. Of an untyped argument its ArgInfo, of data the variable that it is in
/// the body; of a label the call that it names.
using Meaning = std::variant<const Dim *, const Variable *, const ArgInfo *, const OptionInfo *,
                             const FunctionInfo *, const Primitive *, Word, const ast::Call *,
                             const ast::DerivedEntry *, const ast::Config *, const ast::Weights *>;

/// A call of a function, taken apart.
struct BoundCall {
  /// One argument that is written. Of an option or an untyped argument that is called, it is that
  /// of the default, for which every replacement has a counterpart.
  struct Given {
    const ArgInfo *arg;
    const ast::Expr *value;
  };
  const FunctionInfo *callee = nullptr;
  std::vector<Given> given; ///< in the order of the text
};

/// Where a variable is bound.
struct Binding {
  const Variable *variable;
  bool isFirst; ///< on its way: it names the instance that is bound to it
};

/// A program as the checker found it. Points into the syntax tree, which outlives it.
struct Program {
  explicit Program(const ast::Program &syntax) : syntax(syntax) {}
  Program(const Program &) = delete;

  const ast::Program &syntax;
  DimTable table;
  DimScope dims; ///< of the files; the library has none
  std::vector<std::pair<const ast::DimDef *, Dim *>> dimDefs; ///< what `dims` holds
  std::deque<FunctionInfo> functions;
  std::deque<Variable> variables;
  std::map<std::string, FunctionInfo *, std::less<>> own, library, primitives, entries;
  std::map<std::string, OptionInfo, std::less<>> options;
  std::map<std::string, const ast::Config *, std::less<>> configs;
  std::map<std::string, const ast::DerivedEntry *, std::less<>> derived;

  /// What each name stands for, where it is declared and where it is used; but see `bindings`.
  std::unordered_map<const ast::Name *, Meaning> meanings;
  std::unordered_map<const ast::Name *, Binding> bindings;
  std::unordered_map<const ast::Expr *, Type> types;
  std::unordered_map<const ast::Call *, BoundCall> calls;
  /// Of a `repeat`, what it carries from pass to pass, by name.
  std::unordered_map<const ast::Repeat *, std::vector<const Variable *>> carried;
  std::unordered_map<const ast::DimDef *, const Dim *> defined; ///< those of bodies too
  std::unordered_map<const ast::Storage *, Type> stored;

  /// What `name` calls for a reader in the library or in the files: never an option.
  FunctionInfo *function(std::string_view name, bool fromLibrary) const;
  std::vector<std::string> functionNames(bool fromLibrary) const;
};

} // namespace weft::sema

namespace weft {

/// What `check` gives: the program's meaning, and whether it is right. Only of a right one is
/// everything known.
class CheckedProgram {
public:
  CheckedProgram(std::unique_ptr<sema::Program> program, bool right)
      : program(std::move(program)), right(right) {}
  explicit operator bool() const { return right; }
  const sema::Program &operator*() const { return *program; }
  const sema::Program *operator->() const { return program.get(); }

private:
  std::unique_ptr<sema::Program> program;
  bool right;
};

} // namespace weft
