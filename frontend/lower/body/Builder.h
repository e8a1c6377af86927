// Builds one function of the module by running the program symbolically: every expression becomes
// ops.
#pragma once

#include "frontend/builtin/Minimize.h"
#include "frontend/lower/session/Reads.h"
#include "frontend/lower/session/Session.h"

#include <memory>

namespace weft::lower {

/// The paths that `body` reads, without those in its loops: they belong to the loop.
std::vector<Names> pathsIn(const ast::Body &body);

/// A value of the program being built. Null after an error, or where a body has no value.
struct Tensor {
  mlir::Value value;
  /// Of a whole number that is a sum, difference or product of literals and sizes: all of it, of
  /// which `value` holds 32 bits. It becomes a float without loss.
  std::optional<Size> exact = std::nullopt;

  explicit operator bool() const { return static_cast<bool>(value); }
  model::NamedTensorType type() const { return model::typeOf(value); }
  llvm::ArrayRef<DimAttr> dims() const { return type().getDims(); }
  bool has(DimAttr dim) const { return type().has(dim); }
  bool isFloat() const { return type().isFloat(); }
  bool isBool() const { return type().isBool(); }
  bool isWhole() const { return type().isWhole(); }
};

/// A dimension of a callee and what it is called in the caller.
struct Renamed {
  DimAttr inner, outer;
};

struct Node;

/// A call that was built, or a loop: what is named inside, and what it gives. `back`: the
/// dimensions of it that its caller calls otherwise.
struct Instance {
  std::shared_ptr<Node> node;
  Tensor result;
  std::vector<Renamed> back;
};

/// What a body named, kept so that paths (`decoder.above.attn.weights`) can be read.
struct Node {
  std::map<std::string, Tensor> values;
  std::map<std::string, Instance> instances;
  std::vector<Instance> unnamed;
  bool isLoop = false;
  std::map<std::string, Tensor>
      stacked; ///< of a loop: what is read from outside, by the rest of the path
};

/// Where in the tree of instances a body stands.
struct Frame {
  Names path;    ///< labels and loops from the entry down
  DimList loops; ///< the loops around it
  std::shared_ptr<Node> node = std::make_shared<Node>();
  std::vector<std::shared_ptr<Node>> enclosing; ///< of the body around a loop's, innermost last
  std::vector<Names> wanted;                    ///< paths that are read, from here
  std::string optimizes;                        ///< inside an optimizer: the parameter it updates
};

/// A state of a block: its variable's last value is written back.
struct StateVariable {
  const sema::Variable *variable;
  std::string path;
  mlir::Value initial;
};

/// What is known at build time, and the options that it was made of: they count as read where it is
/// used.
struct Known {
  Static value;
  std::set<std::string> options;
};

/// What the declarations that a body sees are in one instance of it.
struct Scope {
  /// Slots and local dimensions; the program's are in the session.
  std::map<const sema::Dim *, DimList> dims;
  std::map<const sema::Variable *, Tensor> values;
  std::map<const sema::ArgInfo *, Known> statics;
  DimList rest; ///< what `..` stands for: all that the arguments brought
  Frame frame;
  std::vector<StateVariable> states;
  /// In `minimize`: what arguments of these names get if nothing else is said.
  std::map<std::string, Tensor> ambient;
};

/// The name an expression is bound to.
struct Bind {
  llvm::StringRef name;
  bool isNew = false; ///< the first binding in its body: it names an instance
};

/// A call whose arguments are evaluated.
struct Invocation {
  const sema::FunctionInfo &function;
  Span place;
  std::string key;           ///< the instance's name; empty: it joins its parent
  std::vector<DimList> dims; ///< one per slot
  std::map<const sema::ArgInfo *, Tensor> values;
  std::map<const sema::ArgInfo *, Known> statics;
};

/// How storage starts.
struct Start {
  model::InitKind kind = model::InitKind::constant;
  double value = 0; ///< standard deviation, half width, or the constant
};

/// `minimize(loss, adamw(…), clip = 1, data = text(tokens, next))`, taken apart.
struct MinimizeClause {
  /// An optimizer's call, and the block that it calls.
  struct Optimizer {
    const ast::Call *call = nullptr;
    const sema::FunctionInfo *rule = nullptr;
  };
  /// Parameters with an optimizer of their own, or with none: those are frozen.
  struct Group {
    ParameterGroup parameters;
    Optimizer optimizer;
  };
  /// The first group that holds `parameter`; null if none does.
  const Group *groupOf(llvm::StringRef parameter) const;

  const sema::FunctionInfo *loss = nullptr;
  Optimizer optimizer;
  std::vector<Group> groups;
  const ast::Expr *clip = nullptr, *clipValue = nullptr;
  const ast::Call *data = nullptr;
  Span place;
};

/// `decode[seq](logits, start = 0, max = 8)`, taken apart.
struct DecodeClause {
  const sema::FunctionInfo *entry = nullptr;
  std::string dim;
  std::string argument; ///< the entry's argument that grows along `dim`
  int64_t start = 0, max = 0;
};

class Builder {
public:
  Builder(Session &session, bool training);

  /// Appends the function for an entry; null after errors. `probes`: paths of values that it gives
  /// besides, if it has them.
  mlir::func::FuncOp entry(const sema::FunctionInfo &entry, const std::string &name,
                           llvm::ArrayRef<Names> probes = {});
  /// What was read of the configuration since this builder was made.
  const Reads &read() const { return reads; }
  /// Which of the probes the last entry has.
  const std::set<Names> &probed() const { return answered; }
  /// What the last entry can be asked for where `path` leaves it: names below the longest part of
  /// the path that exists.
  std::vector<std::string> readable(llvm::ArrayRef<std::string> path) const;
  /// Appends the function that takes gradients of `parameters`, none of which is frozen, and
  /// assigns them and the optimizers' states.
  mlir::func::FuncOp update(const MinimizeClause &clause, const std::string &name,
                            llvm::ArrayRef<model::ParameterOp> parameters);

private:
  /// What annotations demand of what is built while it lives.
  class Demanding;
  /// A demand that is open, and how many calls were being inlined when it was opened.
  struct Open {
    int64_t demand;
    size_t depth;
  };

  // Statements. A body gives its value, a null one if it has none, nothing after errors.
  std::optional<Tensor> body(const ast::Body &body, Scope &scope, Bind bind);
  std::optional<Tensor> statement(const ast::Stmt &stmt, Scope &scope, Bind bind);
  bool declareDims(const ast::DimDecl &decl, Scope &scope);
  bool storage(const ast::Storage &declaration, Span place, Scope &scope);
  std::optional<DimList> stacked(const std::string &path, model::NamedTensorType slice, Span place,
                                 const Frame &frame);
  bool startsAsInt(double value, DimAttr index, const ast::Expr *init);
  bool repeat(const ast::Repeat &loop, Span place, Scope &scope);
  void widenCarried(model::RepeatOp loop, llvm::ArrayRef<const sema::Variable *> carried,
                    const Scope &inner);
  std::vector<std::pair<std::string, Tensor>> toStack(const Node &body,
                                                      const std::vector<Names> &read, DimAttr dim);
  bool writeStates(Scope &scope, Span place);
  std::optional<Start> start(const ast::Expr *init, Scope &scope);
  std::optional<Start> drawn(const ast::Call &draw, Scope &scope);
  std::optional<Scope> insideDraw(const sema::FunctionInfo &function, const ast::Call &call,
                                  Scope &scope);
  std::optional<double> staticNumber(const ast::Expr &expr, Scope &scope);
  model::OriginAttr origin(const ast::Storage &declaration, Scope &scope);

  // Expressions: a null value after errors.
  Tensor expression(const ast::Expr &expr, Scope &scope, Bind bind = {});
  Tensor variable(const ast::Name &name, Scope &scope, Bind bind);
  Tensor call(const ast::Call &call, Span place, Scope &scope, Bind bind);
  Tensor index(const ast::Index &index, Scope &scope, Bind bind);
  Tensor path(const ast::Path &path, Scope &scope);
  Tensor find(const Node &node, llvm::ArrayRef<std::string> names);

  // Calls.
  std::optional<Invocation> gather(const ast::Call &call, const sema::FunctionInfo &function,
                                   Span place, Scope &scope, std::string key);
  bool give(Invocation &invocation, const sema::ArgInfo &arg, const ast::Expr &value, Scope &scope);
  Tensor invoke(Invocation &invocation, Frame &caller, Bind bind);
  Tensor callsItself(const sema::FunctionInfo &function, Span place);
  std::vector<Renamed> openSlots(const Invocation &invocation, Scope &scope);
  bool openArguments(const Invocation &invocation, Scope &scope, llvm::ArrayRef<Renamed> renamed);
  Tensor close(const Invocation &invocation, Tensor result, Scope &scope,
               llvm::ArrayRef<Renamed> renamed, llvm::StringRef name);
  Tensor outside(Tensor x, Renamed dim, mlir::Location loc);

  // Primitives (lower/Primitives.cpp) by name.
  Tensor primitive(const Primitive &primitive, const ast::Call &call, Span place, Scope &scope,
                   mlir::Location loc);
  Tensor ofDimension(llvm::StringRef name, const ast::Call &call, Scope &scope, mlir::Location loc);
  Tensor overDims(llvm::StringRef name, const ast::Call &call, Tensor x, const DimList &dims,
                  mlir::Location loc);
  Tensor floorOf(const ast::Call &call, Scope &scope, mlir::Location loc);
  Tensor clamp(Tensor x, const DimList &dims, mlir::Location loc);
  Tensor argmax(Tensor x, const DimList &dims, mlir::Location loc);
  Tensor cumsum(Tensor x, const DimList &dims, mlir::Location loc);
  Tensor top(const ast::Call &call, Tensor x, const DimList &dims, mlir::Location loc);
  Tensor random(Tensor x, Scope &scope, mlir::Location loc);
  Tensor where(const ast::Call &call, std::vector<Tensor> args, mlir::Location loc);
  Tensor stack(const ast::Call &call, const DimList &dims, std::vector<Tensor> parts,
               mlir::Location loc);
  Tensor concat(const ast::Call &call, const DimList &dims, std::vector<Tensor> parts, Scope &scope,
                mlir::Location loc);
  Tensor positions(const DimList &dims, mlir::Location loc);
  Tensor extent(const DimList &dims, mlir::Location loc);

  // Picks (lower/Picks.cpp).
  Tensor regroup(const ast::Rename &pick, Tensor x, Scope &scope, mlir::Location loc);
  Tensor pick(const ast::At &pick, Tensor x, Scope &scope, mlir::Location loc);
  Tensor part(Tensor x, DimAttr dim, DimAttr part, mlir::Location loc);

  // Ops that keep the types right (lower/Arithmetic.cpp).
  Tensor constant(double value, mlir::Location loc);
  Tensor constant(int64_t value, mlir::Location loc);
  Tensor constant(bool value, mlir::Location loc);
  Tensor constant(const StaticNumber &value, mlir::Location loc);
  Tensor toFloat(Tensor x, mlir::Location loc);
  Tensor toWhole(Tensor x, mlir::Location loc);
  bool unify(std::vector<Tensor> &values, Span place, mlir::Location loc);
  Tensor ofSize(const Size &size, mlir::Location loc);
  Tensor combine(ast::BinaryOp op, Span place, Tensor a, Tensor b, mlir::Location loc);
  bool isInt(Tensor literal, Span place);
  Tensor negate(Tensor x, mlir::Location loc);
  Tensor binary(ast::BinaryOp op, Span place, Tensor a, Tensor b, mlir::Location loc);
  Tensor rename(Tensor x, DimAttr from, DimAttr to, mlir::Location loc);
  Tensor merge(Tensor x, const DimList &dims, DimAttr into, mlir::Location loc);
  Tensor widen(Tensor x, llvm::ArrayRef<DimAttr> dims, mlir::Location loc);
  /// `x` as exactly `type`, which the checker has found that it can be: widened, converted and
  /// listed in its order.
  Tensor conform(Tensor x, model::NamedTensorType type, mlir::Location loc);
  /// `index`: what the literal meets is positions of it; null if it is not.
  bool literalFits(Tensor literal, DimAttr index, Span place);

  // Meanings (lower/Meanings.cpp).
  DimList dims(const sema::Dim *dim, const Scope &scope);
  DimList dims(const ast::Name &name, const Scope &scope);
  DimList dims(const ast::Group &group, const Scope &scope);
  model::NamedTensorType type(const sema::Type &type, const Scope &scope);
  mlir::Type element(sema::Element element, const Scope &scope);
  std::optional<Static> staticValue(const ast::Expr &expr, Scope &scope);
  std::optional<Known> known(const ast::Expr &expr, Scope &scope);
  std::optional<Known> knownName(const ast::Name &name, const Scope &scope) const;
  Callee callee(const ast::Call &call, const Scope &scope);
  std::optional<Static> use(std::optional<Known> known);
  bool requireStatic(llvm::ArrayRef<DimAttr> dims, Span place, llvm::StringRef why);

  // Places and errors.
  mlir::Location at(Span place, llvm::StringRef name = "");
  /// Starts an error. Of a place in the library, the call that led there is shown instead, with a
  /// note.
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "");
  Tensor notKnown(Span place, std::string message);
  Tensor tooLarge(Span place, std::string_view what);

  // Entries (lower/Entries.cpp).
  Scope openEntry(const sema::FunctionInfo &entry, mlir::func::FuncOp function);
  bool closeEntry(const sema::FunctionInfo &entry, mlir::func::FuncOp function, Scope &scope,
                  Tensor value, llvm::ArrayRef<Names> probes);
  bool everySizeIsGiven(const ast::Function &entry, mlir::func::FuncOp function);

  // Training (lower/Training.cpp).
  std::vector<Tensor> openUpdate(mlir::func::FuncOp function, Scope &scope,
                                 llvm::ArrayRef<model::ParameterOp> parameters);
  Tensor norm(llvm::ArrayRef<Tensor> gradients, mlir::Location loc);
  Tensor limit(const ast::Expr &limit, llvm::StringRef name);
  bool clipValues(std::vector<Tensor> &gradients, const ast::Expr &limit);
  bool clip(std::vector<Tensor> &gradients, Tensor norm, const ast::Expr &limit);
  bool optimize(const Invocation &optimizer, model::ParameterOp parameter, Tensor gradient);

  Session &session;
  bool training;
  Reads reads;
  std::set<Names> answered;   ///< the probes that the last entry has
  std::shared_ptr<Node> root; ///< of the last entry
  mlir::OpBuilder builder;
  std::vector<mlir::Location> callers; ///< places of the calls being inlined, outermost first
  std::vector<Span> callPlaces;        ///< the same as spans
  std::vector<const sema::FunctionInfo *> active; ///< their functions
  std::map<std::string, const void *>
      declared;                       ///< storage of this function, by path: who declared it
  std::map<std::string, int> randoms; ///< calls of `random` by path
  std::string building;               ///< the function that is being built
  std::vector<Open> demanded;         ///< innermost last
  size_t inlined = 0, operations = 0;
};

} // namespace weft::lower
