// Square blocks of registers: rows to columns, and the sums of rows.
#include "codegen/emit/Transpose.h"

#include <tuple>

using namespace llvm;

namespace weft::emit {

/// [A B; C D] to [A C; B D], in every square of 2 * half lanes.
static std::pair<Value *, Value *> exchange(IRBuilderBase &builder, Value *a, Value *b, int half) {
  const int lanes = cast<FixedVectorType>(a->getType())->getNumElements();
  SmallVector<int> upper(lanes), lower(lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    bool right = lane & half;
    upper[lane] = right ? lanes + lane - half : lane;
    lower[lane] = right ? lanes + lane : lane + half;
  }
  return {builder.CreateShuffleVector(a, b, upper), builder.CreateShuffleVector(a, b, lower)};
}

// [A B; C D] transposed is [A' C'; B' D']: swap B and C, then do the same within each quarter. All
// quarters of one size are done at once, so there are log2(n) rounds of n shuffles.
Values transposed(IRBuilderBase &builder, ArrayRef<Value *> rows) {
  Values result(rows);
  const int count = int(rows.size());
  for (int half = count / 2; half > 0; half /= 2)
    for (int i = 0; i < count; ++i)
      if (!(i & half))
        std::tie(result[i], result[i + half]) =
            exchange(builder, result[i], result[i + half], half);
  return result;
}

// The rounds of a transposition, but each pair that was exchanged is added: each round leaves half
// the rows.
Value *sumsOfRows(IRBuilderBase &builder, ArrayRef<Value *> rows) {
  Values left(rows);
  for (int half = int(rows.size()) / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) {
      auto [upper, lower] = exchange(builder, left[i], left[i + half], half);
      left[i] = builder.CreateFAdd(upper, lower);
    }
  return left.front();
}

} // namespace weft::emit
