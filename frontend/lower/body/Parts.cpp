// Building from parts and taking them: stack, concat, x[d = part].
#include "frontend/lower/body/Builder.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

/// All dimensions of `values`, left to right, without those in `except`.
static DimList allDims(ArrayRef<Tensor> values, ArrayRef<DimAttr> except) {
  DimList all;
  for (const Tensor &x : values)
    for (DimAttr dim : x.dims())
      if (!llvm::is_contained(except, dim) && !llvm::is_contained(all, dim))
        all.push_back(dim);
  return all;
}

Tensor Builder::stack(const ast::Call &call, const DimList &dims, std::vector<Tensor> parts,
                      Location loc) {
  Span place = call.dims[0].span;
  if (!requireStatic(dims, place, "`stack` counts its values"))
    return {};
  int64_t size = *session.dims.size(dims[0]).number;
  if (size != static_cast<int64_t>(parts.size())) {
    error(Code::E0609, place,
          fmt::format("`{}` is {} long, and {} values are stacked", dims[0].str(), size,
                      parts.size()))
        .suggest(fmt::format("set `{}` to {}", dims[0].str(), parts.size()));
    return {};
  }
  if (!unify(parts, place, loc))
    return {};
  DimList all = allDims(parts, {});
  SmallVector<Value> values;
  for (Tensor &x : parts)
    values.push_back(widen(x, all, loc).value);
  return {model::StackOp::create(builder, loc, dims[0], values)};
}

Tensor Builder::concat(const ast::Call &call, const DimList &dims, std::vector<Tensor> inputs,
                       Scope &scope, Location loc) {
  Span place = call.dims[0].span;
  auto parts = session.dims.parts(dims[0]);
  if (!unify(inputs, place, loc))
    return {};
  DimList all = allDims(inputs, parts);
  // The large one keeps its order in memory, as in arithmetic, and the others take it on.
  auto large = llvm::find_if(inputs, [&](const Tensor &x) { return x.dims().size() > all.size(); });
  SmallVector<Value> values;
  for (auto [x, part] : llvm::zip(inputs, parts))
    if (large == inputs.end()) {
      values.push_back(widen(x, all, loc).value);
    } else {
      DimList order(large->dims());
      llvm::replace(order, parts[large - inputs.begin()], part);
      auto type = model::NamedTensorType::get(builder.getContext(), x.type().getElement(), order);
      values.push_back(conform(x, type, loc).value);
    }
  return {model::ConcatOp::create(builder, loc, dims[0], parts, values)};
}

Tensor Builder::part(Tensor x, DimAttr dim, DimAttr part, Location loc) {
  Size offset = Size::number(0);
  for (DimAttr other : session.dims.parts(dim)) {
    if (other == part)
      break;
    offset = offset + session.dims.size(other).polynomial;
  }
  return {model::PartOp::create(builder, loc, x.value, dim, part,
                                model::SizeAttr::get(builder.getContext(), offset))};
}

} // namespace weft::lower
