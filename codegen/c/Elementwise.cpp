// Ops of the model dialect as C expressions and statements.
#include "codegen/c/Elementwise.h"

#include "ir/model/Arithmetic.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <charconv>
#include <cmath>

using namespace llvm;
using namespace weft::model;
using mlir::Operation;

namespace weft::c {

StringRef variableType(mlir::Type element, bool wide) {
  if (element.isF32())
    return wide ? "double" : "float";
  return element.isInteger(1) ? "bool" : "int32_t";
}

StringRef memoryType(mlir::Type element) {
  return element.isInteger(1) ? "uint8_t" : variableType(element, /*wide=*/false);
}

/// A number that C reads as the very same double.
static std::string literal(double value) {
  if (std::isnan(value))
    return "NAN";
  if (std::isinf(value))
    return value < 0 ? "(-INFINITY)" : "INFINITY";
  char shortest[32];
  std::string text(shortest, std::to_chars(shortest, std::end(shortest), value).ptr);
  if (StringRef(text).find_first_of(".e") == StringRef::npos)
    text += ".0";
  return std::signbit(value) ? "(" + text + ")" : text;
}

static std::string constant(ConstantOp op, bool wide) {
  if (auto number = dyn_cast<mlir::FloatAttr>(op.getValue()))
    return (wide ? "" : "(float)") + literal(number.getValueAsDouble());
  int64_t whole = cast<mlir::IntegerAttr>(op.getValue()).getValue().getSExtValue();
  if (typeOf(op).isBool())
    return whole ? "true" : "false";
  return formatv(whole < 0 ? "({0})" : "{0}", wrapped(whole));
}

/// An op of the model dialect on floats, and on whole numbers or switches: {0} to {2} are the
/// operands, {3} is what ends the name of a function of <math.h>.
static constexpr struct Form {
  StringLiteral op, onFloats, onOthers;
} forms[] = {
    {"neg", "-{0}", "weft_sub(0, {0})"},
    {"add", "{0} + {1}", "weft_add({0}, {1})"},
    {"sub", "{0} - {1}", "weft_sub({0}, {1})"},
    {"mul", "{0} * {1}", "weft_mul({0}, {1})"},
    {"div", "{0} / {1}", ""},
    // Unequal quotients of whole numbers differ by more than a double rounds.
    {"floordiv", "", "{1} == 0 ? 0 : weft_floor((double){0} / {1})"},
    {"mod", "weft_mod({0}, {1})", "{1} == 0 ? 0 : weft_mod({0}, {1})"},
    {"pow", "weft_pow({0}, {1})", ""},
    // NaN passes
    {"max", "{0} > {1} || {0} != {0} ? {0} : {1}", "{0} > {1} ? {0} : {1}"},
    {"min", "{0} < {1} || {0} != {0} ? {0} : {1}", "{0} < {1} ? {0} : {1}"},
    {"rsqrt", "1 / sqrt{3}({0})", ""},
    {"floor", "weft_floor({0})", ""},
    {"to_float", "", "{0}"},
    {"to_int", "", "{0}"},
    {"not", "", "!{0}"},
    {"and", "", "{0} && {1}"},
    {"or", "", "{0} || {1}"},
    {"where", "", "{0} ? {1} : {2}"},
};

std::string elementwise(Operation *op, ArrayRef<std::string> v, const Names &names, bool wide) {
  if (auto number = dyn_cast<ConstantOp>(op))
    return constant(number, wide);
  if (auto extent = dyn_cast<SizeOp>(op))
    return names.size(extent.getSize().getValue());
  if (auto clamp = dyn_cast<ClampOp>(op))
    return "fmin(fmax(" + v[0] + ", 0), " + names.extent(clamp.getDim()) + " - 1)";
  if (auto compare = dyn_cast<CompareOp>(op)) {
    constexpr const char *signs[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return v[0] + signs[static_cast<unsigned>(compare.getPredicate())] + v[1];
  }
  bool isFloat = typeOf(op->getOperand(0)).isFloat();
  for (const Form &form : forms)
    if (StringRef text = isFloat ? form.onFloats : form.onOthers;
        form.op == op->getName().stripDialect() && !text.empty())
      return formatv(false, text.data(), v[0], v.size() > 1 ? v[1] : "", v.size() > 2 ? v[2] : "",
                     wide ? "" : "f");
  if (isa<FloatFunctionOp>(op)) // which <math.h> has by the same name
    return (op->getName().stripDialect() + (wide ? "(" : "f(") + v[0] + ")").str();
  reportFatalInternalError("no C for " + op->getName().getStringRef());
}

Fold sumOf(mlir::Type element) {
  return element.isF32() ? Fold{"double", "0", "{0} += {1};"}
                         : Fold{"int32_t", "0", "{0} = weft_add({0}, {1});"};
}

Fold foldOf(Operation *op, bool wide) {
  mlir::Type element = typeOf(op->getOperand(0)).getElement();
  if (isa<SumOp>(op))
    return sumOf(element);
  bool isFloat = element.isF32();
  StringRef type = variableType(element, wide), lowest = isFloat ? "-INFINITY" : "INT32_MIN";
  if (isa<ReduceMinOp>(op))
    return {type, isFloat ? "INFINITY" : "INT32_MAX", "{0} = {0} < {1} || {0} != {0} ? {0} : {1};"};
  if (isa<ArgMaxOp>(op)) // positions rise: the first of equals stays; NaN is the largest
    return {type, lowest, "if ({0} == {0} && !({1} <= {0})) {0} = {1}, at{0} = (int32_t){2};"};
  return {type, lowest, "{0} = {0} > {1} || {0} != {0} ? {0} : {1};"};
}

} // namespace weft::c
