// A worker's scratch, cut into areas.
#include "codegen/cpu/ScratchAreas.h"

#include "codegen/cpu/Loops.h"

using namespace llvm;

namespace weft::cpu {

Value *ScratchAreas::floats(Value *count) {
  return bytes(builder.CreateNSWMul(count, builder.getInt64(sizeof(float))));
}

Value *ScratchAreas::bytes(Value *count) {
  Value *area = builder.CreateGEP(builder.getInt8Ty(), base, used);
  used = builder.CreateNSWAdd(used, roundUp(builder, count, 64));
  return area;
}

} // namespace weft::cpu
