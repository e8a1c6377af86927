// How much of the forward pass is kept for gradients.
#include "tools/weft/sizes/RecomputeBudget.h"

#include "ir/kernel/DimTable.h"
#include "ir/kernel/work/Work.h"
#include "ir/model/Entries.h"
#include "ir/plan/Arena.h"
#include "tools/weft/sizes/TakenSizes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <cmath>

namespace weft {

/// `2GiB`, `300 MB` or `1000000`; nothing if it is none of these.
static std::optional<int64_t> bytesNamed(llvm::StringRef text) {
  text = text.trim();
  llvm::StringRef digits = text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; }),
                  unit = text.drop_front(digits.size()).trim();
  const std::pair<llvm::StringRef, double> units[] = {
      {"", 1},         {"KB", 1e3},     {"MB", 1e6},    {"GB", 1e9},
      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
  double number = 0;
  if (digits.empty() || digits.getAsDouble(number))
    return std::nullopt;
  for (auto [name, factor] : units)
    if (unit == name && number * factor >= 1 && number * factor < 0x1p60)
      return int64_t(number * factor);
  return std::nullopt;
}

std::optional<std::string> readBudget(const std::string &text, RecomputeBudget &budget) {
  auto [size, rest] = llvm::StringRef(text).split(',');
  std::optional<int64_t> bytes = bytesNamed(size);
  if (!bytes)
    return fmt::format("{} takes bytes first, as 2GiB or 300MB, not `{}`", budget.said, size.str());
  budget.bytes = *bytes;
  llvm::SmallVector<llvm::StringRef> pieces;
  rest.split(pieces, ',', -1, false);
  for (llvm::StringRef piece : pieces) {
    auto [name, number] = piece.split('=');
    int64_t value = 0;
    if (name.trim().empty() || number.trim().getAsInteger(10, value) || value < 1)
      return fmt::format("{} takes NAME=N with a number from 1 behind the bytes, not `{}`",
                         budget.said, piece.str());
    budget.sizes[name.trim().str()] = value;
  }
  return std::nullopt;
}

std::optional<RecomputeLevel> levelOf(mlir::ModuleOp plan, const RecomputeBudget &budget,
                                      RecomputeWay way) {
  model::Dims dims(plan);
  TakenSizes taken(dims, budget.sizes);
  auto table = kernel::DimTable::of(plan);
  RecomputeLevel level{.way = way, .where = ""};
  auto at = [&](const Size &size) { return taken.number(size); };
  bool any = false, known = true;
  for (auto entry : plan.getOps<plan::EntryOp>()) {
    if (model::kindOf(entry) != model::EntryKind::gradient)
      continue;
    any = true;
    std::vector<int64_t> bytes;
    for (auto slot : entry.getSlots().getAsRange<mlir::ArrayAttr>()) {
      bytes.push_back(0);
      for (auto size : slot.getAsRange<model::SizeAttr>())
        bytes.back() = std::max(bytes.back(), at(size.getValue()));
    }
    level.bytes = std::max(level.bytes, plan::Arena(entry).starts(bytes).back());
    entry.walk([&](plan::LaunchOp launch) {
      auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<plan::KernelOp>(
          launch, launch.getKernelAttr());
      double times = 1;
      for (auto loop = launch->getParentOfType<plan::LoopOp>(); loop;
           loop = loop->getParentOfType<plan::LoopOp>())
        times *= double(at(Size::dim(loop.getDim().getValue())));
      auto work =
          kernel::workOf(llvm::cast<kernel::FusedOp>(kernel.getBody().front().front()), table, at);
      known &= succeeded(work);
      if (succeeded(work))
        level.operations += times * work->flops();
    });
  }
  level.where = taken.where();
  return any && known ? std::optional(level) : std::nullopt;
}

std::optional<std::string>
chooseLevel(const RecomputeBudget &budget,
            const std::function<mlir::OwningOpRef<mlir::ModuleOp>(RecomputeWay way)> &lower,
            RecomputeLevel &first, RecomputeLevel &chosen) {
  // A product of 64 terms takes 128 operations for 4 bytes, one of 64 thousand a thousand times as
  // many: between the two lie all prices that part one choice from another, and 0 keeps only what
  // cannot be computed again.
  std::vector<double> prices = {-1};
  for (int half = 8; half <= 36; ++half)
    prices.push_back(std::exp2(-half / 2.0));
  prices.push_back(0);
  std::vector<RecomputeWay> ways;
  for (double price : prices)
    for (bool chunks : {false, true})
      ways.push_back({price, chunks});
  RecomputeLevel least{.way = {}, .where = "", .bytes = INT64_MAX};
  bool hasChunks = true; // or at no price: the second way is the first one then
  for (const RecomputeWay &way : ways) {
    if (way.chunks && !hasChunks)
      continue;
    bool isFirst = &way == &ways.front();
    mlir::OwningOpRef<mlir::ModuleOp> plan = lower(way);
    if (!plan && isFirst)
      return "";
    if (!plan && &way == &ways[1])
      hasChunks = false;
    std::optional<RecomputeLevel> level =
        plan ? levelOf(*plan, budget, way) : std::optional<RecomputeLevel>();
    if (!level && isFirst)
      return budget.said + ": this program has no gradients, for which anything is kept";
    if (!level)
      continue;
    if (isFirst) {
      first = *level;
      model::Dims dims(*plan);
      if (auto problem = TakenSizes(dims, budget.sizes).problem())
        return budget.said + ": " + *problem;
    }
    if (level->bytes < least.bytes)
      least = *level;
    if (level->bytes <= budget.bytes) {
      chosen = *level;
      return std::nullopt;
    }
  }
  return fmt::format("{}: {} bytes are too few: with {}all computed again that can be, "
                     "intermediate values take {} bytes{}",
                     budget.said, budget.bytes, hasChunks ? "logits in chunks, and " : "",
                     least.bytes, least.where);
}

} // namespace weft
