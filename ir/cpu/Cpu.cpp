// Printing and checking of schedules.
#include "ir/cpu/Cpu.h"

#include "ir/cpu/Machine.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft;
using namespace weft::cpu;

#include "ir/cpu/CpuDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/cpu/CpuAttrdef.cpp.inc"

namespace {
/// `#contraction = #cpu.contraction<…>` before the module, so that its kernels stay readable.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &out) const override {
    if (&attribute.getDialect() != getDialect()) // the other's schedules have its own
      return AliasResult::NoAlias;
    out << llvm::TypeSwitch<Attribute, llvm::StringRef>(attribute)
               .Case<ContractionAttr, PackAttr, AttentionAttr, AttentionGradAttr, RowsAttr,
                     ScatterAttr>([](auto schedule) { return schedule.getMnemonic(); });
    return AliasResult::OverridableAlias;
  }
};

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Every number of a schedule is at least 1.
LogicalResult positive(EmitError emitError,
                       std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    if (number < 1)
      return emitError() << "`" << name << "` is " << number << ", below 1";
  return success();
}

LogicalResult notNegative(EmitError emitError,
                          std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    if (number < 0)
      return emitError() << "`" << name << "` is " << number << ", below 0";
  return success();
}

/// `number` is a multiple of `unit`; `of` says what that counts.
LogicalResult multiple(EmitError emitError, llvm::StringRef name, int64_t number, int64_t unit,
                       llvm::StringRef of) {
  if (number % unit != 0)
    return emitError() << "`" << name << "` is " << number << ", and no multiple of the " << unit
                       << ' ' << of;
  return success();
}

/// A tile for few rows lies where the other would.
LogicalResult within(EmitError emitError, Tile few, Tile tile) {
  if (few.rows > tile.rows || few.rows * few.panels > tile.rows * tile.panels)
    return emitError() << "`few` is larger than the `tile`, in whose place it is used";
  return success();
}

/// Micro-kernels halve the number of independent sums until they fit the registers.
LogicalResult unrolled(EmitError emitError, int64_t unroll) {
  if (unroll < 1 || !llvm::isPowerOf2_64(unroll))
    return emitError() << "`unroll` is " << unroll << ", and no power of two";
  return success();
}
} // namespace

static bool isSet(Attribute name) {
  auto text = dyn_cast<StringAttr>(name);
  return text && isaNamed(text.getValue());
}

void CpuDialect::initialize() {
  addInterfaces<Aliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/cpu/CpuAttrdef.cpp.inc"
      >();
}

LogicalResult CpuDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == tunedAttr) {
    auto sets = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!isa<kernel::FusedOp>(op) || !sets || !llvm::all_of(sets, isSet))
      return op->emitError("`") << tunedAttr << "` lists instruction sets, of a kernel";
    return success();
  }
  if (attribute.getName() != coresAttr)
    return op->emitError("there is no attribute `") << attribute.getName() << "`";
  auto cores = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!isa<ModuleOp>(op) || !cores || cores.getInt() < 1)
    return op->emitError("`") << coresAttr << "` is a number of a module, from 1 on";
  return success();
}

LogicalResult ContractionAttr::verify(EmitError emitError, Tile tile, int64_t accumulators,
                                      int64_t rows, int64_t columns, int64_t k, int64_t work,
                                      int64_t tasks, int64_t longSum, int64_t longTasks, bool, bool,
                                      Tile few) {
  return failure(
      failed(positive(emitError, {{"accumulators", accumulators},
                                  {"rows", rows},
                                  {"columns", columns},
                                  {"k", k},
                                  {"work", work},
                                  {"tasks", tasks},
                                  {"long_sum", longSum},
                                  {"long_tasks", longTasks}})) ||
      failed(multiple(emitError, "rows", rows, tile.rows, "rows of a tile")) ||
      failed(multiple(emitError, "columns", columns, tile.width(), "columns of a tile")) ||
      failed(within(emitError, few, tile)));
}

LogicalResult PackAttr::verify(EmitError emitError, int64_t panels, int64_t rows, bool) {
  return failure(failed(positive(emitError, {{"panels", panels}, {"rows", rows}})));
}

LogicalResult AttentionAttr::verify(EmitError emitError, Tile tile, Tile valueTile, int64_t unroll,
                                    int64_t accumulators, int64_t taskRows, int64_t rows,
                                    int64_t keys, int64_t fewRows, int64_t tasks,
                                    int64_t splitTasks, int64_t splitKeys) {
  return failure(
      failed(unrolled(emitError, unroll)) ||
      failed(positive(emitError, {{"accumulators", accumulators},
                                  {"split_tasks", splitTasks},
                                  {"task_rows", taskRows},
                                  {"rows", rows},
                                  {"keys", keys},
                                  {"tasks", tasks}})) ||
      failed(notNegative(emitError, {{"few_rows", fewRows}, {"split_keys", splitKeys}})) ||
      failed(multiple(emitError, "task_rows", taskRows, rows, "rows of a pass")) ||
      failed(multiple(emitError, "rows", rows, tile.rows, "rows of a tile")) ||
      failed(multiple(emitError, "rows", rows, valueTile.rows, "rows of a tile of values")) ||
      failed(multiple(emitError, "keys", keys, panelWidth, "columns of a panel")));
}

LogicalResult AttentionGradAttr::verify(EmitError emitError, Tile tile, Tile depthTile,
                                        Tile valueTile, int64_t unroll, int64_t accumulators,
                                        int64_t rows, int64_t keys, int64_t splitTasks,
                                        int64_t splitKeys) {
  return failure(
      failed(unrolled(emitError, unroll)) ||
      failed(positive(emitError, {{"accumulators", accumulators},
                                  {"rows", rows},
                                  {"keys", keys},
                                  {"split_tasks", splitTasks}})) ||
      failed(notNegative(emitError, {{"split_keys", splitKeys}})) ||
      failed(multiple(emitError, "split_keys", splitKeys, keys, "keys of a block")) ||
      failed(multiple(emitError, "rows", rows, tile.rows, "rows of a tile")) ||
      failed(multiple(emitError, "rows", rows, depthTile.rows, "rows of a tile along the depth")) ||
      failed(multiple(emitError, "rows", rows, valueTile.rows, "rows of a tile of values")) ||
      failed(multiple(emitError, "keys", keys, panelWidth, "columns of a panel")));
}

LogicalResult RowsAttr::verify(EmitError emitError, int64_t unroll, int64_t elements) {
  return positive(emitError, {{"unroll", unroll}, {"elements", elements}});
}

LogicalResult ScatterAttr::verify(EmitError emitError, int64_t elements, int64_t tasks) {
  return positive(emitError, {{"elements", elements}, {"tasks", tasks}});
}
