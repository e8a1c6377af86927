// Walks over the syntax tree.
#include "frontend/build/Walk.h"

namespace weft::build {

using ast::Match;

void walk(const ast::Expr &expr, const std::function<void(const ast::Expr &)> &visit) {
  visit(expr);
  auto go = [&](const ast::ExprPtr &e) {
    if (e)
      walk(*e, visit);
  };
  std::visit(Match{[&](const ast::Call &call) {
                     for (auto &arg : call.args)
                       go(arg);
                     for (auto &named : call.named)
                       go(named.value);
                   },
                   [&](const ast::Index &index) {
                     go(index.base);
                     for (auto &pick : index.picks)
                       if (auto *at = std::get_if<ast::At>(&pick))
                         go(at->index);
                   },
                   [&](const ast::Unary &unary) { go(unary.operand); },
                   [&](const ast::Binary &binary) {
                     go(binary.lhs);
                     go(binary.rhs);
                   },
                   [](const auto &) {}},
             expr.node);
}

void walk(const ast::Body &body, const std::function<void(const ast::Stmt &)> &visit,
          const std::function<bool(const ast::Stmt &)> &enter) {
  for (const ast::Stmt &stmt : body.stmts) {
    visit(stmt);
    if (!enter(stmt))
      continue;
    if (auto *repeat = stmt.as<ast::Repeat>())
      walk(repeat->body, visit, enter);
    if (auto *branch = stmt.as<ast::If>()) {
      walk(branch->then, visit, enter);
      if (branch->otherwise)
        walk(*branch->otherwise, visit, enter);
    }
  }
}

std::vector<const ast::Expr *> expressionsOf(const ast::Stmt &stmt) {
  std::vector<const ast::Expr *> found;
  auto add = [&](const ast::ExprPtr &e) {
    if (e)
      found.push_back(e.get());
  };
  std::visit(Match{[&](const ast::DimDecl &decl) {
                     for (auto &def : decl.defs) {
                       add(def.size);
                       add(def.bound);
                     }
                   },
                   [&](const ast::Storage &storage) { add(storage.init); },
                   [&](const ast::Let &let) { add(let.value); },
                   [&](const ast::If &branch) { add(branch.condition); },
                   [&](const ast::Value &value) { add(value.expr); }, [](const ast::Repeat &) {}},
             stmt.node);
  return found;
}

std::set<std::string> boundIn(const ast::Body &body) {
  std::set<std::string> names;
  walk(
      body,
      [&](const ast::Stmt &stmt) {
        if (auto *let = stmt.as<ast::Let>())
          names.insert(let->name.text);
      },
      [](const ast::Stmt &) { return true; });
  return names;
}

std::vector<std::vector<std::string>> pathsIn(const ast::Body &body) {
  std::vector<std::vector<std::string>> paths;
  auto visit = [&](const ast::Expr &expr) {
    if (auto *path = expr.as<ast::Path>()) {
      std::vector<std::string> names;
      for (const ast::Name &name : path->names)
        names.push_back(name.text);
      paths.push_back(std::move(names));
    }
  };
  walk(
      body,
      [&](const ast::Stmt &stmt) {
        for (const ast::Expr *expr : expressionsOf(stmt))
          walk(*expr, visit);
      },
      [](const ast::Stmt &stmt) { return !stmt.as<ast::Repeat>(); });
  return paths;
}

namespace {

struct NameCollector {
  std::set<std::string> names;

  void add(const ast::Name &name) { names.insert(name.text); }
  void add(const ast::Group &group) {
    for (const ast::Name &dim : group.dims)
      add(dim);
  }
  void add(const ast::Type &type) {
    if (type.element)
      add(*type.element);
    for (const ast::TypeDim &dim : type.dims)
      add(dim.name);
  }
  void add(const ast::Expr &expr) {
    walk(expr, [&](const ast::Expr &e) {
      if (auto *variable = e.as<ast::Variable>())
        add(variable->name);
      if (auto *call = e.as<ast::Call>()) {
        add(call->callee);
        for (const ast::Group &group : call->dims)
          add(group);
      }
      if (auto *index = e.as<ast::Index>())
        for (const ast::Pick &pick : index->picks)
          std::visit(Match{[&](const ast::Rename &rename) {
                             add(rename.from);
                             add(rename.to);
                           },
                           [&](const ast::At &at) { add(at.dim); }},
                     pick);
    });
  }
  void add(const ast::Stmt &stmt) {
    for (const ast::Expr *expr : expressionsOf(stmt))
      add(*expr);
    if (auto *decl = stmt.as<ast::DimDecl>())
      for (auto &def : decl->defs)
        for (const ast::Name &part : def.parts)
          add(part);
    if (auto *storage = stmt.as<ast::Storage>())
      add(storage->type);
    if (auto *repeat = stmt.as<ast::Repeat>())
      add(repeat->dim);
  }
};

} // namespace

std::set<std::string> namesIn(const ast::Function &function) {
  NameCollector collector;
  for (const ast::Arg &arg : function.args) {
    if (arg.type)
      collector.add(*arg.type);
    if (arg.value)
      collector.add(*arg.value);
  }
  if (function.result)
    collector.add(*function.result);
  for (const ast::Result &result : function.results)
    collector.add(result.type);
  walk(
      function.body, [&](const ast::Stmt &stmt) { collector.add(stmt); },
      [](const ast::Stmt &) { return true; });
  return std::move(collector.names);
}

} // namespace weft::build
