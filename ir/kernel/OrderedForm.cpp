// Reads what a kernel of one scan or scatter computes.
#include "ir/kernel/OrderedForm.h"

#include "ir/model/infer/Infer.h"

using namespace mlir;
using namespace weft::model;

namespace weft::kernel {

/// The op whose result is all that the kernel stores, or null.
static Operation *onlyOp(FusedOp op) {
  Operation *yield = op.getBody().front().getTerminator();
  if (yield->getNumOperands() != 1)
    return nullptr;
  Operation *maker = yield->getOperand(0).getDefiningOp();
  // The result is stored by the names of its dimensions: their order in the type does not matter.
  while (isa_and_nonnull<ArrangeOp>(maker))
    maker = maker->getOperand(0).getDefiningOp();
  return maker;
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

FailureOr<ScatterForm> readScatter(FusedOp op) {
  auto scatter = dyn_cast_or_null<ScatterOp>(onlyOp(op));
  if (!scatter)
    return op.emitError("is no kernel of one scatter");
  FailureOr<RowProgram> program = programOf(op);
  if (failed(program))
    return failure();
  DimAttr dim = scatter.getDimAttr();
  DimList index(dimsOf(scatter.getIndex()));
  return ScatterForm{std::move(*program),
                     scatter.getInput(),
                     scatter.getIndex(),
                     dim,
                     index,
                     without(dimsOf(scatter.getInput()), index),
                     without(dimsOf(scatter.getResult()), dim)};
}

} // namespace weft::kernel
