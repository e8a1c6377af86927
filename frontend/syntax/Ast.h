// The syntax tree: what a program says, as it says it, with the place of every part.
#pragma once

#include "frontend/source/Source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weft::ast {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;

/// A vector of parts, moved and never copied: that of `std` claims that it can be, even of these.
template <class T> struct List : std::vector<T> {
  using std::vector<T>::vector;
  List() = default;
  List(List &&) = default;
  List &operator=(List &&) = default;
};

/// A name where it stands.
struct Name {
  std::string text;
  Span span;
};

/// `seq`, or `(head, dh)`: one or more dimensions that fill one slot.
struct Group {
  std::vector<Name> dims; ///< never empty
  Span span;              ///< with the parentheses
};

/// `a.b.c`, two names or more in an expression, one or more in a `weights` clause.
struct Path {
  std::vector<Name> names;
  Span span;
};

// ---- types --------------------------------------------------------------------------------------

/// A dimension of a type; `seq?` may be missing.
struct TypeDim {
  Name name;
  bool optional = false;
};

/// `vocab[.., batch, seq?]`. Without brackets it is a scalar: `float`.
struct Type {
  std::optional<Name> element; ///< `float`, `int`, `bool` or a dimension; absent: float
  std::optional<Span> rest;    ///< where `..` stands, if it does
  std::vector<TypeDim> dims;   ///< in the order written, without `..`
  Span span;
};

// ---- expressions --------------------------------------------------------------------------------

/// A number. `text` is as written; a whole one (`isInteger`) fits `integer`.
struct Number {
  std::string text;
  bool isInteger = false;
  int64_t integer = 0;
  double value = 0;
};

struct Bool {
  bool value = false;
};

/// A single name used as a value (or, in `size(d)`, as a dimension; in arguments, as a function).
struct Variable {
  Name name;
};

/// `name = value` in a call.
struct NamedArg {
  Name name;
  ExprPtr value;
};

/// `label: callee[dims](args, named)`.
struct Call {
  std::optional<Name> label;
  Name callee;
  std::vector<Group> dims;
  List<ExprPtr> args;
  List<NamedArg> named; ///< all stand after `args`
};

/// `from as to` in `x[…]`: rename (1 to 1), split (1 to n), merge (n to 1).
struct Rename {
  Group from;
  Group to;
};

/// `dim = index` in `x[…]`: pick one position, one per index, or a part.
struct At {
  Name dim;
  ExprPtr index;
};

using Pick = std::variant<Rename, At>;

/// `base[pick, pick]`. The picks apply from left to right.
struct Index {
  ExprPtr base;
  List<Pick> picks;
};

enum class UnaryOp { negate, logicalNot };

struct Unary {
  UnaryOp op;
  Span opSpan;
  ExprPtr operand;
};

enum class BinaryOp {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  logicalAnd,
  logicalOr,
};

/// The operator as it is written: `+`, `<=`, `and`.
std::string_view spelling(BinaryOp op);
std::string_view spelling(UnaryOp op);

struct Binary {
  BinaryOp op;
  Span opSpan;
  ExprPtr lhs;
  ExprPtr rhs;
};

/// An expression. Parentheses leave no node: they only widen `span`.
struct Expr {
  using Node = std::variant<Number, Bool, Variable, Path, Call, Index, Unary, Binary>;
  Span span;
  Node node;
  /// Levels of the tree below and with this one, at most `maxDepth`: recursion over it is safe.
  uint32_t depth = 1;

  template <class T> const T *as() const { return std::get_if<T>(&node); }
  template <class T> bool is() const { return std::holds_alternative<T>(node); }
};

/// The deepest tree of expressions, and the deepest nesting of bodies, that the parser builds.
inline constexpr uint32_t maxDepth = 200;

// ---- statements ---------------------------------------------------------------------------------

/// One definition of a `dim` line. At most one of `size`, `bound` and `parts` is set.
struct DimDef {
  Name name;
  ExprPtr size;            ///< `= model / head`: Number, Variable, `+ - * /` of them
  ExprPtr bound;           ///< `<= position`: of the same kind
  std::vector<Name> parts; ///< `= class | seq`: two or more, in this order
  Span span;
};

/// `dim a, b = a * 2, c <= b`
struct DimDecl {
  List<DimDef> defs;
};

/// `x = value`: a new value, or a new meaning of the name.
struct Let {
  Name name;
  ExprPtr value;
};

enum class StorageKind { param, state };

/// `param weight: [in, out] = uniform(0.1)`, `state mean: [d] = 0`
struct Storage {
  StorageKind kind;
  Name name;
  Type type;
  ExprPtr init; ///< may be null
};

/// Statements in braces, or the one expression after `=`.
struct Body {
  List<Stmt> stmts;
  Span span;                 ///< with the braces
  bool isExpression = false; ///< written `= expr`
};

/// `repeat[layer] { … }`
struct Repeat {
  Name dim;
  Body body;
};

/// `if training { … } else { … }`
struct If {
  ExprPtr condition;
  Body then;
  std::optional<Body> otherwise;
};

/// An expression as a statement: the last of a body is its value; others only bind their labels.
struct Value {
  ExprPtr expr;
};

/// `@require(attention, softmax)`: fusions that have to be made of what stands behind it, or must
/// not.
struct Annotation {
  bool required = false; ///< or forbidden
  std::vector<Name> fusions;
  Span span;
};

struct Stmt {
  using Node = std::variant<DimDecl, Storage, Let, Repeat, If, Value>;
  Span span; ///< without the annotations
  Node node;
  std::vector<Annotation> annotations = {}; ///< only of what computes

  template <class T> const T *as() const { return std::get_if<T>(&node); }
};

// ---- declarations -------------------------------------------------------------------------------

/// `x: [.., d] = 0`, or without a type (fixed at build time): `eps = 1e-5`, `act = relu`.
struct Arg {
  Name name;
  std::optional<Type> type;
  ExprPtr value; ///< the default; null where there is none; never null without a type
};

enum class FnKind { fn, block, entry };
std::string_view spelling(FnKind kind); ///< "fn", "block", "entry"

/// One of several named results of an entry.
struct Result {
  Name name;
  Type type;
};

/// `fn`, `block`, and an `entry` with arguments of its own.
struct Function {
  FnKind kind;
  Name name;
  std::vector<Name> dims; ///< `[query, key]`; empty for an entry
  List<Arg> args;
  std::optional<Type> result;  ///< the one result …
  std::vector<Result> results; ///< … or, only for an entry, several that the body binds by name
  Span resultSpan;             ///< of what stands after `->`
  Body body;
  std::vector<Annotation> annotations = {}; ///< of all that the body computes
};

/// `entry train = minimize(loss, adamw(rate = 0.001), clip = 1)`
struct DerivedEntry {
  Name name;
  ExprPtr expr;
};

/// `name = value` in `option` and `config`.
struct Setting {
  Name name;
  ExprPtr value;
};

/// `option act = relu, rate = 0.1`
struct OptionDecl {
  List<Setting> settings;
};

/// `config big = base with layer = 24`
struct Config {
  Name name;
  std::optional<Name> base;
  List<Setting> settings;
};

/// `attn.q.weight`, or a part of it or its dimensions split: `attn.qkv.weight[role = 0]`,
/// `q.weight[dh as (half, freq)]`.
struct OwnPart {
  Path path;
  List<Pick> picks;
};

/// How one tensor of a file is made of several parameters.
enum class Together { one, stack, concat };

/// `"block{layer}" = layer`: a piece of a foreign name, whole segments. `"qkv" = stack[role](q, k,
/// v)`: of several names, beside each other along a dimension that the file's tensor has. A layout
/// may follow: `"qkv.weight" = stack[role](…): [model, (role, head, dh)]`. `copy "lm_head.weight" =
/// table`: a tensor that the file may have besides, with the same numbers.
struct RenameRule {
  std::string foreign; ///< what stands between the quotes
  Span foreignSpan;    ///< with the quotes
  bool isCopy = false;
  Together together = Together::one;
  std::optional<Name> along; ///< of `stack` and `concat`
  List<OwnPart> parts;       ///< one, if nothing is put together
  std::optional<std::vector<Group>> layout;
};

/// `Linear.weight: [out, in]`: of a block's own dimensions, or for one path.
struct LayoutRule {
  OwnPart part;
  std::vector<Group> layout;
};

/// `ignore "pooler.*"`: `*` stands for one segment or more; `{layer}` in it for any number.
/// `ignore option "sliding_window"`: what the file says of the model, and not a tensor.
struct IgnoreRule {
  std::string foreign;
  Span foreignSpan;
  bool isOption = false;
};

/// `size "n_heads" = (group, rep)`: a number of the file's head, and dimensions that are as long.
struct SizeRule {
  std::string foreign;
  Span foreignSpan;
  Group dims;
};

/// `option "rope_theta" = base`: what a file says beside sizes, and what that is here. Dots lead
/// into objects.
struct OptionRule {
  std::string foreign;
  Span foreignSpan;
  std::optional<std::string> text;
  ExprPtr value; ///< null where it is a text
};

/// `"freq_cis_real" = cosines()`: no parameter, but what an entry without inputs gives.
struct ComputedRule {
  std::string foreign;
  Span foreignSpan;
  Name entry;
};

using WeightRule =
    std::variant<RenameRule, LayoutRule, IgnoreRule, SizeRule, OptionRule, ComputedRule>;

/// `weights huggingface { … }`
struct Weights {
  Name name;
  List<WeightRule> rules;
};

/// `use seq2seq`: seq2seq.weft beside this file.
struct Use {
  Name name;
};

struct Declaration {
  using Node = std::variant<DimDecl, OptionDecl, Function, DerivedEntry, Config, Weights, Use>;
  Span span;
  Node node;

  template <class T> const T *as() const { return std::get_if<T>(&node); }
};

/// What one file declares, in its order.
struct File {
  FileId id = 0;
  bool library = false; ///< came with the compiler; all library files are one scope
  List<Declaration> declarations;
};

/// The file that was asked for, those it uses (each once; together one scope), then the library.
struct Program {
  List<File> files;
};

/// For std::visit: `std::visit(Match{[](const Call &c) {…}, …}, expr.node)`.
template <class... Fs> struct Match : Fs... {
  using Fs::operator()...;
};

/// The tree as text without places: one declaration or statement a line. Equal programs give equal
/// text.
std::string dump(const File &file);
std::string dump(const Expr &expr);

} // namespace weft::ast
