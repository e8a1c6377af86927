// A module of many functions  ==>  parts, which LLVM compiles side by side.
#ifndef WEFT_CODEGEN_HOST_PARTS_MODULEPARTS_H
#define WEFT_CODEGEN_HOST_PARTS_MODULEPARTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft {

/// How many parts are worth their while: of the module alone, so that a program has the same code
/// wherever it is built.
unsigned partsWorthwhile(const llvm::Module &module);

/// A module cut into parts. Each function is in one of them, together with what it calls and LLVM
/// may inline; functions that are never inlined (`noinline`) or go by their addresses are called
/// across parts, by names that nothing else in a program has, hidden from whoever links it.
/// Constants that no other module sees are in every part that reads them; other variables, and what
/// other modules see, are in one.
class ModuleParts {
public:
  /// Renames what is used across parts in `module`, which is then no longer wanted.
  ModuleParts(llvm::Module &module, unsigned count);

  /// One of them, as a module of its own in `context`, called as the whole and its number. Of
  /// several threads at once, if each has its own context.
  std::unique_ptr<llvm::Module> part(unsigned number, llvm::LLVMContext &context) const;

private:
  std::string name;
  llvm::StringMap<unsigned> partOf; ///< of each function with a body, by its name
  llvm::SmallVector<char, 0> bitcode;
};

} // namespace weft

#endif // WEFT_CODEGEN_HOST_PARTS_MODULEPARTS_H
