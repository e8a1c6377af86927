// Which schedules a kernel may have on a machine, and which of them is chosen.
#include "ir/cpu/Schedules.h"

#include "ir/cpu/Amx.h"
#include "ir/cpu/Families.h"
#include "ir/cpu/PlacedContraction.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/Walk.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using weft::kernel::Family;
using weft::kernel::ScheduleAttr;

namespace weft::cpu {

namespace {
struct Functions {
  Schedule (*usual)(KernelCase, const Machine &);
  ScheduleList (*choices)(ScheduleAttr, const Machine &);
};

Functions functionsOf(Family family) {
  switch (family) {
  case Family::contraction:
    return {contractionDefault, contractionChoices};
  case Family::attention:
    return {attentionDefault, attentionChoices};
  case Family::attention_grad:
    return {attentionGradDefault, attentionGradChoices};
  case Family::rows:
  case Family::table:
    return {rowsDefault, rowsChoices};
  case Family::scatter:
    return {scatterDefault, scatterChoices};
  case Family::pack:
    return {packDefault, packChoices};
  }
  llvm_unreachable("no other families");
}

/// The tiles of a schedule, and how many registers its small tiles may fill with sums.
struct Registers {
  SmallVector<Tile> tiles;
  int64_t accumulators = 0;
};

Registers registersOf(ScheduleAttr schedule) {
  return llvm::TypeSwitch<Attribute, Registers>(schedule)
      .Case([](ContractionAttr each) {
        return Registers{{each.getTile(), each.getFew()}, each.getAccumulators()};
      })
      .Case([](AttentionAttr each) {
        return Registers{{each.getTile(), each.getValueTile()}, each.getAccumulators()};
      })
      .Case([](AttentionGradAttr each) {
        return Registers{{each.getTile(), each.getDepthTile(), each.getValueTile()},
                         each.getAccumulators()};
      })
      .Default([](Attribute) { return Registers(); });
}
} // namespace

Machine machineFor(Isa isa, Operation *op) {
  Machine machine = machineOf(isa);
  auto module =
      isa_and_nonnull<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  if (auto cores = module->getAttrOfType<IntegerAttr>(coresAttr))
    machine.cores = cores.getInt();
  return machine;
}

/// Left sides of whole numbers are read where they lie.
static bool lieAtOneStride(KernelCase kernel) {
  FailureOr<kernel::ContractionForm> form = readPlaced(kernel.op);
  if (failed(form))
    return false;
  auto liesSo = [&](const kernel::Term &term) {
    auto layout = cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[operandNumber(term.left())]);
    return !kernel::isScaledTerm(kernel.op, term) ||
           (walkOver(kernel.dims, layout, term.k).contiguous() &&
            walkOver(kernel.dims, layout, form->rows).linear());
  };
  return llvm::all_of(form->segments, [&](const kernel::Segment &segment) {
    return llvm::all_of(segment.sums,
                        [&](const kernel::Sum &sum) { return llvm::all_of(sum.terms, liesSo); });
  });
}

bool multipliesByTiles(KernelCase kernel, const Machine &machine) {
  if (machine.isa != Isa::amx || kernel.op.getFamily() == Family::attention_grad)
    return false;
  return kernel::multipliesPairs(kernel.op) ||
         (kernel::multipliesScaledPairs(kernel.op) && lieAtOneStride(kernel));
}

bool fits(Tile tile, const Machine &machine) {
  int64_t vectors = tile.width() / machine.lanes;
  return tile.rows * vectors + vectors + 1 <= machine.registers;
}

SmallVector<Tile> tilesOf(const Machine &machine) {
  SmallVector<Tile> tiles;
  for (Tile tile{1, 1}; fits(tile, machine); tile = {1, tile.panels + 1})
    for (; fits(tile, machine); ++tile.rows)
      if (2 * tile.rows * tile.width() >= machine.lanes * machine.registers)
        tiles.push_back(tile);
  return tiles;
}

FailureOr<ScheduleAttr> defaultSchedule(KernelCase kernel, const Machine &machine) {
  return functionsOf(kernel.op.getFamily()).usual(kernel, machine);
}

FailureOr<SmallVector<ScheduleAttr>> legalSchedules(KernelCase kernel, const Machine &machine) {
  FailureOr<ScheduleAttr> usual = defaultSchedule(kernel, machine);
  if (failed(usual))
    return failure();
  llvm::SetVector<ScheduleAttr> all;
  all.insert(*usual);
  all.insert_range(functionsOf(kernel.op.getFamily()).choices(*usual, machine));
  return ScheduleList(all.begin(), all.end());
}

/// Weights that share a scale, or a word, are packed by one task, and lie in one block of a
/// product.
static LogicalResult checkGroups(kernel::FusedOp op, ScheduleAttr schedule) {
  auto product = dyn_cast<ContractionAttr>(schedule);
  auto pack = dyn_cast<PackAttr>(schedule);
  int64_t size = product ? product.getK() : pack ? pack.getRows() : 0;
  auto refuse = [&](int64_t together, StringRef what) {
    return op.emitOpError() << (product ? "has a block of " : "packs ") << size
                            << " rows of weights, of which " << together << " share a " << what
                            << ": it is a multiple of that";
  };
  if (!op.getLayouts())
    return success();
  for (Attribute layout : op.getLayoutsAttr()) {
    if (kernel::weightFormatOf(layout) && size % model::groups::length != 0)
      return refuse(model::groups::length, "scale");
    if (kernel::isPaired(layout) && size % kernel::rowsOfPair != 0)
      return refuse(kernel::rowsOfPair, "word");
  }
  return success();
}

LogicalResult checkSchedule(kernel::FusedOp op, ScheduleAttr schedule, const Machine &machine) {
  if (!schedule.suits(op.getFamily()))
    return op.emitOpError() << schedule << " is no schedule of " << stringifyFamily(op.getFamily());
  Registers registers = registersOf(schedule);
  if (machine.isa == Isa::amx) // whose tiles fill no registers of vectors
    if (auto dims = kernel::DimTable::of(op->getParentOfType<ModuleOp>());
        multipliesByTiles({op, dims}, machine)) {
      registers = {};
      if (auto attention = dyn_cast<AttentionAttr>(schedule);
          attention && attention.getRows() % amx::rows != 0)
        return op.emitOpError("has tiles of ")
               << attention.getRows() << " queries; those of AMX have " << amx::rows
               << ", or a multiple of that";
    }
  for (Tile tile : registers.tiles)
    if (!fits(tile, machine)) {
      std::string text;
      llvm::raw_string_ostream(text) << tile;
      return op.emitOpError("has a tile of ")
             << text << ", which does not fit the " << machine.registers << " registers of "
             << machine.name;
    }
  if (registers.accumulators >= machine.registers)
    return op.emitOpError("has ") << registers.accumulators << " registers for sums, and "
                                  << machine.name << " has " << machine.registers << " in all";
  if (auto gradient = dyn_cast<AttentionGradAttr>(schedule);
      gradient && gradient.getSplitKeys() > 0) {
    FailureOr<kernel::AttentionForm> form = kernel::readAttention(op);
    if (failed(form))
      return failure();
    if (!form->summed.empty())
      return op.emitOpError("adds up gradients over `")
             << form->summed.front().str() << "`, in one task: `split_keys` is 0";
    if (!form->dbias.empty())
      return op.emitOpError("adds up the gradient of a bias in one task: `split_keys` is 0");
  }
  if (failed(checkGroups(op, schedule)))
    return failure();
  if (auto rows = dyn_cast<RowsAttr>(schedule);
      rows && op.getFamily() == Family::table && rows.getUnroll() != 1)
    return op.emitOpError("is a table, which is computed number by number: `unroll` is 1");
  return success();
}

FailureOr<ScheduleAttr> scheduleOf(KernelCase kernel, const Machine &machine) {
  DictionaryAttr given = kernel.op.getScheduleAttr();
  // Those of AMX's tiles are its own, and kernels without tiles have none there.
  StringRef name = multipliesByTiles(kernel, machine) ? machine.name : machine.schedules;
  auto schedule = given ? given.getAs<ScheduleAttr>(name) : ScheduleAttr();
  if (!schedule)
    return defaultSchedule(kernel, machine);
  if (failed(checkSchedule(kernel.op, schedule, machine)))
    return failure();
  return schedule;
}

} // namespace weft::cpu
