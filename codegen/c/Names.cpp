// Dimensions and sizes as C text.
#include "codegen/c/Names.h"

#include "ir/size/SizeOrder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace weft::c {

std::string identifier(StringRef text) {
  std::string result = text.str();
  std::replace_if(result.begin(), result.end(), [](char c) { return !isAlnum(c); }, '_');
  return result;
}

std::string comment(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '*' || c == '\n' || c == '\\' ? ' ' : c;
  return result;
}

Names::Names(mlir::ModuleOp module) : table(kernel::DimTable::of(module)) {
  // <stdint.h> defines SIZE_MAX and, from C23 on, SIZE_WIDTH.
  std::set<std::string> given = {"MAX", "WIDTH"};
  for (auto dim : module.getOps<model::DimOp>()) {
    std::string name = identifier(dim.getSymName());
    while (!given.insert(name).second)
      name += '_';
    identifiers[dim.getSymName()] = name;
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
