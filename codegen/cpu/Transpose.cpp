// Square blocks of registers, rows to columns.
#include "codegen/cpu/Transpose.h"

using namespace llvm;

namespace weft::cpu {

// [A B; C D] transposed is [A' C'; B' D']: swap B and C, then do the same within each quarter. All
// quarters of one size are done at once, so there are log2(n) rounds of n shuffles.
Values transposed(IRBuilderBase &builder, ArrayRef<Value *> rows) {
  Values result(rows);
  int count = int(rows.size());
  for (int half = count / 2; half > 0; half /= 2) {
    SmallVector<int> upper(count), lower(count);
    for (int lane = 0; lane < count; ++lane) {
      bool right = lane & half;
      upper[lane] = right ? count + lane - half : lane;
      lower[lane] = right ? count + lane : lane + half;
    }
    for (int i = 0; i < count; ++i) {
      if (i & half)
        continue;
      Value *a = result[i], *b = result[i + half];
      result[i] = builder.CreateShuffleVector(a, b, upper);
      result[i + half] = builder.CreateShuffleVector(a, b, lower);
    }
  }
  return result;
}

} // namespace weft::cpu
