// Names of functions: the program's scope, the library's, and the primitives that can be passed.
#include "frontend/build/Static.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace weft {

bool isUnaryPrimitive(std::string_view name) {
  static constexpr std::string_view names[] = {"exp", "log", "sqrt", "rsqrt",
                                               "sin", "cos", "tanh", "erf"};
  return llvm::is_contained(names, name);
}

FunctionTable::FunctionTable(const ast::Program &program) {
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations) {
      if (auto *derived = declaration.as<ast::DerivedEntry>())
        derived_.try_emplace(derived->name.text, derived);
      auto *function = declaration.as<ast::Function>();
      if (!function)
        continue;
      if (file.library)
        library.insert(function);
      auto &scope = function->kind == ast::FnKind::entry ? entries
                    : file.library                       ? library_
                                                         : program_;
      scope.try_emplace(function->name.text, function);
    }
}

const ast::Function *FunctionTable::find(std::string_view name, bool fromLibrary) const {
  if (!fromLibrary)
    if (auto found = program_.find(name); found != program_.end())
      return found->second;
  auto found = library_.find(name);
  return found == library_.end() ? nullptr : found->second;
}

std::optional<Callee> FunctionTable::callee(std::string_view name, bool fromLibrary) const {
  if (const ast::Function *function = find(name, fromLibrary))
    return Callee{function, ""};
  if (isUnaryPrimitive(name))
    return Callee{nullptr, std::string(name)};
  return std::nullopt;
}

const ast::Function *FunctionTable::entry(std::string_view name) const {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : found->second;
}

const ast::DerivedEntry *FunctionTable::derived(std::string_view name) const {
  auto found = derived_.find(name);
  return found == derived_.end() ? nullptr : found->second;
}

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string> &candidates) {
  unsigned best = std::max<size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string &candidate : candidates) {
    unsigned distance = llvm::StringRef(name).edit_distance(candidate, true, best);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

} // namespace weft
