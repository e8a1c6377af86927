// Parameters and states: their names, types and first values.
#include "frontend/lower/body/Builder.h"
#include "ir/model/Arithmetic.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

/// Bytes of a tensor, or nothing if they do not fit a file.
static std::optional<int64_t> bytes(const DimTable &table, ArrayRef<DimAttr> dims) {
  int64_t total = 4;
  for (DimAttr dim : dims)
    if (__builtin_mul_overflow(total, table.size(dim).number.value_or(0), &total))
      return std::nullopt;
  return total;
}

/// Whether `value` can be what a state of ints, or of positions of `index`, begins with.
bool Builder::startsAsInt(double value, DimAttr index, const ast::Expr *init) {
  if (value != double(model::floorOf(value))) {
    error(Code::E0613, init->span, fmt::format("{} is no `int`", value))
        .suggest("an `int` is a whole number from -2147483648 to 2147483647");
    return false;
  }
  std::optional<int64_t> size = index ? session.dims.size(index).number : std::nullopt;
  if (!index || (value >= 0 && (!size || value < double(*size))))
    return true;
  error(Code::E0609, init->span,
        size ? fmt::format("{} is not an index of `{}`, whose size is {}", value,
                           session.dims.written(index), *size)
             : fmt::format("{} is not an index of `{}`", value, session.dims.written(index)))
      .suggest("positions count from 0");
  return false;
}

/// What the storage at `path` has besides a pass's own slice: a dimension for each loop around it.
/// Each once, for its name says what is in a file.
std::optional<DimList> Builder::stacked(const std::string &path, model::NamedTensorType slice,
                                        Span place, const Frame &frame) {
  DimList all;
  auto refuse = [&](DimAttr dim, const char *why) -> std::optional<DimList> {
    std::string name = session.dims.written(dim);
    error(Code::E0610, place, fmt::format("`{}` {}", path, fmt::format(fmt::runtime(why), name)))
        .suggest(fmt::format("declare another dimension of that size: `dim {0}2 = {0}`", name));
    return std::nullopt;
  };
  for (DimAttr dim : frame.loops) {
    if (llvm::is_contained(all, dim))
      return refuse(dim, "lies in two `repeat`s along `{}`, one inside of the other");
    all.push_back(dim);
  }
  for (DimAttr dim : slice.getDims()) {
    if (llvm::is_contained(all, dim))
      return refuse(dim, "has the dimension `{}` that is repeated");
    all.push_back(dim);
  }
  return all;
}

bool Builder::storage(const ast::Storage &declaration, Span place, Scope &scope) {
  const std::string &name = declaration.name.text;
  model::NamedTensorType slice = type(session.program.stored.at(&declaration), scope);
  if (!requireStatic(slice.getDims(), place, "storage has a fixed size"))
    return false;
  Frame &frame = scope.frame;
  Names names = frame.path;
  names.push_back(name);
  std::string path = fmt::format("{}", fmt::join(names, "."));
  if (!frame.optimizes.empty())
    path += "/" + frame.optimizes;

  std::optional<DimList> all = stacked(path, slice, place, frame);
  if (!all)
    return false;
  if (!bytes(session.dims, *all)) {
    error(Code::E0603, place, fmt::format("`{}` is too large", path))
        .suggest("make one of its dimensions smaller");
    return false;
  }
  auto stored = model::NamedTensorType::get(builder.getContext(), slice.getElement(), *all);
  Reads before = reads; // where training starts from is nothing that a trained model needs
  auto start = this->start(declaration.init.get(), scope);
  reads = std::move(before);
  if (!start) {
    error(Code::E0404, declaration.init->span,
          fmt::format("this cannot be the initial value of `{}`", path))
        .suggest("an initial value is a finite number; the spread of a random one is not negative "
                 "and no larger than floats that are drawn can be");
    return false;
  }
  if (slice.isWhole() && !startsAsInt(start->value, slice.indexed(), declaration.init.get()))
    return false;
  if (!declared.try_emplace(path, &declaration).second) {
    error(Code::E0608, place, fmt::format("`{}` is declared twice", path))
        .suggest("two instances of one name: give one of them a label");
    return false;
  }

  auto [found, isNew] = session.storage.try_emplace(path);
  Storage &known = found->second;
  bool state = declaration.kind == ast::StorageKind::state;
  auto kind = !frame.optimizes.empty() ? model::ParameterKind::optimizer
              : state                  ? model::ParameterKind::state
                                       : model::ParameterKind::parameter;
  if (!isNew) {
    if (known.op.getType() != stored || known.op.getKind() != kind) {
      auto show = [&](model::NamedTensorType t) {
        std::string text;
        for (DimAttr dim : t.getDims())
          text += (text.empty() ? "" : ", ") + session.dims.written(dim);
        return text;
      };
      error(Code::E0608, place, fmt::format("entries disagree about `{}`", path))
          .note(fmt::format("here [{}], before [{}]", show(stored),
                            show(cast<model::NamedTensorType>(known.op.getType()))))
          .suggest(
              "entries that share a parameter agree on its type: name one of them differently");
      return false;
    }
    if (known.op.getInit() != start->kind || known.op.getValue() != APFloat(start->value)) {
      error(Code::E0608, place, fmt::format("entries disagree about `{}`", path))
          .label(known.declaration->name.span, "here it starts as something else")
          .suggest(
              "what entries or trainings share starts in one way: name one of them differently");
      return false;
    }
  } else {
    OpBuilder declarations(builder.getContext());
    declarations.setInsertionPointToEnd(session.module.getBody());
    int64_t loops = frame.loops.size();
    FlatSymbolRefAttr of;
    if (!frame.optimizes.empty()) {
      loops += session.storage.find(frame.optimizes)->second.op.getLoops();
      of = FlatSymbolRefAttr::get(builder.getContext(), frame.optimizes);
    }
    known.declaration = &declaration;
    known.op = model::ParameterOp::create(declarations, at(place, path), path, stored, loops, kind,
                                          start->kind, APFloat(start->value), of,
                                          origin(declaration, scope));
  }

  Location loc = at(place, name);
  Tensor x{model::ParamOp::create(builder, loc, slice,
                                  FlatSymbolRefAttr::get(builder.getContext(), path))};
  const sema::Variable *variable = session.bound(declaration.name);
  scope.values[variable] = x;
  frame.node->values[name] = x;
  if (state)
    scope.states.push_back({variable, path, x.value});
  return true;
}

/// Whose storage it is, for `weights` clauses: the block, and its own dimensions with what fills
/// them.
model::OriginAttr Builder::origin(const ast::Storage &declaration, Scope &scope) {
  SmallVector<StringAttr> names;
  SmallVector<model::DimsAttr> filled;
  for (const ast::TypeDim &dim : declaration.type.dims) {
    names.push_back(builder.getStringAttr(dim.name.text));
    filled.push_back(model::DimsAttr::get(builder.getContext(), dims(dim.name, scope)));
  }
  StringRef block = active.empty() ? "" : StringRef(active.back()->name);
  return model::OriginAttr::get(builder.getContext(), builder.getStringAttr(block), names, filled);
}

/// Where `training` holds, the last value bound to a state is what the next run reads.
bool Builder::writeStates(Scope &scope, Span place) {
  if (!training)
    return true;
  for (const StateVariable &state : scope.states) {
    Tensor last = scope.values.at(state.variable);
    if (last.value == state.initial)
      continue;
    Location loc = at(place, state.variable->name);
    if (!isInt(last, place))
      return false;
    Tensor value = conform(last, model::typeOf(state.initial), loc);
    model::AssignOp::create(builder, loc, FlatSymbolRefAttr::get(builder.getContext(), state.path),
                            value.value);
  }
  return true;
}

} // namespace weft::lower
