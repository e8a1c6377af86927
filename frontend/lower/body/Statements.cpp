// Statements: what a body binds, repeats and chooses.
#include "frontend/lower/body/Demanding.h"
#include "frontend/syntax/Mentions.h"
#include "ir/model/infer/Align.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

std::optional<Tensor> Builder::body(const ast::Body &body, Scope &scope, Bind bind) {
  Tensor last;
  for (const ast::Stmt &stmt : body.stmts) {
    bool isLast = &stmt == &body.stmts.back();
    auto value = statement(stmt, scope, isLast ? bind : Bind{});
    if (!value)
      return std::nullopt;
    last = *value;
  }
  return last;
}

std::optional<Tensor> Builder::statement(const ast::Stmt &stmt, Scope &scope, Bind bind) {
  auto done = [](bool ok) { return ok ? std::optional(Tensor()) : std::nullopt; };
  auto valueOf = [](Tensor x) { return x ? std::optional(x) : std::nullopt; };
  Demanding demanding(*this, stmt.annotations);
  return std::visit(
      ast::Match{
          [&](const ast::DimDecl &decl) { return done(declareDims(decl, scope)); },
          [&](const ast::Storage &decl) { return done(storage(decl, stmt.span, scope)); },
          [&](const ast::Repeat &loop) { return done(repeat(loop, stmt.span, scope)); },
          [&](const ast::Value &value) { return valueOf(expression(*value.expr, scope, bind)); },
          [&](const ast::Let &let) {
            const std::string &name = let.name.text;
            sema::Binding binding = session.program.bindings.at(&let.name);
            Tensor x = expression(*let.value, scope, {name, binding.isFirst});
            if (x) {
              scope.values[binding.variable] = x;
              scope.frame.node->values[name] = x;
            }
            return valueOf(x);
          },
          [&](const ast::If &branch) -> std::optional<Tensor> {
            auto known = staticValue(*branch.condition, scope);
            auto *truth = known ? std::get_if<bool>(&*known) : nullptr;
            if (!truth) {
              error(Code::E0605, branch.condition->span,
                    "`if` needs a switch that is known at build time")
                  .suggest("set the sizes that it asks for, in a config or with `--set`; "
                           "`where(condition, a, b)` chooses by values");
              return std::nullopt;
            }
            if (*truth)
              return body(branch.then, scope, bind);
            return branch.otherwise ? body(*branch.otherwise, scope, bind) : Tensor();
          },
      },
      stmt.node);
}

bool Builder::declareDims(const ast::DimDecl &decl, Scope &scope) {
  for (const ast::DimDef &def : decl.defs) {
    auto lookup = [&](const ast::Name &name) -> std::optional<KnownSize> {
      return session.dims.size(dims(name, scope));
    };
    std::optional<KnownSize> size;
    std::vector<std::string> parts;
    if (def.size) {
      size = evaluateSize(*def.size, lookup,
                          [&](Code code, Span place, std::string message, std::string help) {
                            error(code, place, std::move(message)).suggest(std::move(help));
                          });
    } else {
      size = KnownSize::of(0);
      for (const ast::Name &part : def.parts) {
        DimAttr found = dims(part, scope).front();
        parts.push_back(found.str());
        size->polynomial = size->polynomial + session.dims.size(found).polynomial;
      }
      size->number = size->polynomial.constant();
    }
    if (!size)
      return false;
    if (size->number && (*size->number < 1 || *size->number > maxDimension)) {
      error(Code::E0603, def.span,
            fmt::format("the size of `{}` is {}", def.name.text, *size->number))
          .suggest(fmt::format("a size is from 1 to {}: change what it is made of", maxDimension));
      return false;
    }
    scope.dims[session.program.defined.at(&def)] = {
        session.dims.local(def, *size, std::move(parts))};
  }
  return true;
}

/// The values of a loop's body that are read from outside, each once, by the rest of their path.
std::vector<std::pair<std::string, Tensor>>
Builder::toStack(const Node &body, const std::vector<Names> &read, DimAttr dim) {
  std::vector<std::pair<std::string, Tensor>> found;
  for (const Names &path : read) {
    std::string key = fmt::format("{}", fmt::join(path, "."));
    if (llvm::any_of(found, [&](auto &known) { return known.first == key; }))
      continue;
    if (Tensor x = find(body, path); x && !x.has(dim)) // if not, the reader says what is missing
      found.emplace_back(std::move(key), x);
  }
  return found;
}

/// What a pass may leave as other whole numbers than positions was never more than whole numbers:
/// an argument that is declared `int` keeps what is known of it.
void Builder::widenCarried(model::RepeatOp loop, ArrayRef<const sema::Variable *> carried,
                           const Scope &inner) {
  auto isWider = [&](unsigned i) {
    DimAttr enters = model::typeOf(loop.getResult(i)).indexed();
    return enters && inner.values.at(carried[i]).type().indexed() != enters;
  };
  for (unsigned i = 0; i < carried.size();) {
    if (!isWider(i)) {
      ++i;
      continue;
    }
    OpBuilder before(loop);
    Value numbers =
        model::restated(before, loop.getLoc(), loop.getCarried()[i], before.getI32Type());
    loop->setOperand(i, numbers);
    loop.getResult(i).setType(numbers.getType());
    model::changeType(loop.getBody().getArgument(i), model::typeOf(numbers));
    i = 0; // others may be computed from it
  }
}

bool Builder::repeat(const ast::Repeat &loop, Span place, Scope &scope) {
  DimAttr dim = dims(loop.dim, scope).front();
  if (!requireStatic({dim}, loop.dim.span, "the number of passes"))
    return false;

  Scope inner = scope;
  inner.states.clear();
  inner.frame.enclosing.push_back(inner.frame.node);
  inner.frame.node = std::make_shared<Node>();
  inner.frame.node->isLoop = true;
  inner.frame.path.push_back(loop.dim.text);
  inner.frame.loops.push_back(dim);
  inner.frame.wanted.clear();
  for (const Names &path : scope.frame.wanted)
    if (path.size() > 1 && path.front() == loop.dim.text)
      inner.frame.wanted.emplace_back(path.begin() + 1, path.end());
  std::vector<Names> read = inner.frame.wanted; // from outside: these are stacked
  llvm::append_range(inner.frame.wanted, pathsIn(loop.body));

  const std::vector<const sema::Variable *> &carried = session.program.carried.at(&loop);
  SmallVector<Value> initial;
  SmallVector<Type> types;
  for (const sema::Variable *variable : carried) {
    Tensor entered = scope.values.at(variable);
    initial.push_back(entered.value);
    types.push_back(entered.type());
  }

  Location loc = at(place, carried.size() == 1 ? StringRef(carried[0]->name) : StringRef());
  auto op = model::RepeatOp::create(builder, loc, types, dim, initial, ValueRange{}, false);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getBody());
  for (auto [variable, type] : llvm::zip(carried, types)) {
    Tensor &x = inner.values[variable];
    x = {block->addArgument(type, at(place, variable->name))};
  }
  builder.setInsertionPointToEnd(block);
  if (!body(loop.body, inner, {}) || !writeStates(inner, place))
    return false;

  widenCarried(op, carried, inner);
  initial.assign(op.getCarried().begin(), op.getCarried().end());
  types.assign(op.getResultTypes().begin(), op.getResultTypes().end());
  SmallVector<Value> yields;
  for (auto [variable, type] : llvm::zip(carried, types)) {
    if (!isInt(inner.values[variable], place))
      return false;
    Tensor next = conform(inner.values[variable], cast<model::NamedTensorType>(type),
                          at(place, variable->name));
    yields.push_back(next.value);
  }
  std::vector<std::pair<std::string, Tensor>> stacked = toStack(*inner.frame.node, read, dim);
  for (auto &[path, x] : stacked) {
    DimList all = {dim};
    all.append(x.dims().begin(), x.dims().end());
    yields.push_back(x.value);
    types.push_back(model::NamedTensorType::get(builder.getContext(), x.type().getElement(), all));
  }
  model::YieldOp::create(builder, at(place), yields);
  if (!stacked.empty()) { // now that their types are known, the loop gets its further results
    builder.setInsertionPoint(op);
    auto whole =
        model::RepeatOp::create(builder, at(place), types, dim, initial, ValueRange{}, false);
    whole.getBody().takeBody(op.getBody());
    op.erase();
    op = whole;
  }

  ValueRange results = op.getResults();
  for (auto [variable, result] : llvm::zip(carried, results.take_front(carried.size()))) {
    Tensor &x = scope.values[variable];
    x = {result};
    scope.frame.node->values[variable->name] = x;
  }
  for (auto [path, result] : llvm::zip(stacked, results.drop_front(carried.size())))
    inner.frame.node->stacked[path.first] = {result};
  // What an earlier loop along the same dimension left is still read by its path.
  Instance &passes = scope.frame.node->instances[loop.dim.text];
  if (passes.node)
    inner.frame.node->stacked.insert(passes.node->stacked.begin(), passes.node->stacked.end());
  passes = {inner.frame.node, {}, {}};
  return true;
}

} // namespace weft::lower
