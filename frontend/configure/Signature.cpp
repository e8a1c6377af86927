// Compares build-time values by kind, and functions by signature.
#include "frontend/configure/Signature.h"

#include <fmt/format.h>

namespace weft {
namespace {

/// A type with the function's own dimensions replaced by their place in its list.
std::string describe(const ast::Function &function, const ast::Type &type) {
  auto place = [&](const std::string &name) {
    for (size_t i = 0; i < function.dims.size(); ++i)
      if (function.dims[i].text == name)
        return fmt::format("#{}", i);
    return name;
  };
  std::string text = type.element ? place(type.element->text) : "float";
  text += type.rest ? "[.." : "[";
  for (const ast::TypeDim &dim : type.dims)
    text += "," + place(dim.name.text);
  return text + "]";
}

std::string signature(const Callee &callee) {
  if (!callee.function)
    return "0(float[..])";
  std::string text = fmt::format("{}(", callee.function->dims.size());
  for (const ast::Arg &arg : callee.function->args)
    if (arg.type)
      text += describe(*callee.function, *arg.type);
  return text + ")";
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
  if (callee && signature(*callee) == signature(std::get<Callee>(like)))
    return std::nullopt;
  return fmt::format("a function like `{}`", show(like));
}

} // namespace weft
