// Schedules of contractions and of the packing of their right sides.
#include "ir/cpu/Amx.h"
#include "ir/cpu/Families.h"
#include "ir/cpu/PlacedContraction.h"
#include "ir/cpu/ReadLate.h"
#include "ir/kernel/Walk.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace mlir;
using weft::kernel::ScheduleAttr;

namespace weft::cpu {

// Three quarters of the registers hold sums; the rest is what one step along k needs.
int64_t accumulatorsOf(const Machine &machine) {
  return machine.registers * 3 / 4;
}

int64_t registersBeside(int64_t accumulators) {
  return accumulators * 4 / 3;
}

// Measured, in percent of the machine's peak: with 32 registers 8x48 and 6x64 have 89 to 91 in one
// run (8x48 to 96 on a machine for itself), 12x32 84 to 87; with 16, 6x16 and 4x24 have 96 to 99,
// 3x32 spills.
Tile largestTile(const Machine &machine) {
  int64_t panels = machine.registers < 32 ? 1 : 3;
  return {accumulatorsOf(machine) * machine.lanes / (panels * panelWidth), panels};
}

Tile tileFor(const Machine &machine, std::optional<int64_t> panels) {
  Tile most = largestTile(machine);
  if (!panels || most.panels == 1 || *panels % most.panels == 0)
    return most;
  if (*panels % 4 == 0)
    return {6, 4};
  return *panels % 2 == 0 ? Tile{8, 2} : most;
}

// Measured (decision 68): one stream of weights brings less of the memory's bandwidth than two, by
// a quarter where a tile is one panel wide.
static Tile fewRowsTile(const Machine &machine) {
  return machine.registers < 32 ? Tile{2, 2} : Tile{1, 1};
}

/// `few` where it takes no more room than `tile`.
static Tile fewWithin(Tile tile, Tile few) {
  bool isWithin = few.rows <= tile.rows && few.rows * few.panels <= tile.rows * tile.panels;
  return isWithin ? few : Tile{1, 1};
}

ContractionAttr ContractionAttr::withFew(Tile few) const {
  return get(getContext(), getTile(), getAccumulators(), getRows(), getColumns(), getK(), getWork(),
             getTasks(), getLongSum(), getLongTasks(), getRowsFirst(), getNonTemporal(), few);
}

/// Some left side is not contiguous along what is summed, so each task packs it.
static bool packsLeft(KernelCase kernel, const kernel::ContractionForm &form) {
  for (const kernel::Segment &segment : form.segments)
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        Attribute layout = kernel.op.getLayoutsAttr()[operandNumber(term.left())];
        if (!walkOver(kernel.dims, cast<kernel::LayoutAttr>(layout), term.k).contiguous())
          return true;
      }
  return false;
}

/// Of products by tiles of AMX, which take a sixteenth of the time that multiply-adds of float32
/// do.
// Measured on a Sapphire Rapids (decision 88): rows of a left side stay in the first cache while
// panels pass by from the second, so a block along k is as long as 32 rows of it leave room for.
// Whole numbers, which are widened for two panels at a time, stay there themselves.
static ContractionAttr tilesDefault(KernelCase kernel, const Machine &machine, bool packs) {
  const int64_t k = kernel::multipliesPairs(kernel.op) ? 768 : 512;
  constexpr Tile tile{amx::rows, amx::panels}, noOther{1, 1};
  return ContractionAttr::get(kernel.op.getContext(), tile, /*accumulators=*/1, /*rows=*/256,
                              /*columns=*/384, k,
                              /*work=*/1 << 19, /*tasks=*/2 * machine.cores, /*long_sum=*/8192,
                              /*long_tasks=*/machine.cores, /*rows_first=*/true,
                              /*non_temporal=*/packs && isReadLate(kernel), noOther);
}

Schedule contractionDefault(KernelCase kernel, const Machine &machine) {
  FailureOr<kernel::ContractionForm> form = readPlaced(kernel.op);
  if (failed(form))
    return failure();
  if (multipliesByTiles(kernel, machine))
    return ScheduleAttr(tilesDefault(kernel, machine, packsLeft(kernel, *form)));
  // A block of the right side (k x columns) stays in the second-level cache while the rows pass by;
  // of float32 a narrow and long one is faster (measured, decision 79).
  // Where each task packs its left side, more columns share that work: then blocks are wide, and
  // there is one task a core, else two, for the balance of load.
  struct Blocks {
    int64_t rows, columns, k, tasks;
  };
  const bool packs = packsLeft(kernel, *form), within = kernel::packsWithin(kernel.op);
  const bool isNarrow = llvm::any_of(kernel.op.getLayoutsAttr(), kernel::isPaired);
  const Tile tile = largestTile(machine);
  // Where each task packs its right side, 384 rows share that work, or all of a small batch
  // (measured, decision 81). What is packed, and the sums, are 442 KB.
  const int64_t shared = (384 + tile.rows - 1) / tile.rows * tile.rows;
  Blocks blocks = packs && within          ? Blocks{shared, 192, 256, machine.cores}
                  : packs                  ? Blocks{96, 768, 256, machine.cores}
                  : within                 ? Blocks{shared, 96, 768, 2 * machine.cores}
                  : machine.registers < 32 ? Blocks{48, 192, 768, 2 * machine.cores}
                  : isNarrow               ? Blocks{96, 192, 512, 2 * machine.cores}
                                           : Blocks{96, 96, 1024, 2 * machine.cores};
  return ScheduleAttr(ContractionAttr::get(
      kernel.op.getContext(), tile, accumulatorsOf(machine), blocks.rows, blocks.columns, blocks.k,
      /*work=*/1 << 17, blocks.tasks, /*long_sum=*/8192,
      /*long_tasks=*/machine.cores, /*rows_first=*/packs && !within,
      /*non_temporal=*/packs && isReadLate(kernel), fewRowsTile(machine)));
}

ScheduleList contractionChoices(ScheduleAttr usual, const Machine &machine) {
  auto base = cast<ContractionAttr>(usual);
  ScheduleList result;
  // Of tasks that pack their right side.
  const int64_t many = std::max<int64_t>(16, base.getRows() / base.getTile().rows);
  for (Tile few : {Tile{1, 1}, Tile{1, 2}, Tile{2, 2}, Tile{1, 3}, Tile{2, 4}, Tile{1, 6}})
    if (fits(few, machine) && few == fewWithin(base.getTile(), few))
      result.push_back(base.withFew(few));
  for (Tile tile : tilesOf(machine))
    for (int64_t tileRows : {int64_t(8), int64_t(16), many})
      for (int64_t columns : {int64_t(192), int64_t(384), int64_t(768), base.getColumns()})
        for (int64_t k : {256, 512, 768}) {
          columns = columns / tile.width() * tile.width();
          if (columns == 0 || columns * k * int64_t(sizeof(float)) > machine.secondCache)
            continue;
          result.push_back(ContractionAttr::get(
              usual.getContext(), tile, base.getAccumulators(), tile.rows * tileRows, columns, k,
              base.getWork(), base.getTasks(), base.getLongSum(), base.getLongTasks(),
              base.getRowsFirst(), base.getNonTemporal(), fewWithin(tile, base.getFew())));
        }
  return result;
}

// As much as a task of rows: some microseconds, against less than one to start it.
Schedule packDefault(KernelCase kernel, const Machine &) {
  return ScheduleAttr(PackAttr::get(kernel.op.getContext(), /*panels=*/2, /*rows=*/128,
                                    /*non_temporal=*/false));
}

ScheduleList packChoices(ScheduleAttr usual, const Machine &) {
  auto base = cast<PackAttr>(usual);
  ScheduleList result;
  for (int64_t panels : {1, 2, 4, 8})
    for (int64_t rows : {128, 256, 512, 1024})
      result.push_back(PackAttr::get(usual.getContext(), panels, rows, base.getNonTemporal()));
  return result;
}

} // namespace weft::cpu
