// Polynomials in sizes, whose every sum and product says whether it overflowed.
#include "codegen/emit/CheckedSize.h"

#include "ir/model/SizeOrder.h"

using namespace llvm;

namespace weft::emit {

CheckedSize checkedSize(IRBuilderBase &builder, const Sizes &known, const Size &size,
                        Value *sizes) {
  if (std::optional<int64_t> number = known.known(size))
    return {builder.getInt64(*number), builder.getFalse()};
  CheckedSize sum{builder.getInt64(0), builder.getFalse()};
  auto apply = [&](Intrinsic::ID operation, Value *a, Value *b, Value *overflow) -> CheckedSize {
    Value *both = builder.CreateBinaryIntrinsic(operation, a, b);
    return {builder.CreateExtractValue(both, 0),
            builder.CreateOr(overflow, builder.CreateExtractValue(both, 1))};
  };
  for (const auto &[powers, coefficient] : size.terms()) {
    CheckedSize term{builder.getInt64(coefficient.numerator), sum.overflow};
    for (const auto &[name, power] : powers)
      for (int i = 0; i < power; ++i)
        term = apply(Intrinsic::smul_with_overflow, term.value, known.extent(builder, name, sizes),
                     term.overflow);
    sum = apply(Intrinsic::sadd_with_overflow, sum.value, term.value, term.overflow);
  }
  return sum;
}

CheckedQuotient checkedQuotient(IRBuilderBase &builder, const Sizes &known, const Size &size,
                                Value *sizes) {
  Fraction parts = fraction(size);
  CheckedSize above = checkedSize(builder, known, parts.above, sizes),
              below = checkedSize(builder, known, parts.below, sizes);
  Value *positive = builder.CreateICmpSGT(below.value, builder.getInt64(0));
  Value *divisor = builder.CreateSelect(positive, below.value, builder.getInt64(1));
  Value *whole =
      builder.CreateICmpEQ(builder.CreateSRem(above.value, divisor), builder.getInt64(0));
  Value *fine = builder.CreateNot(builder.CreateOr(above.overflow, below.overflow));
  return {builder.CreateSDiv(above.value, divisor),
          builder.CreateAnd(fine, builder.CreateAnd(positive, whole))};
}

} // namespace weft::emit
