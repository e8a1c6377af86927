// Which operands of a kernel are never below 0, as far as what the kernel makes of them says it.
#include "tools/kernel/Domains.h"

#include "ir/kernel/RowProgram.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft::trial {

namespace {

/// The exponent of a power, if it is known.
std::optional<double> exponentOf(PowOp op) {
  if (auto constant = op.getRhs().getDefiningOp<ConstantOp>())
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      return number.getValueAsDouble();
  return std::nullopt;
}

bool isWhole(std::optional<double> number) {
  return number && std::floor(*number) == *number;
}

/// Goes from what may not be negative to what it is made of.
class Domain {
public:
  llvm::DenseSet<unsigned> operands;

  void require(Value value) {
    if (!typeOf(value).isFloat() || !seen.insert(value).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      operands.insert(argument.getArgNumber());
      return;
    }
    Operation *op = value.getDefiningOp();
    if (auto product = dyn_cast<MulOp>(op); product && product.getLhs() == product.getRhs())
      return; // a square
    if (auto difference = dyn_cast<SubOp>(op))
      return require(difference.getLhs());
    if (isa<AddOp, MulOp, DivOp, MaxOp, MinOp, WhereOp>(op) || isa<Moving>(op) ||
        op->hasTrait<View>() || op->hasTrait<Free>() || kernel::isReduction(op))
      for (Value operand : op->getOperands())
        require(operand);
  }

private:
  llvm::DenseSet<Value> seen;
};

} // namespace

llvm::DenseSet<unsigned> neverNegative(kernel::FusedOp op) {
  Domain domain;
  op.walk([&](Operation *inner) {
    if (isa<SqrtOp, RsqrtOp, LogOp>(inner))
      domain.require(inner->getOperand(0));
    if (auto power = dyn_cast<PowOp>(inner); power && !isWhole(exponentOf(power)))
      domain.require(power.getLhs());
  });
  return domain.operands;
}

} // namespace weft::trial
