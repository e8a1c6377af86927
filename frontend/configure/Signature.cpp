// Compares build-time values by kind, and functions by signature.
#include "frontend/configure/Signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace weft {
namespace {

/// A type with the function's own dimensions replaced by their place in its list, in one order.
std::string describe(const ast::Function &function, const ast::Type &type) {
  auto place = [&](const std::string &name) {
    for (size_t i = 0; i < function.dims.size(); ++i)
      if (function.dims[i].text == name)
        return fmt::format("#{}", i);
    return name;
  };
  std::set<std::string> dims;
  for (const ast::TypeDim &dim : type.dims)
    dims.insert(place(dim.name.text) + (dim.optional ? "?" : ""));
  return fmt::format("{}[{}{}]", type.element ? place(type.element->text) : "float",
                     type.rest ? "..," : "", fmt::join(dims, ","));
}

std::string signature(const Callee &callee) {
  if (!callee.function)
    return "0(float[..,])float[..,]"; // elementwise
  const ast::Function &function = *callee.function;
  std::string text = fmt::format("{}(", function.dims.size());
  for (const ast::Arg &arg : function.args)
    if (arg.type)
      text += describe(function, *arg.type);
  return text + ")" + (function.result ? describe(function, *function.result) : "");
}

bool isBlock(const Callee &callee) {
  return callee.function && callee.function->kind == ast::FnKind::block;
}

} // namespace

std::optional<std::string> mismatch(const Static &value, const Static &like) {
  if (std::holds_alternative<bool>(like))
    return std::holds_alternative<bool>(value) ? std::nullopt
                                               : std::optional<std::string>("a switch");
  if (auto *number = std::get_if<StaticNumber>(&like)) {
    // A whole default is used as one: as a count, as an index.
    auto *given = std::get_if<StaticNumber>(&value);
    if (given && (given->whole || !number->whole))
      return std::nullopt;
    return number->whole ? "a whole number" : "a number";
  }
  auto *callee = std::get_if<Callee>(&value);
  const Callee &wanted = std::get<Callee>(like);
  bool fits = callee && signature(*callee) == signature(wanted);
  if (fits && (isBlock(wanted) || !isBlock(*callee))) // a block owns parameters
    return std::nullopt;
  return fmt::format("a function like `{}`", show(like));
}

} // namespace weft
