// Dimensions and sizes as C text.
#ifndef WEFT_CODEGEN_C_NAMES_H
#define WEFT_CODEGEN_C_NAMES_H

#include "ir/kernel/DimTable.h"

namespace weft::c {

/// `text` as part of an identifier. Several may be one there.
std::string identifier(llvm::StringRef text);
/// `text` inside a comment, which it cannot end.
std::string comment(llvm::StringRef text);

/// What the dimensions of a program are called in C. A loop over `seq` has the variable `i_seq`,
/// and runs to `SIZE_seq`: a number, or what the argument `sizes` of every function has.
class Names {
public:
  explicit Names(mlir::ModuleOp module);

  /// The variable of a loop over `dim`.
  std::string loop(llvm::StringRef dim) const { return "i_" + identifiers.find(dim)->second; }
  /// The number of positions along `dim`, an int64_t.
  std::string extent(llvm::StringRef dim) const { return "SIZE_" + identifiers.find(dim)->second; }
  /// `size` as an int64_t, in parentheses where it is more than one word.
  std::string size(const Size &size) const;
  /// `#define SIZE_… …` for each dimension.
  std::string definitions() const;

  const kernel::DimTable table;

private:
  llvm::StringMap<std::string> identifiers;
};

} // namespace weft::c

#endif // WEFT_CODEGEN_C_NAMES_H
