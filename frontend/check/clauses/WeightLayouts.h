// The layouts of a `weights` clause: made of the dimensions of what they lay out.
#pragma once

#include "frontend/check/clauses/Storages.h"

namespace weft::sema {

class LayoutChecker {
public:
  LayoutChecker(Module &module, const Storages &storages) : module(module), storages(storages) {}

  /// What a name stands for: what is picked of a parameter, and the layout of what is left.
  bool checkPart(const ast::RenameRule &rule, const ast::OwnPart &part);
  /// `Linear.weight: [out, in]`, of a block or a path.
  void checkLayout(const ast::LayoutRule &rule);

private:
  /// A layout, of what, and the rule that puts it together with others, or null.
  struct Layout {
    const ast::Path &path;
    const std::vector<ast::Group> &axes;
    const ast::RenameRule *rule;
  };

  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }
  void checkBlockLayout(const ast::LayoutRule &rule, const FunctionInfo &block);
  bool pickable(const ast::OwnPart &part);
  void notAPosition(const ast::At &at);
  std::optional<Type> picked(const ast::OwnPart &part, Type type);
  void lacks(const ast::Path &path, const ast::Name &name, const Type &type);
  bool splits(const ast::Rename &as, Type &type, Dims::iterator from);
  bool picks(const ast::At &at, Type &type, Dims::iterator along);
  bool compare(const Layout &layout, const Type &type, const DimScope &scope);
  bool fail(const Layout &layout, Span place, std::string message, const Type &type);

  Module &module;
  const Storages &storages;
};

} // namespace weft::sema
