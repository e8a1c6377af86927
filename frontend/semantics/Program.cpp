// Functions by name, as their two kinds of readers see them.
#include "frontend/semantics/Program.h"

namespace weft::sema {

FunctionInfo *Program::function(std::string_view name, bool fromLibrary) const {
  if (!fromLibrary)
    if (auto it = own.find(name); it != own.end())
      return it->second;
  if (auto it = library.find(name); it != library.end())
    return it->second;
  auto it = primitives.find(name);
  return it == primitives.end() ? nullptr : it->second;
}

std::vector<std::string> Program::functionNames(bool fromLibrary) const {
  std::vector<std::string> names = primitiveNames();
  for (const auto &[name, fn] : library)
    names.push_back(name);
  if (!fromLibrary)
    for (const auto &[name, fn] : own)
      names.push_back(name);
  return names;
}

} // namespace weft::sema
