// Facts about the program that calls need: where things stand and which dimensions they speak of.
#include "frontend/lower/session/Session.h"

#include "frontend/syntax/Mentions.h"

namespace weft::lower {

const std::set<std::string> &Session::mentions(const sema::FunctionInfo &function) {
  auto [found, isNew] = mentioned.try_emplace(&function);
  if (!isNew || function.library)
    return found->second;
  Mentions all = weft::mentions(*function.syntax);
  for (const ast::Call *call : all.calls)
    all.variables.push_back(&call->callee);
  std::set<std::string> dims;
  for (const auto *names : {&all.dims, &all.variables, &all.equations})
    for (const ast::Name *name : *names) {
      auto known = program.meanings.find(name);
      if (known == program.meanings.end())
        continue; // a name of the signature, which its arguments say
      const sema::FunctionInfo *callee = nullptr;
      if (auto *dim = std::get_if<const sema::Dim *>(&known->second)) {
        if ((*dim)->kind == sema::Dim::Kind::file)
          dims.insert((*dim)->name);
      } else if (auto *fn = std::get_if<const sema::FunctionInfo *>(&known->second)) {
        callee = *fn;
      } else if (auto *option = std::get_if<const sema::OptionInfo *>(&known->second)) {
        const Static &value = configuration.options.find((*option)->syntax->name.text)->second;
        if (auto *chosen = std::get_if<Callee>(&value))
          callee = *chosen;
      }
      if (callee && callee->syntax && callee != &function) {
        const std::set<std::string> &more = mentions(*callee);
        dims.insert(more.begin(), more.end());
      }
    }
  return mentioned[&function] = std::move(dims);
}

mlir::Location Session::locate(Span span, llvm::StringRef name) {
  Position position = sources.position(span);
  mlir::MLIRContext *context = module.getContext();
  mlir::Location place = mlir::FileLineColLoc::get(context, sources.file(span.file).name(),
                                                   position.line, position.column);
  if (name.empty())
    return place;
  return mlir::NameLoc::get(mlir::StringAttr::get(context, name), place);
}

} // namespace weft::lower
