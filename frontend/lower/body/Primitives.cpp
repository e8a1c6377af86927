// The primitives: what the language itself can do.
#include "frontend/builtin/Primitives.h"
#include "frontend/lower/body/Builder.h"
#include "ir/model/infer/Align.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

Tensor Builder::primitive(const Primitive &primitive, const ast::Call &call, Span place,
                          Scope &scope, Location loc) {
  StringRef name = primitive.name;
  if (name == "index" || name == "size")
    return ofDimension(name, call, scope, loc);
  if (name == "floor")
    return floorOf(call, scope, loc);
  DimList all;
  for (const ast::Group &group : call.dims)
    llvm::append_range(all, dims(group, scope));
  std::vector<Tensor> args;
  for (const ast::ExprPtr &arg : call.args) {
    Tensor x = expression(*arg, scope);
    if (!x)
      return {};
    args.push_back(x);
  }
  if (name == "where")
    return where(call, std::move(args), loc);
  if (name == "stack")
    return stack(call, all, std::move(args), loc);
  if (name == "concat")
    return concat(call, all, std::move(args), scope, loc);
  if (name == "random")
    return random(args[0], scope, loc);
  if (!call.dims.empty())
    return overDims(name, call, args[0], all, loc);
  if (args.size() == 1)
    return {model::floatFunction(builder, loc, name, toFloat(toWhole(args[0], loc), loc).value)};
  args = {toWhole(args[0], loc), toWhole(args[1], loc)};
  if (!unify(args, place, loc))
    return {};
  if (name == "max")
    return {model::MaxOp::create(builder, loc, args[0].value, args[1].value)};
  return {model::MinOp::create(builder, loc, args[0].value, args[1].value)};
}

/// `index(d)` and `size(d)`.
Tensor Builder::ofDimension(StringRef name, const ast::Call &call, Scope &scope, Location loc) {
  DimList all = dims(call.args[0]->as<ast::Variable>()->name, scope);
  return name == "size" ? extent(all, loc) : positions(all, loc);
}

Tensor Builder::extent(const DimList &dims, Location loc) {
  KnownSize size = session.dims.size(dims);
  if (size.number)
    return constant(*size.number, loc);
  return {model::SizeOp::create(builder, loc,
                                model::SizeAttr::get(builder.getContext(), size.polynomial)),
          size.polynomial};
}

/// Positions along one dimension, or row-major along a group of them.
Tensor Builder::positions(const DimList &dims, Location loc) {
  Tensor all;
  for (DimAttr dim : dims) {
    Tensor one{model::IndexOp::create(builder, loc, dim)};
    if (!all) {
      all = one;
      continue;
    }
    Tensor size = extent({dim}, loc);
    Value rows = model::MulOp::create(builder, loc, all.value, size.value);
    all = {model::AddOp::create(builder, loc, rows, one.value)};
  }
  return all;
}

/// `floor(a / b)` of whole numbers is exact; of anything else it is a float that is cut.
Tensor Builder::floorOf(const ast::Call &call, Scope &scope, Location loc) {
  auto *division = call.args[0]->as<ast::Binary>();
  Tensor x;
  if (division && division->op == ast::BinaryOp::divide) {
    Tensor a = expression(*division->lhs, scope);
    Tensor b = a ? expression(*division->rhs, scope) : Tensor();
    if (!b)
      return {};
    a = toWhole(a, loc);
    b = toWhole(b, loc);
    if (!isInt(a, division->lhs->span) || !isInt(b, division->rhs->span))
      return {};
    if (a.isWhole() && b.isWhole())
      return {model::FloorDivOp::create(builder, loc, a.value, b.value)};
    x = binary(division->op, division->opSpan, a, b, at(call.args[0]->span));
  } else {
    x = expression(*call.args[0], scope);
  }
  x = toWhole(x, loc);
  if (!x || x.isWhole())
    return x;
  return {model::FloorOp::create(builder, loc, x.value)};
}

Tensor Builder::where(const ast::Call &call, std::vector<Tensor> args, Location loc) {
  Value condition = args[0].value;
  args.erase(args.begin());
  if (!literalFits(args[0], args[1].type().indexed(), call.args[1]->span) ||
      !literalFits(args[1], args[0].type().indexed(), call.args[2]->span))
    return {};
  if (!unify(args, call.args[1]->span, loc))
    return {};
  return {model::WhereOp::create(builder, loc, condition, args[0].value, args[1].value)};
}

/// Everything that a primitive does along dimensions in brackets.
Tensor Builder::overDims(StringRef name, const ast::Call &call, Tensor x, const DimList &dims,
                         Location loc) {
  if (!isInt(x, call.args[0]->span))
    return {};
  if (name == "clamp")
    return clamp(toWhole(x, loc), dims, loc);
  if (name == "expand")
    return widen(x, dims, loc);
  if (name == "top")
    return top(call, toWhole(x, loc), dims, loc);
  x = toWhole(x, loc);
  if (name == "argmax")
    return argmax(x, dims, loc);
  if (name == "cumsum")
    return cumsum(x, dims, loc);
  if (name == "sum")
    return {model::SumOp::create(builder, loc, dims, x.value)};
  if (name == "max")
    return {model::ReduceMaxOp::create(builder, loc, dims, x.value)};
  return {model::ReduceMinOp::create(builder, loc, dims, x.value)};
}

Tensor Builder::clamp(Tensor x, const DimList &dims, Location loc) {
  if (dims.size() == 1)
    return {model::ClampOp::create(builder, loc, dims[0], x.value)};
  Tensor size = extent(dims, loc), one = constant(int64_t(1), loc),
         zero = constant(int64_t(0), loc);
  Value last = model::SubOp::create(builder, loc, size.value, one.value);
  Value low = model::MaxOp::create(builder, loc, x.value, zero.value);
  return {model::MinOp::create(builder, loc, low, last)};
}

Tensor Builder::argmax(Tensor x, const DimList &dims, Location loc) {
  DimAttr dim = dims[0];
  if (dims.size() > 1) {
    dim = session.dims.merged(dims);
    x = merge(x, dims, dim, loc);
  }
  return {model::ArgMaxOp::create(builder, loc, ArrayRef(dim), x.value)};
}

Tensor Builder::cumsum(Tensor x, const DimList &dims, Location loc) {
  if (dims.size() == 1)
    return {model::CumSumOp::create(builder, loc, dims[0], x.value, false)};
  DimAttr dim = session.dims.merged(dims);
  Value merged = merge(x, dims, dim, loc).value;
  Value sums = model::CumSumOp::create(builder, loc, dim, merged, false);
  return {model::RegroupOp::create(builder, loc, sums, ArrayRef(dim), dims)};
}

Tensor Builder::top(const ast::Call &call, Tensor x, const DimList &dims, Location loc) {
  Span place = call.callee.span;
  DimAttr k = dims[0], dim = dims[1];
  if (!requireStatic({k}, place, "`top` gives that many"))
    return {};
  auto count = session.dims.size(k).number, size = session.dims.size(dim).number;
  if (size && *count > *size) {
    error(Code::E0609, place,
          fmt::format("`{}` ({}) is more than `{}` has ({})", session.dims.written(k), *count,
                      session.dims.written(dim), *size))
        .suggest(fmt::format("set `{}` to at most {}", k.str(), *size));
    return {};
  }
  return {model::TopOp::create(builder, loc, k, dim, x.value)};
}

Tensor Builder::random(Tensor x, Scope &scope, Location loc) {
  std::string path = fmt::format("{}", fmt::join(scope.frame.path, "."));
  int nth = randoms[path]++;
  if (nth || path.empty())
    path += fmt::format("#{}", nth);
  auto type = model::NamedTensorType::get(builder.getContext(), builder.getF32Type(), x.dims());
  return {model::RandomOp::create(builder, loc, type, builder.getStringAttr(path))};
}

} // namespace weft::lower
