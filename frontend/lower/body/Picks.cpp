// x[a as b] and x[d = index].
#include "frontend/lower/body/Builder.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

Tensor Builder::index(const ast::Index &index, Scope &scope, Bind bind) {
  Tensor x = expression(*index.base, scope, bind);
  for (const ast::Pick &pick : index.picks) {
    if (!x)
      return {};
    x = std::visit(
        ast::Match{
            [&](const ast::Rename &r) { return regroup(r, x, scope, at(r.from.span, bind.name)); },
            [&](const ast::At &a) { return this->pick(a, x, scope, at(a.dim.span, bind.name)); }},
        pick);
  }
  return x;
}

Tensor Builder::regroup(const ast::Rename &pick, Tensor x, Scope &scope, Location loc) {
  DimList from = dims(pick.from, scope), to = dims(pick.to, scope);
  KnownSize before = session.dims.size(from), after = session.dims.size(to);
  if (before.number && after.number && *before.number != *after.number) {
    error(Code::E0604, pick.to.span, "the sizes do not agree",
          fmt::format("size {}", *after.number))
        .label(pick.from.span, fmt::format("size {}", *before.number))
        .suggest("`as` keeps the number of elements: define one size by the others");
    return {};
  }
  // Groups that fill slots on both sides, pairwise alike, are that many renamings.
  bool pairwise = from.size() == to.size() && from.size() > 1;
  for (size_t i = 0; pairwise && i < from.size(); ++i)
    pairwise = !x.has(to[i]) && session.dims.sameSize(from[i], to[i]);
  if (pairwise) {
    for (auto [before, after] : llvm::zip(from, to))
      x = rename(x, before, after, loc);
    return x;
  }
  if (from.size() > 1 && to.size() > 1) {
    DimAttr whole = session.dims.merged(from);
    x = merge(x, from, whole, loc);
    from = {whole};
  }
  return {model::RegroupOp::create(builder, loc, x.value, from, to)};
}

Tensor Builder::pick(const ast::At &pick, Tensor x, Scope &scope, Location loc) {
  DimList along = dims(pick.dim, scope);
  DimAttr dim = along.front();
  if (auto *name = pick.index->as<ast::Variable>())
    if (auto *of = std::get_if<const sema::Dim *>(&session.meaning(name->name)))
      return part(x, dim, dims(*of, scope).front(), loc);
  if (along.size() > 1) { // a group filled the slot: index it as one, row-major
    dim = session.dims.merged(along);
    x = merge(x, along, dim, loc);
  }
  Tensor position = toWhole(expression(*pick.index, scope), loc);
  if (!position)
    return {};
  if (!isInt(position, pick.index->span) || !literalFits(position, dim, pick.index->span))
    return {};
  if (auto literal = position.value.getDefiningOp<model::ConstantOp>()) {
    int64_t number = cast<IntegerAttr>(literal.getValue()).getInt();
    return {model::PickOp::create(builder, loc, x.value, dim, static_cast<uint64_t>(number))};
  }
  if (position.has(dim) && x.has(dim)) {
    // The index runs along the dimension it replaces, `x[seq = other[seq]]`: the old one steps
    // aside.
    DimList taken(x.dims().begin(), x.dims().end());
    taken.append(position.dims().begin(), position.dims().end());
    DimAttr old = session.dims.fresh(dim, taken);
    x = rename(x, dim, old, loc);
    dim = old;
  }
  return {model::GatherOp::create(builder, loc, x.value, dim, position.value)};
}

} // namespace weft::lower
