// The targets, by name and by the texts of their code.
#include "codegen/Target.h"

#include "llvm/ADT/STLExtras.h"

namespace weft {

llvm::ArrayRef<const Target *> targets() {
  static const Target *const all[] = {&cpuTarget(), &cudaTarget(), &emulatedTarget(), &cTarget()};
  return all;
}

const Target *targetNamed(llvm::StringRef name) {
  for (const Target *target : targets())
    if (target->name() == name)
      return target;
  return nullptr;
}

std::string targetNames() {
  std::string names;
  for (const Target *target : targets())
    names += (names.empty() ? "`" : ", `") + target->name().str() + "`";
  return names;
}

const Target *targetWithText(llvm::StringRef text) {
  for (const Target *target : targets())
    if (llvm::is_contained(target->texts(), text))
      return target;
  return nullptr;
}

} // namespace weft
