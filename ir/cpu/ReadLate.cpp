// Follows what a kernel computes to whoever reads it.
#include "ir/cpu/ReadLate.h"

#include "ir/kernel/InPlace.h"
#include "ir/kernel/Walk.h"
#include "ir/model/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace weft::cpu {

// What the last cache of some cores has: 32 MB on a Zen 5, 48 on an Ice Lake.
static constexpr int64_t cachedBytes = 32 << 20;

static bool isOnlyReturned(Value value);

static bool isOnlyReturnedBy(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<func::ReturnOp>(user))
    return true;
  if (isa<model::YieldOp>(user)) {
    auto repeat = dyn_cast<model::RepeatOp>(user->getParentOp());
    unsigned number = use.getOperandNumber();
    return repeat && number >= repeat.getNumCarried() && isOnlyReturned(repeat->getResult(number));
  }
  auto kernel = dyn_cast<kernel::FusedOp>(user);
  return kernel && kernel.getFamily() == kernel::Family::scatter &&
         kernel::mayWriteInPlace(kernel, 0, use.getOperandNumber()) &&
         isOnlyReturned(kernel->getResult(0));
}

static bool isOnlyReturned(Value value) {
  return llvm::all_of(value.getUses(), isOnlyReturnedBy);
}

/// Of those values whose size is static.
static int64_t bytesOf(OperandRange values, const kernel::DimTable &dims) {
  int64_t bytes = 0;
  for (Value value : values) {
    model::NamedTensorType type = model::typeOf(value);
    if (std::optional<int64_t> count = dims.known(kernel::sizeOf(type.getDims())))
      bytes += *count * model::elementBytes(type);
  }
  return bytes;
}

/// In whatever order.
static bool haveSameDims(ArrayRef<model::DimAttr> a, ArrayRef<model::DimAttr> b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

bool isReadLate(KernelCase kernel) {
  auto function = kernel.op->getParentOfType<func::FuncOp>();
  if (!function || !llvm::all_of(kernel.op->getResults(), isOnlyReturned))
    return false;
  for (Value result : kernel.op->getResults())
    for (Value operand : kernel.op->getOperands())
      if (haveSameDims(model::typeOf(operand).getDims(), model::typeOf(result).getDims()))
        return false;
  Operation *end = function.getBody().back().getTerminator();
  return bytesOf(end->getOperands(), kernel.dims) >= cachedBytes;
}

} // namespace weft::cpu
