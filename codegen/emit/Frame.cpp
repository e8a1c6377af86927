// What code inside a kernel function needs: where to write instructions, and the arguments.
#include "codegen/emit/Frame.h"

using namespace llvm;

namespace weft::emit {

Value *Frame::buffer(unsigned number) const {
  Type *pointer = builder.getPtrTy();
  return builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, buffers, number));
}

Value *Frame::extent(ArrayRef<DimAttr> dims) const {
  return emission.size(builder, sizeOf(dims), sizes);
}

} // namespace weft::emit
