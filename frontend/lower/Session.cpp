// Facts about the program that calls need: where things stand and which dimensions they speak of.
#include "frontend/lower/Session.h"

#include "frontend/syntax/Mentions.h"

namespace weft::lower {

const std::set<std::string> &Session::mentions(const ast::Function &function) {
  auto [found, isNew] = mentioned.try_emplace(&function);
  if (!isNew || functions.inLibrary(&function))
    return found->second;
  Mentions all = weft::mentions(function);
  std::set<std::string> names, dims;
  for (const auto *list : {&all.dims, &all.variables, &all.equations})
    for (const ast::Name *name : *list)
      names.insert(name->text);
  for (const ast::Call *call : all.calls)
    names.insert(call->callee.text);
  for (const std::string &name : names) {
    if (configuration.dim(name))
      dims.insert(name);
    const ast::Function *callee = functions.find(name, false);
    if (auto option = configuration.options.find(name); option != configuration.options.end())
      if (auto *value = std::get_if<Callee>(&option->second))
        callee = value->function;
    if (callee && callee != &function) {
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
