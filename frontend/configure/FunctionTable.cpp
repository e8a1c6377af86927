// Names of functions: the program's scope, the library's, and the primitives that can be passed.
#include "frontend/configure/Static.h"

#include "frontend/builtin/Primitives.h"

namespace weft {

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
  if (const Primitive *found = findPrimitive(name, false); found && isElementwise(*found))
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

} // namespace weft
