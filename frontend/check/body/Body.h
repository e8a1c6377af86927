// The checker of one body: statements, expressions and calls against the function's signature.
#pragma once

#include "frontend/builtin/Primitives.h"
#include "frontend/check/Matching.h"
#include "frontend/check/body/Ranges.h"

namespace weft::sema {

/// The values that names mean, innermost body first.
class Environment {
public:
  /// `other`: of the second branch of an `if`, the first.
  explicit Environment(const Environment *outer = nullptr, const Environment *other = nullptr)
      : outer(outer), other(other) {}
  struct Bound {
    const Variable *variable;
    Value value;
  };

  /// Null if nothing is called that.
  const Value *find(std::string_view name) const;
  const Variable *variable(std::string_view name) const;
  /// What the first branch, of an `if` that this is the second of, binds under that name.
  const Variable *ofOtherBranch(std::string_view name) const;
  void bind(const Variable *variable, Value value) {
    here.insert_or_assign(variable->name, Bound{variable, std::move(value)});
  }
  /// What this body bound itself, first or again.
  const std::map<std::string, Bound, std::less<>> &own() const { return here; }
  std::vector<std::string> names() const;

private:
  const Bound *bound(std::string_view name) const;

  const Environment *outer, *other;
  std::map<std::string, Bound, std::less<>> here;
};

class BodyChecker {
public:
  BodyChecker(Module &module, FunctionInfo &fn) : module(module), fn(fn) {}

  void run();
  /// Checks the call of an optimizer in `minimize`, which fills some of its arguments.
  void runOptimizer(const ast::Expr &call);

private:
  /// Where an expression stands.
  struct Place {
    const DimScope &dims;
    Environment &values;
    bool constant = false; ///< in a default: no data can be read
    bool initial = false;  ///< it is how storage begins
  };
  /// What a body ends with.
  struct Ending {
    Value value;
    const ast::Expr *expr;
  };

  // Statements.cpp
  std::optional<Ending> body(const ast::Body &body, DimScope &dims, Environment &values,
                             bool wantsValue);
  void declareDims(const ast::DimDecl &decl, DimScope &dims, const Environment &values);
  // Demands.cpp
  void demands(const std::vector<ast::Annotation> &annotations);
  // Statements.cpp
  void storage(const ast::Storage &decl, Place place);
  Type optimizerState(const ast::Storage &decl, Type type);
  // Initial.cpp
  void initialValue(const ast::Storage &decl, const Type &type, Place place);
  std::optional<Static> spread(const ast::Call &draw, Place place);
  const FunctionInfo *drawing(const ast::Call &call) const;
  void drawsFor(const ast::Storage &decl, const Type &type, Place place);
  Value draw(const ast::Call &call, Place place);
  void onlyInitial(const ast::Call &call);
  // Statements.cpp
  void let(const ast::Let &decl, Place place);
  void bind(const ast::Name &name, Value value, Place place);
  void repeat(const ast::Repeat &loop, Place place);
  void keepsShape(const ast::Repeat &loop, const std::string &value, const Type &entered,
                  const Type &left);
  std::optional<Ending> choose(const ast::If &choice, Place place, bool wantsValue);
  Value either(const Value &a, const Value &b, const std::string &what, Span yes, Span no);
  void dropped(const ast::Expr &expr, const Value &value, Place place);
  void needsBlock(Span place, std::string message, std::string label);
  // Instances.cpp
  Child *openRepeat(const ast::Repeat &loop, const Dim *along);
  void closeRepeat(const ast::Repeat &loop, Child &child);
  void remember(const ast::Call &call, Instance instance, const ast::Name *label);
  bool claim(const std::string &name, Claim claim);
  void collision(const std::string &name, const Claim &first, const Claim &second);
  // Results.cpp
  void result(const std::optional<Ending> &ending);
  void namedResult(const ast::Result &result, const Type &wanted, const Environment &values);
  void matchResult(const Value &found, const ast::Expr *expr, Span place, const Type &wanted,
                   Span declared);
  void suggestResult(Diagnostic &problem, const ast::Expr *expr, Span place, const Dims &extra,
                     const Dims &missing);
  static const ast::Expr *lastValue(const ast::Body &body, const ast::Name &name);
  void checkDefaults();

  // Expressions.cpp
  /// `label`: the new variable that the value is bound to, which names an instance.
  Value expr(const ast::Expr &expr, Place place, const ast::Name *label = nullptr);
  Value number(const ast::Number &number);
  Value variable(const ast::Variable &variable, Place place);
  std::vector<std::string> knownValues(Place place) const;
  /// An untyped argument, an option or `training`.
  std::optional<Static> fixedValue(const ast::Name &name);
  Value ofStatic(const Static &value, const ast::Name &name);
  Value unary(const ast::Unary &unary, Place place);
  // Operators.cpp
  Value binary(const ast::Binary &binary, Place place);
  bool checkElements(const ast::Binary &binary, const Value &a, const Value &b);
  void checkLiteral(ast::BinaryOp op, const ast::Expr &indexed, const Value &index,
                    const ast::Expr &written, const Value &literal);
  bool checkAddition(const ast::Binary &binary, const Type &a, const Type &b);
  // Picks.cpp
  Value index(const ast::Index &index, Place place, const ast::Name *label);
  bool rename(const ast::Index &index, const ast::Rename &rename, Value &value, Place place);
  bool sizesAgree(const ast::Rename &rename, const Dims &from, const Dims &to);
  bool at(const ast::Index &index, const ast::At &at, Value &value, Place place);
  bool pickPart(const ast::At &at, const Dim *whole, const Dim *part, const ast::Name &name,
                Value &value);
  bool notAPart(const Dim *whole, const ast::Name &name);
  bool inside(const Value &value, const Dim *dim) const;
  void outside(const ast::Expr &expr, const Value &value, const Dim *dim, Span dimPlace);
  // Paths.cpp
  Value path(const ast::Path &path, Place place);
  Value visible(const ast::Path &path, const Type &type, Place place);

  // Calls.cpp
  Value call(const ast::Call &call, Place place, const ast::Name *label);
  /// `slot`: the option or untyped argument through which it is called, if it is.
  Value callFunction(const ast::Call &call, const FunctionInfo &callee, SlotUse *slot, Place place,
                     const ast::Name *label);
  Value notAFunction(const ast::Call &call, const Static &value, Place place);
  Value unknownCallee(const ast::Call &call, Place place);
  void checkAll(const ast::Call &call, Place place);
  std::vector<std::string> callable() const;
  /// For expressions of build-time values in this body.
  StaticPlace staticPlace(Place place, std::string_view help = {});
  /// What fills each slot in brackets; empty after an error.
  std::optional<std::vector<Dims>> groups(const ast::Call &call, Place place);
  Type result(const ast::Call &call, const Matching &matching);
  // Arguments.cpp
  bool fillSlots(const ast::Call &call, const std::vector<Dims> &groups, Matching &matching);
  std::vector<const ast::Expr *> assign(const ast::Call &call, Matching &matching, Place place);
  void unknownArgument(const ast::Call &call, const ast::Name &name, const FunctionInfo &callee);
  void matchStatic(const ast::Expr &expr, const ArgInfo &arg, Matching &matching, Place place);
  void matchData(const ast::Expr &expr, const ArgInfo &arg, Matching &matching, Place place);
  bool fitsElement(const ast::Expr &expr, const Value &value, const ArgInfo &arg, Element wanted,
                   const Matching &matching);
  void wrongShape(const ast::Expr &expr, const Value &value, const ArgInfo &arg, const Dims &named,
                  const Dims &missing, const Dims &extra, const Matching &matching);
  void suggestElement(Diagnostic &problem, const ast::Expr &expr, Element found, Element wanted);
  void suggestShape(Diagnostic &problem, const ast::Expr &expr, const Dims &missing,
                    const Dims &over, const std::map<const Dim *, const Dim *> &pairs,
                    const std::string &renames, bool hasRest);

  // PrimitiveCalls.cpp
  Value primitive(const ast::Call &call, const Primitive &primitive, Place place);
  bool checkForm(const ast::Call &call, const Primitive &primitive);
  Value apply(const ast::Call &call, const Primitive &primitive, const std::vector<Dims> &slots,
              const std::vector<Value> &args);
  Value ofDimension(const ast::Call &call, Place place);
  bool needsNumber(const ast::Call &call, const ast::Expr &arg, const Value &value);
  Value floored(const Value &x);
  // Gathers.cpp
  Value reduce(const ast::Call &call, const std::vector<Dims> &slots, const Value &x);
  Value top(const ast::Call &call, const Dim *count, const Dim *along, const Value &x);
  std::optional<Element> commonElement(const ast::Call &call, const std::vector<Value> &args,
                                       size_t start);
  Value where(const ast::Call &call, const std::vector<Value> &args);
  Value joined(const ast::Call &call, const Dim *dim, const std::vector<Value> &args,
               const std::function<std::optional<Dims>(size_t)> &others);
  Value stack(const ast::Call &call, const Dim *dim, const std::vector<Value> &args);
  void wrongParts(const ast::Name &name, const Dim *dim, const std::vector<Value> &args);
  Value concat(const ast::Call &call, const Dim *dim, const std::vector<Value> &args);
  std::optional<Dims> besidePart(const ast::Call &call, const Dim *dim,
                                 const std::vector<Value> &args, size_t i);

  // Helpers
  bool has(std::string_view verb, const ast::Name &name, const Dim *dim, const Value &value,
           const ast::Expr &expr);
  const Dim *dim(const ast::Name &name, Place place);
  /// Notes that `dim` is one dimension in every call, if it is a parameter.
  void single(const Dim *dim, std::string why);
  std::optional<Dims> group(const ast::Group &group, Place place);
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  Module &module;
  FunctionInfo &fn;
  std::map<std::string, Type, std::less<>> states; ///< declared so far
  Naming *naming = nullptr;                        ///< of the body or repeat being checked
  std::vector<const Naming *> enclosing;           ///< that and those around it, innermost last
  Branches branches;                               ///< the `if`s around it
  Diagnostic *notABlock = nullptr;                 ///< that it owns parameters, said once
  std::map<std::string, Diagnostic *> reported;    ///< unknown values, each said once
  std::set<std::string> filled;                    ///< arguments that `minimize` fills
  size_t operations = 0;                           ///< seen so far
};

} // namespace weft::sema
