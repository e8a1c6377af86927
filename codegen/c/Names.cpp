// Dimensions and sizes as C text.
#include "codegen/c/Names.h"

#include "ir/model/SizeOrder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace llvm;

namespace weft::c {

std::string identifier(StringRef text) {
  std::string result;
  for (char c : text)
    result += isAlnum(c) || c == '_' ? std::string(1, c)
              : c == '.'             ? "_"
                                     : formatv("x{0:x-2}", uint8_t(c)).str();
  return result;
}

std::string comment(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '*' || c == '\n' || c == '\\' ? ' ' : c;
  return result;
}

/// Words of C, names of the functions that kernels call, and those that emitted code has itself.
static bool isTaken(StringRef name) {
  static const char *const words =
      " auto break case char const continue default do double else enum extern float for goto if "
      "inline int long register restrict return short signed sizeof static struct switch typedef "
      "union unsigned void volatile while bool true false exp log sin cos tanh erf sqrt expf logf "
      "sinf cosf tanhf erff sqrtf asm errno sizes buffers begin end scratch call draws sum last "
      "best rank ";
  // v0, r1, atr1, p2: values, reductions, positions; in3, out4, b5, key6, slot7, packed8: buffers.
  bool numbered = isDigit(name.back()) &&
                  is_contained({"v", "r", "in", "out", "atr", "p", "b", "key", "slot", "packed"},
                               name.rtrim("0123456789"));
  return numbered || StringRef(words).contains((" " + name + " ").str()) ||
         !isAlpha(name.front()) || name.starts_with("weft_") ||
         (name.size() > 2 && none_of(name, isLower)); // NAN, NULL
}

Names::Names(mlir::ModuleOp module) : table(kernel::DimTable::of(module)) {
  std::set<std::string> given;
  for (auto dim : module.getOps<model::DimOp>()) {
    std::string name = identifier(dim.getSymName());
    while (isTaken(name) || !given.insert(name).second)
      name = isAlpha(name.front()) ? name + "_" : "d" + name;
    loops[dim.getSymName()] = name;
  }
}

std::string Names::size(const Size &size) const {
  if (std::optional<int64_t> number = table.known(size))
    return std::to_string(*number);
  Fraction parts = fraction(size);
  auto text = [&](const Size &part) {
    std::string sum =
        part.substitute([&](const std::string &name) { return Size::dim(extent(name)); }).str();
    return StringRef(sum).contains(' ') ? "(" + sum + ")" : sum;
  };
  bool whole = parts.below == Size::number(1);
  return whole ? text(parts.above) : "(" + text(parts.above) + " / " + text(parts.below) + ")";
}

std::string Names::checked(const Size &size) const {
  Fraction parts = fraction(size);
  if (!(parts.below == Size::number(1)))
    return "weft_quotient(" + checked(parts.above) + ", " + checked(parts.below) + ")";
  std::string sum;
  for (const auto &[powers, coefficient] : parts.above.terms()) {
    std::string term = formatv("weft_number({0})", coefficient.numerator);
    for (const auto &[name, power] : powers)
      for (int i = 0; i < power; ++i)
        term = "weft_times(" + term + ", " + extent(name) + ")";
    sum = sum.empty() ? term : "weft_plus(" + sum + ", " + term + ")";
  }
  return sum.empty() ? "weft_number(0)" : sum;
}

std::string Names::definitions() const {
  SmallVector<std::string> lines(table.dims.size());
  for (const auto &[dim, entry] : table.dims) {
    std::string value = entry.size ? formatv("INT64_C({0})", *entry.size).str()
                                   : formatv("sizes[{0}]", entry.number).str();
    lines[entry.number] = "#define " + extent(dim) + " " + value + "\n";
  }
  return join(lines, "");
}

} // namespace weft::c
