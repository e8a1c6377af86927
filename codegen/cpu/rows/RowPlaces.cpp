// Positions along dimensions, and the scopes of the loops.
#include "codegen/cpu/rows/RowPlaces.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

const Place *RowFrame::find(DimAttr dim) const {
  for (const auto &[name, place] : places)
    if (name == dim)
      return place;
  return nullptr;
}

RowFrame RowFrame::with(DimAttr dim, const Place *place) const {
  RowFrame result = without(dim);
  result.places.push_back({dim, place});
  return result;
}

RowFrame RowFrame::without(DimAttr dim) const {
  RowFrame result = *this;
  erase_if(result.places, [&](const auto &entry) { return entry.first == dim; });
  return result;
}

void Scopes::loop(Value *low, Value *high, Value *step, function_ref<void(Value *)> body) {
  emit::loop(builder, low, high, step, [&](Value *index) {
    open.back().leave = cast<PHINode>(index)->getIncomingBlock(0)->getTerminator();
    open.emplace_back();
    body(index);
    open.pop_back();
    open.back().leave = nullptr;
  });
}

Value *Scopes::at(unsigned level, function_ref<Value *()> emit) {
  if (level >= innermost())
    return emit();
  IRBuilderBase::InsertPointGuard guard(builder);
  builder.SetInsertPoint(open[level].leave);
  return emit();
}

Value *Scopes::known(const Key &key, unsigned level) const {
  auto at = open[level].values.find(key);
  return at == open[level].values.end() ? nullptr : at->second;
}

} // namespace weft::cpu
