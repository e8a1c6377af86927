// A worker's scratch, cut into areas.
#include "codegen/cpu/base/ScratchAreas.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

Value *ScratchAreas::floats(Value *count) {
  return bytes(builder.CreateNSWMul(count, builder.getInt64(sizeof(float))));
}

Value *ScratchAreas::bytes(Value *count) {
  Value *area = builder.CreateGEP(builder.getInt8Ty(), base, used);
  used = builder.CreateNSWAdd(used, emit::roundUp(builder, count, emit::cacheLine));
  return area;
}

} // namespace weft::cpu
