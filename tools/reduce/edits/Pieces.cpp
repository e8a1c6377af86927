// A walk over the tree.
#include "tools/reduce/edits/Pieces.h"

namespace weft::reduce {

using namespace ast;

std::vector<const Expr *> below(const Expr &expr) {
  std::vector<const Expr *> result;
  auto add = [&](const ExprPtr &child) {
    if (child)
      result.push_back(child.get());
  };
  std::visit(Match{[&](const Call &call) {
                     for (const ExprPtr &each : call.args)
                       add(each);
                     for (const NamedArg &each : call.named)
                       add(each.value);
                   },
                   [&](const Index &index) {
                     add(index.base);
                     for (const Pick &pick : index.picks)
                       if (auto *at = std::get_if<At>(&pick))
                         add(at->index);
                   },
                   [&](const Unary &unary) { add(unary.operand); },
                   [&](const Binary &binary) {
                     add(binary.lhs);
                     add(binary.rhs);
                   },
                   [](const auto &) {}},
             expr.node);
  return result;
}

void Pieces::add(const Expr *expr, const Function *function) {
  if (!expr)
    return;
  expressions.push_back({expr, function});
  for (const Expr *child : below(*expr))
    add(child, function);
}

void Pieces::add(const Body &body, const Function *function) {
  bodies.push_back({&body, function});
  for (const Stmt &stmt : body.stmts)
    std::visit(Match{[&](const DimDecl &dims) {
                       dimensions.push_back(&dims);
                       for (const DimDef &def : dims.defs) {
                         add(def.size.get(), function);
                         add(def.bound.get(), function);
                       }
                     },
                     [&](const Storage &storage) {
                       types.push_back(&storage.type);
                       add(storage.init.get(), function);
                     },
                     [&](const Let &let) { add(let.value.get(), function); },
                     [&](const Repeat &repeat) { add(repeat.body, function); },
                     [&](const If &choice) {
                       add(choice.condition.get(), function);
                       add(choice.then, function);
                       if (choice.otherwise)
                         add(*choice.otherwise, function);
                     },
                     [&](const ast::Value &value) { add(value.expr.get(), function); }},
               stmt.node);
}

void Pieces::add(const Function &function) {
  functions.push_back(&function);
  for (const Arg &arg : function.args) {
    if (arg.type)
      types.push_back(&*arg.type);
    add(arg.value.get(), &function);
  }
  if (function.result)
    types.push_back(&*function.result);
  for (const Result &result : function.results)
    types.push_back(&result.type);
  add(function.body, &function);
}

Pieces::Pieces(const std::string &text) {
  Diagnostics diagnostics;
  FileId id = sources.add("reduced.weft", text);
  file = parse(sources, id, diagnostics);
  parses = !diagnostics.hasErrors();
  for (const Declaration &declaration : file.declarations)
    std::visit(Match{[&](const DimDecl &dims) {
                       dimensions.push_back(&dims);
                       for (const DimDef &def : dims.defs) {
                         add(def.size.get(), nullptr);
                         add(def.bound.get(), nullptr);
                       }
                     },
                     [&](const OptionDecl &options) {
                       for (const Setting &setting : options.settings)
                         add(setting.value.get(), nullptr);
                     },
                     [&](const Function &function) { add(function); },
                     [&](const DerivedEntry &derived) { add(derived.expr.get(), nullptr); },
                     [&](const Config &config) {
                       for (const Setting &setting : config.settings)
                         add(setting.value.get(), nullptr);
                     },
                     [](const auto &) {}},
               declaration.node);
}

} // namespace weft::reduce
