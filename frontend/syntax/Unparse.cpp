// Expressions as text, with the parentheses that they need.
#include "frontend/syntax/Unparse.h"
#include "frontend/syntax/Operators.h"

#include <fmt/format.h>

namespace weft::ast {

std::string unparse(const Group &group) {
  std::string dims = listed(group.dims, [](const Name &dim) { return dim.text; });
  return group.dims.size() == 1 ? dims : "(" + dims + ")";
}

std::string unparse(const std::vector<Group> &groups) {
  return "[" + listed(groups, [](const Group &group) { return unparse(group); }) + "]";
}

std::string unparse(const Path &path) {
  std::string text;
  for (const Name &name : path.names)
    text += (text.empty() ? "" : ".") + name.text;
  return text;
}

std::string unparseDims(const Type &type) {
  std::string dims = type.rest ? ".." : "";
  for (const TypeDim &dim : type.dims)
    dims += (dims.empty() ? "" : ", ") + dim.name.text + (dim.optional ? "?" : "");
  return dims;
}

namespace {
/// Writes one expression.
class Writer {
public:
  explicit Writer(Parentheses parentheses) : all(parentheses == Parentheses::all) {}

  std::string operator()(const Expr &expr) const {
    return std::visit(
        Match{[](const Number &number) { return number.text; },
              [](const Bool &truth) -> std::string { return truth.value ? "true" : "false"; },
              [](const Variable &variable) { return variable.name.text; },
              [](const Path &path) { return unparse(path); },
              [&](const Call &call) { return write(call); },
              [&](const Index &index) { return write(index); },
              [&](const Unary &unary) { return write(unary); },
              [&](const Binary &binary) { return write(binary); }},
        expr.node);
  }
  /// In parentheses, if it binds less tightly than that.
  std::string operator()(const Expr &expr, Precedence atLeast) const {
    bool loose = !all && precedenceOf(expr) < atLeast; // with all, it has its own
    return loose ? "(" + (*this)(expr) + ")" : (*this)(expr);
  }
  std::string write(const Pick &pick) const {
    if (auto *rename = std::get_if<Rename>(&pick))
      return unparse(rename->from) + " as " + unparse(rename->to);
    const At &at = std::get<At>(pick);
    return at.dim.text + " = " + (*this)(*at.index);
  }

private:
  static Precedence precedenceOf(const Expr &expr) {
    if (auto *binary = expr.as<Binary>())
      return operatorOf(binary->op).precedence;
    if (auto *unary = expr.as<Unary>())
      return ast::precedenceOf(unary->op);
    return Precedence::primary;
  }

  std::string write(const Call &call) const {
    std::string args = listed(call.args, [&](const ExprPtr &arg) { return (*this)(*arg); });
    for (const NamedArg &arg : call.named)
      args += (args.empty() ? "" : ", ") + arg.name.text + " = " + (*this)(*arg.value);
    return fmt::format("{}{}{}({})", call.label ? call.label->text + ": " : "", call.callee.text,
                       call.dims.empty() ? "" : unparse(call.dims), args);
  }
  std::string write(const Index &index) const {
    return (*this)(*index.base, Precedence::primary) + "[" +
           listed(index.picks, [&](const Pick &pick) { return write(pick); }) + "]";
  }
  std::string write(const Unary &unary) const {
    std::string operand = (*this)(*unary.operand, ast::precedenceOf(unary.op));
    if (all)
      return fmt::format("({} {})", spelling(unary.op), operand);
    return (unary.op == UnaryOp::negate ? "-" : "not ") + operand;
  }
  std::string write(const Binary &binary) const {
    const Operator &op = operatorOf(binary.op);
    auto side = [&](const Expr &expr, Grouping chains) {
      return (*this)(expr, op.grouping == chains ? op.precedence : tighter(op.precedence));
    };
    return fmt::format("{}{} {} {}{}", all ? "(" : "", side(*binary.lhs, Grouping::left),
                       op.spelling, side(*binary.rhs, Grouping::right), all ? ")" : "");
  }

  bool all;
};
} // namespace

std::string unparse(const Expr &expr, Parentheses parentheses) {
  return Writer(parentheses)(expr);
}

std::string unparsePrimary(const Expr &expr) {
  return Writer(Parentheses::needed)(expr, Precedence::primary);
}

std::string unparse(const Pick &pick, Parentheses parentheses) {
  return Writer(parentheses).write(pick);
}

} // namespace weft::ast
