// One walk over a function's tree.
#include "frontend/syntax/Mentions.h"

namespace weft {

std::vector<const ast::Name *> namesIn(const ast::DimDef &def) {
  std::vector<const ast::Name *> names;
  std::vector<const ast::Expr *> pending;
  for (const ast::ExprPtr *expr : {&def.size, &def.bound})
    if (*expr)
      pending.push_back(expr->get());
  while (!pending.empty()) {
    const ast::Expr *expr = pending.back();
    pending.pop_back();
    if (auto *variable = expr->as<ast::Variable>())
      names.push_back(&variable->name);
    if (auto *binary = expr->as<ast::Binary>()) {
      pending.push_back(binary->rhs.get());
      pending.push_back(binary->lhs.get());
    }
  }
  for (const ast::Name &part : def.parts)
    names.push_back(&part);
  return names;
}

namespace {

class Walk {
public:
  Mentions out;

  void function(const ast::Function &fn) {
    for (const ast::Arg &arg : fn.args) {
      out.bound.push_back(&arg.name);
      if (arg.type)
        type(*arg.type);
      if (arg.value)
        expr(*arg.value);
    }
    if (fn.result)
      type(*fn.result);
    for (const ast::Result &result : fn.results)
      type(result.type);
    body(fn.body);
  }

  void expr(const ast::Expr &e) {
    std::visit(ast::Match{
                   [](const ast::Number &) {},
                   [](const ast::Bool &) {},
                   [&](const ast::Path &path) { out.paths.push_back(&path); },
                   [&](const ast::Variable &variable) { out.variables.push_back(&variable.name); },
                   [&](const ast::Call &call) {
                     out.calls.push_back(&call);
                     if (call.label)
                       out.labels.push_back(&*call.label);
                     for (const ast::Group &dims : call.dims)
                       group(dims);
                     for (const ast::ExprPtr &arg : call.args)
                       expr(*arg);
                     for (const ast::NamedArg &arg : call.named)
                       expr(*arg.value);
                   },
                   [&](const ast::Index &index) {
                     expr(*index.base);
                     for (const ast::Pick &p : index.picks)
                       pick(p);
                   },
                   [&](const ast::Unary &unary) { expr(*unary.operand); },
                   [&](const ast::Binary &binary) {
                     expr(*binary.lhs);
                     expr(*binary.rhs);
                   },
               },
               e.node);
  }

  void body(const ast::Body &body) {
    for (const ast::Stmt &stmt : body.stmts)
      std::visit(ast::Match{
                     // The size of a local dimension carries none of those in its equation.
                     [&](const ast::DimDecl &decl) {
                       for (const ast::DimDef &def : decl.defs) {
                         out.declared.push_back(&def.name);
                         std::vector<const ast::Name *> names = namesIn(def);
                         out.equations.insert(out.equations.end(), names.begin(), names.end());
                       }
                     },
                     [&](const ast::Storage &storage) {
                       out.bound.push_back(&storage.name);
                       type(storage.type);
                       if (storage.init)
                         expr(*storage.init);
                     },
                     [&](const ast::Let &let) {
                       out.bound.push_back(&let.name);
                       expr(*let.value);
                     },
                     [&](const ast::Repeat &repeat) {
                       out.dims.push_back(&repeat.dim);
                       this->body(repeat.body);
                     },
                     [&](const ast::If &choice) {
                       expr(*choice.condition);
                       this->body(choice.then);
                       if (choice.otherwise)
                         this->body(*choice.otherwise);
                     },
                     [&](const ast::Value &value) { expr(*value.expr); },
                 },
                 stmt.node);
  }

private:
  void group(const ast::Group &group) {
    for (const ast::Name &name : group.dims)
      out.dims.push_back(&name);
  }

  void type(const ast::Type &type) {
    if (type.element)
      out.dims.push_back(&*type.element);
    for (const ast::TypeDim &dim : type.dims)
      out.dims.push_back(&dim.name);
  }

  void pick(const ast::Pick &pick) {
    if (auto *rename = std::get_if<ast::Rename>(&pick)) {
      group(rename->from);
      group(rename->to);
      return;
    }
    auto &at = std::get<ast::At>(pick);
    out.dims.push_back(&at.dim);
    expr(*at.index);
  }
};

} // namespace

Mentions mentions(const ast::Function &fn) {
  Walk walk;
  walk.function(fn);
  return std::move(walk.out);
}

Mentions mentions(const ast::Body &body) {
  Walk walk;
  walk.body(body);
  return std::move(walk.out);
}

Mentions mentions(const ast::Expr &expr) {
  Walk walk;
  walk.expr(expr);
  return std::move(walk.out);
}

} // namespace weft
