// `weft explain`: what became one kernel and what did not, and the memory of every entry; or what
// an error code means.
#include "frontend/source/Codes.h"
#include "ir/cpu/Cpu.h"
#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"
#include "ir/plan/Arena.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/GivenSizes.h"
#include "tools/weft/show/DeviceKernels.h"
#include "tools/weft/show/KernelText.h"
#include "tools/weft/sizes/RecomputeBudget.h"
#include "tools/weft/weights/WeightsReport.h"

#include "ir/model/Entries.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace weft {
namespace {

int explainCode(const std::string &name) {
  std::optional<Code> code = findCode(name);
  if (!code) {
    fmt::print(
        stderr,
        "weft explain: there is no error code `{}`; codes look like E0301, files like model.weft\n",
        name);
    return exitUser;
  }
  fmt::print("{}", info(*code).page);
  return exitOk;
}

void explainKernels(mlir::Block &block, unsigned depth) {
  for (mlir::Operation &op : block) {
    if (auto repeat = llvm::dyn_cast<model::RepeatOp>(op)) {
      unsigned count = llvm::range_size(repeat.getBody().front().getOps<kernel::FusedOp>());
      fmt::print("{:{}}each {}{}: {} kernels\n", "", 2 * depth, repeat.getDim().str(),
                 repeat.getReverse() ? ", backwards" : "", count);
      explainKernels(repeat.getBody().front(), depth + 1);
    } else if (auto fused = llvm::dyn_cast<kernel::FusedOp>(op)) {
      fmt::print("{:{}}{:14} lines {:12} {:24} {}\n", "", 2 * depth,
                 stringifyFamily(fused.getFamily()).str(), linesOf(fused), fused.getLabel().str(),
                 contentsOf(fused));
    }
  }
}

/// What lies in each slot, by the names of its buffers, in the order in which they come.
std::vector<std::string> heldIn(plan::EntryOp entry) {
  std::vector<std::string> held(entry.getSlots().size());
  entry.walk([&](plan::SlotOp slot) {
    std::string &names = held[slot.getNumber()];
    std::string name = model::nameOf(slot.getLoc()).value_or("value");
    if (("`" + names + "`").find("`" + name + "`") == std::string::npos)
      names += (names.empty() ? "" : "`, `") + name;
  });
  return held;
}

/// The arena of an entry: the slots that reach up to its end, as formulas and at the largest sizes
/// that bounds allow.
void explainMemory(plan::EntryOp entry, const model::Dims &dims,
                   const std::map<std::string, int64_t> &given) {
  TakenSizes memory(dims, given);
  std::vector<int64_t> bytes;
  std::vector<std::string> formulas;
  for (auto slot : entry.getSlots().getAsRange<mlir::ArrayAttr>()) {
    bytes.push_back(0);
    formulas.emplace_back();
    for (auto size : slot.getAsRange<model::SizeAttr>()) {
      int64_t here = memory.number(size.getValue());
      if (here < bytes.back())
        continue;
      bytes.back() = here;
      formulas.back() = size.getValue().str();
    }
  }
  plan::Arena arena(entry);
  int64_t total = arena.starts(bytes).back();
  std::string slots;
  std::vector<std::string> held = heldIn(entry);
  for (unsigned slot : arena.tallest(bytes))
    slots += fmt::format("    {:>12}  {}  `{}`\n", bytesText(double(bytes[slot])), formulas[slot],
                         held[slot]);
  int64_t packed = 0;
  if (model::kindOf(entry) != model::EntryKind::update) // which writes those of others
    for (auto size : entry.getPacked().getAsRange<model::SizeAttr>())
      packed += memory.number(size.getValue());
  int64_t caches = 0;
  for (auto input : entry.getInputs().getAsRange<mlir::DictionaryAttr>())
    if (input.contains(model::attr::cache)) {
      auto type =
          llvm::cast<model::NamedTensorType>(input.getAs<mlir::TypeAttr>("type").getValue());
      auto said = input.getAs<mlir::TypeAttr>(model::attr::storage);
      model::StorageType storage =
          said ? model::narrowStorageOf(said.getValue()) : model::storageTypeOf(type.getElement());
      caches += model::bytesOf(storage, memory.number(dims.size(type.getDims())));
    }
  fmt::print("  {}: arena {} in {} slots, packed weights {}{}{}\n{}", entry.getSymName().str(),
             bytesText(double(total)), entry.getSlots().size(), bytesText(double(packed)),
             caches ? fmt::format(", caches {}", bytesText(double(caches))) : "", memory.where(),
             slots);
}

/// Which kernels have a schedule that tuning has found, and which.
void explainTuned(mlir::ModuleOp module) {
  unsigned all = 0, tuned = 0;
  std::string lines;
  module.walk([&](kernel::FusedOp op) {
    ++all;
    auto sets = op->getAttrOfType<mlir::ArrayAttr>(cpu::tunedAttr);
    if (!sets)
      return;
    ++tuned;
    for (auto set : sets.getAsRange<mlir::StringAttr>()) {
      std::string schedule;
      llvm::raw_string_ostream(schedule) << op.getScheduleAttr().get(set);
      lines += fmt::format("  {:14} {:24} {:10} {}\n", stringifyFamily(op.getFamily()).str(),
                           op.getLabel().str(), set.str(), schedule);
    }
  });
  fmt::print("\n{} of {} kernels have a tuned schedule\n{}", tuned, all, lines);
}

/// What --weights-as made of the weights, and which stay as they are: remarks from `told` on.
void explainWeights(Compilation &compilation, size_t told) {
  std::string text;
  for (const Remark &remark : llvm::ArrayRef(compilation.remarks).drop_front(told))
    if (mlir::Operation *function = compilation.module().lookupSymbol(remark.function);
        !function || compilation.wants(function))
      text += fmt::format("  {}: {}: {}\n", remark.function, remark.place, remark.text);
  for (auto entry : compilation.module().getOps<plan::EntryOp>())
    if (std::string line = compilation.wants(entry) ? weightsOf(entry) : ""; !line.empty())
      text += "  " + line;
  if (!text.empty())
    fmt::print("weights\n{}\n", text);
}

int misuse(const std::string &text) {
  fmt::print(stderr, "weft explain: {}\n", text);
  return exitUsage;
}
} // namespace

int runExplain(const Arguments &arguments) {
  std::string what = llvm::StringRef(arguments.positional[0]).upper();
  if (what.size() == 5 && (what[0] == 'E' || what[0] == 'W') &&
      llvm::all_of(what.substr(1), llvm::isDigit))
    return explainCode(what);
  std::map<std::string, int64_t> given;
  if (auto problem = readSizes(arguments, given))
    return misuse(*problem);
  Compilation compilation(arguments);
  if (!compilation.target)
    return exitUsage;
  compilation.only = arguments.get("entry");
  compilation.keepRemarks();
  if (!compilation.model() || !compilation.lower("fused"))
    return compilation.exitCode();
  for (auto function : compilation.module().getOps<mlir::func::FuncOp>()) {
    if (!compilation.wants(function))
      continue;
    fmt::print("{}\n", model::publicName(function).str());
    explainKernels(function.getBody().front(), 1);
    for (const Remark &remark : compilation.remarks)
      if (remark.function == function.getSymName())
        fmt::print("  {}: {}\n", remark.place, remark.text);
    fmt::print("\n");
  }
  size_t told = compilation.remarks.size();
  if (!compilation.lower("plan", "fused"))
    return compilation.exitCode();
  explainWeights(compilation, told);
  model::Dims dims(compilation.module());
  TakenSizes sizes(dims, given);
  if (auto problem = sizes.problem())
    return misuse("--size: " + *problem);
  fmt::print("memory\n");
  std::string saidBy, budget = compilation.recomputeBudget(saidBy);
  if (const RecomputeLevel &now = compilation.recomputed(); now.operations > 0)
    fmt::print("  {} {}: gradients take {} instead of {}, and {:.1f} % more "
               "operations{}\n",
               saidBy, budget, bytesText(double(now.bytes)),
               bytesText(double(compilation.unlimited().bytes)),
               100 * (now.operations / compilation.unlimited().operations - 1),
               now.way.chunks ? "; logits are computed in chunks" : "");
  for (auto entry : compilation.module().getOps<plan::EntryOp>())
    if (compilation.wants(entry))
      explainMemory(entry, dims, given);
  if (arguments.has("tuned"))
    explainTuned(compilation.module());
  if (compilation.target->schedules() == cudaTarget().schedules()) {
    fmt::print("\n");
    auto wants = [&](mlir::Operation *entry) { return compilation.wants(entry); };
    if (!explainDevices(compilation.module(), sizes, wants))
      return exitUser;
  }
  return exitOk;
}

} // namespace weft
