// Reads what a kernel of one scan or scatter computes.
#include "ir/kernel/OrderedForm.h"

#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

namespace weft::kernel {

/// The op that gives the value, but for the order of its dimensions: elements are read and stored
/// by their names.
static Operation *makerOf(Value value) {
  Operation *maker = value.getDefiningOp();
  while (isa_and_nonnull<ArrangeOp>(maker))
    maker = maker->getOperand(0).getDefiningOp();
  return maker;
}

/// The op whose result is all that the kernel stores, or null.
static Operation *onlyOp(FusedOp op) {
  Operation *yield = op.getBody().front().getTerminator();
  return yield->getNumOperands() == 1 ? makerOf(yield->getOperand(0)) : nullptr;
}

static FailureOr<RowProgram> programOf(FusedOp op) {
  if (failed(checkStrided(op)))
    return failure();
  RowProgram program;
  program.op = op;
  program.yielded.push_back(op.getBody().front().getTerminator()->getOperand(0));
  return program;
}

bool isScan(FusedOp op) {
  return isa_and_nonnull<CumSumOp, TopOp>(onlyOp(op));
}

FailureOr<ScanForm> readScan(FusedOp op) {
  FailureOr<RowProgram> program = programOf(op);
  if (failed(program))
    return failure();
  Operation *scan = onlyOp(op);
  auto dim = scan->getAttrOfType<DimAttr>("dim");
  return ScanForm{std::move(*program), scan, dim, without(dimsOf(scan->getOperand(0)), dim)};
}

std::optional<unsigned> ScatterForm::onto() const {
  auto operand = dyn_cast_or_null<BlockArgument>(base);
  return operand ? std::optional(operand.getArgNumber()) : std::nullopt;
}

FailureOr<ScatterForm> readScatter(FusedOp op) {
  Operation *only = onlyOp(op);
  Value base;
  auto scatter = dyn_cast_or_null<ScatterOp>(only);
  if (auto sum = dyn_cast_or_null<AddOp>(only))
    for (unsigned number : {0, 1})
      if (auto term = dyn_cast_or_null<ScatterOp>(makerOf(sum->getOperand(number))))
        scatter = term, base = sum->getOperand(1 - number);
  if (!scatter || (base && dimsOf(base).size() != dimsOf(scatter.getResult()).size()))
    return op.emitError("is no kernel of one scatter");
  FailureOr<RowProgram> program = programOf(op);
  if (failed(program))
    return failure();
  DimAttr dim = scatter.getDimAttr();
  DimList index(dimsOf(scatter.getIndex()));
  return ScatterForm{std::move(*program),
                     scatter.getInput(),
                     scatter.getIndex(),
                     base,
                     dim,
                     index,
                     without(dimsOf(scatter.getInput()), index),
                     without(dimsOf(scatter.getResult()), dim)};
}

} // namespace weft::kernel
