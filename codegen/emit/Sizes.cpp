// Sizes of a run as LLVM values.
#include "codegen/emit/Sizes.h"

#include "llvm/Support/ErrorHandling.h"
#include <numeric>

using namespace llvm;

namespace weft::emit {

Value *Sizes::extent(IRBuilderBase &builder, StringRef dim, Value *sizes) const {
  auto at = dims.dims.find(dim);
  if (at == dims.dims.end())
    reportFatalInternalError("no dimension `" + dim + "` in the table of the kernels");
  if (at->second.size)
    return builder.getInt64(*at->second.size);
  Type *type = builder.getInt64Ty();
  Value *slot = builder.CreateConstInBoundsGEP1_64(type, sizes, at->second.number);
  return builder.CreateLoad(type, slot, dim);
}

Value *Sizes::size(IRBuilderBase &builder, const Size &size, Value *sizes) const {
  if (std::optional<int64_t> value = known(size))
    return builder.getInt64(*value);
  // A sum of quotients is exact as a whole, not term by term: (seq + 1) / 2. So all terms share one
  // denominator.
  int64_t denominator = 1;
  Size::Monomial below;
  for (const auto &[powers, coefficient] : size.terms()) {
    denominator = std::lcm(denominator, coefficient.denominator);
    for (const auto &[name, power] : powers)
      if (power < 0)
        below[name] = std::max(below[name], -power);
  }
  auto product = [&](int64_t factor, const Size::Monomial &powers) {
    Value *value = builder.getInt64(factor);
    for (const auto &[name, power] : powers) {
      // A divisor that is a sum is a name too: the text of that sum, in parentheses.
      Value *base = name.front() == '(' ? this->size(builder, *Size::parse(name), sizes)
                                        : extent(builder, name, sizes);
      for (int i = 0; i < power; ++i)
        value = builder.CreateNSWMul(value, base);
    }
    return value;
  };
  Value *sum = builder.getInt64(0);
  for (const auto &[powers, coefficient] : size.terms()) {
    Size::Monomial raised = powers;
    for (const auto &[name, power] : below)
      raised[name] += power;
    int64_t factor = coefficient.numerator * (denominator / coefficient.denominator);
    sum = builder.CreateNSWAdd(sum, product(factor, raised));
  }
  if (denominator == 1 && below.empty())
    return sum;
  return builder.CreateExactSDiv(sum, product(denominator, below));
}

Value *Sizes::offset(IRBuilderBase &builder, const Walk &walk, Value *index, Value *sizes) const {
  Value *sum = builder.getInt64(0);
  Value *rest = index;
  for (size_t i = walk.groups.size(); i-- > 0;) {
    Value *position = rest;
    if (i > 0) {
      Value *extent = size(builder, walk.groups[i].extent, sizes);
      position = builder.CreateURem(rest, extent);
      rest = builder.CreateUDiv(rest, extent);
    }
    if (walk.groups[i].stride == Size::number(0))
      continue;
    Value *stride = size(builder, walk.groups[i].stride, sizes);
    sum = builder.CreateNSWAdd(sum, builder.CreateNSWMul(position, stride));
  }
  return sum;
}

std::optional<SmallVector<unsigned>> sizesRead(Argument *sizes) {
  SmallVector<unsigned> reads;
  for (User *user : sizes->users()) {
    APInt offset(64, 0);
    auto *place = dyn_cast<GetElementPtrInst>(user);
    if (place ? !place->accumulateConstantOffset(place->getModule()->getDataLayout(), offset)
              : !isa<LoadInst>(user))
      return std::nullopt;
    if (place && !all_of(place->users(), [](User *each) { return isa<LoadInst>(each); }))
      return std::nullopt;
    reads.push_back(offset.getZExtValue() / sizeof(int64_t));
  }
  sort(reads);
  reads.erase(llvm::unique(reads), reads.end());
  return reads;
}

} // namespace weft::emit
