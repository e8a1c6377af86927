// Writing a tree back as text.
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft {

static constexpr size_t longest = 60;

static int precedence(ast::BinaryOp op) {
  using Op = ast::BinaryOp;
  switch (op) {
  case Op::logicalOr:
    return 1;
  case Op::logicalAnd:
    return 2;
  case Op::add:
  case Op::subtract:
    return 5;
  case Op::multiply:
  case Op::divide:
  case Op::remainder:
    return 6;
  case Op::power:
    return 8;
  default:
    return 4;
  }
}
static constexpr int notPrecedence = 3, negatePrecedence = 7, primaryPrecedence = 9;

static int precedence(const ast::Expr &expr) {
  if (auto *binary = expr.as<ast::Binary>())
    return precedence(binary->op);
  if (auto *unary = expr.as<ast::Unary>())
    return unary->op == ast::UnaryOp::negate ? negatePrecedence : notPrecedence;
  return primaryPrecedence;
}

static std::string write(const ast::Expr &expr);

static std::string write(const ast::Expr &expr, int atLeast) {
  return precedence(expr) < atLeast ? "(" + write(expr) + ")" : write(expr);
}

static std::string write(const ast::Group &group) {
  std::string text;
  for (const ast::Name &name : group.dims)
    text += (text.empty() ? "" : ", ") + name.text;
  return group.dims.size() == 1 ? text : "(" + text + ")";
}

static std::string write(const ast::Call &call) {
  std::string dims, args;
  for (const ast::Group &group : call.dims)
    dims += (dims.empty() ? "" : ", ") + write(group);
  for (const ast::ExprPtr &arg : call.args)
    args += (args.empty() ? "" : ", ") + write(*arg);
  for (const ast::NamedArg &arg : call.named)
    args += fmt::format("{}{} = {}", args.empty() ? "" : ", ", arg.name.text, write(*arg.value));
  return fmt::format("{}{}{}({})", call.label ? call.label->text + ": " : "", call.callee.text,
                     dims.empty() ? "" : "[" + dims + "]", args);
}

static std::string write(const ast::Index &index) {
  std::string picks;
  for (const ast::Pick &pick : index.picks) {
    picks += picks.empty() ? "" : ", ";
    if (auto *rename = std::get_if<ast::Rename>(&pick))
      picks += fmt::format("{} as {}", write(rename->from), write(rename->to));
    else
      picks += fmt::format("{} = {}", std::get<ast::At>(pick).dim.text,
                           write(*std::get<ast::At>(pick).index));
  }
  return fmt::format("{}[{}]", write(*index.base, primaryPrecedence), picks);
}

static std::string write(const ast::Binary &binary) {
  // `^` binds to the right, comparisons do not chain, the others bind to the left.
  int level = precedence(binary.op);
  bool right = binary.op == ast::BinaryOp::power;
  bool chains = level != precedence(ast::BinaryOp::less);
  return fmt::format("{} {} {}", write(*binary.lhs, level + (right || !chains)),
                     ast::spelling(binary.op), write(*binary.rhs, level + !right));
}

static std::string write(const ast::Expr &expr) {
  return std::visit(
      ast::Match{
          [](const ast::Number &number) { return number.text; },
          [](const ast::Bool &value) { return std::string(value.value ? "true" : "false"); },
          [](const ast::Variable &variable) { return variable.name.text; },
          [](const ast::Path &path) {
            std::string text;
            for (const ast::Name &name : path.names)
              text += (text.empty() ? "" : ".") + name.text;
            return text;
          },
          [](const ast::Call &call) { return write(call); },
          [](const ast::Index &index) { return write(index); },
          [](const ast::Unary &unary) {
            bool negate = unary.op == ast::UnaryOp::negate;
            return (negate ? "-" : "not ") +
                   write(*unary.operand, negate ? negatePrecedence : notPrecedence);
          },
          [](const ast::Binary &binary) { return write(binary); },
      },
      expr.node);
}

std::string quote(const ast::Expr &expr) {
  // A long expression would hide what the help says about it.
  std::string text = write(expr);
  return text.size() <= longest ? text : "...";
}

std::string quotePrimary(const ast::Expr &expr) {
  std::string text = write(expr, primaryPrecedence);
  return text.size() <= longest ? text : "...";
}

std::string quoteSlots(const ast::Call &call) {
  std::string dims;
  for (const ast::Group &group : call.dims)
    dims += (dims.empty() ? "" : ", ") + write(group);
  return dims.empty() ? "" : "[" + dims + "]";
}

std::string quote(const ast::Type &type, const std::string &extraDim, const std::string &element) {
  std::string dims = type.rest ? ".." : "";
  for (const ast::TypeDim &dim : type.dims)
    dims += (dims.empty() ? "" : ", ") + dim.name.text + (dim.optional ? "?" : "");
  if (!extraDim.empty())
    dims += (dims.empty() ? "" : ", ") + extraDim;
  std::string base = !element.empty() ? element : type.element ? type.element->text : "";
  if (dims.empty())
    return base.empty() ? "float" : base;
  return base + "[" + dims + "]";
}

} // namespace weft
