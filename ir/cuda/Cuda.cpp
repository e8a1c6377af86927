// Printing and checking of schedules.
#include "ir/cuda/Cuda.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft;
using namespace weft::cuda;

#include "ir/cuda/CudaDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/cuda/CudaAttrdef.cpp.inc"

namespace {
/// `#rows = #cuda.rows<…>` before the module, so that its kernels stay readable.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &out) const override {
    if (!isa<kernel::ScheduleAttr>(attribute) || &attribute.getDialect() != getDialect())
      return AliasResult::NoAlias;
    out << llvm::TypeSwitch<Attribute, llvm::StringRef>(attribute).Case<RowsAttr, ScatterAttr>(
        [](auto schedule) { return schedule.getMnemonic(); });
    return AliasResult::OverridableAlias;
  }
};

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult positive(EmitError emitError,
                       std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    if (number < 1)
      return emitError() << "`" << name << "` is " << number << ", and at least 1";
  return success();
}

LogicalResult checkThreads(EmitError emitError, int64_t threads) {
  if (threads < warpThreads || threads > mostThreads || threads % warpThreads != 0)
    return emitError() << "`threads` is " << threads << ", and a multiple of " << warpThreads
                       << ", at most " << mostThreads;
  return success();
}
} // namespace

void CudaDialect::initialize() {
  addInterfaces<Aliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/cuda/CudaAttrdef.cpp.inc"
      >();
}

LogicalResult RowsAttr::verify(EmitError emitError, int64_t threads, int64_t team, int64_t unroll,
                               int64_t blocks) {
  if (failed(checkThreads(emitError, threads)) ||
      failed(positive(emitError, {{"team", team}, {"unroll", unroll}, {"blocks", blocks}})))
    return failure();
  if (team != threads && (team > warpThreads || !llvm::isPowerOf2_64(team)))
    return emitError() << "`team` is " << team
                       << ", and all threads of a block, or a power of two of at most "
                       << warpThreads;
  return success();
}

LogicalResult ScatterAttr::verify(EmitError emitError, int64_t threads, int64_t positions,
                                  int64_t blocks) {
  return failure(failed(checkThreads(emitError, threads)) ||
                 failed(positive(emitError, {{"positions", positions}, {"blocks", blocks}})));
}
