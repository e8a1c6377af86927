// `weft explain`: what became one kernel and what did not, and the memory of every entry; or what
// an error code means.
#include "frontend/source/Codes.h"
#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"
#include "ir/plan/Plan.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/GivenSizes.h"
#include "tools/weft/show/DeviceKernels.h"
#include "tools/weft/show/KernelText.h"
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

/// The arena of an entry: its slots, as formulas and at the largest sizes that bounds allow.
void explainMemory(plan::EntryOp entry, const model::Dims &dims,
                   const std::map<std::string, int64_t> &given) {
  TakenSizes memory(dims, given);
  int64_t total = 0;
  std::string slots;
  for (auto slot : entry.getSlots().getAsRange<mlir::ArrayAttr>()) {
    int64_t largest = 0;
    std::string formula;
    for (auto size : slot.getAsRange<model::SizeAttr>()) {
      int64_t bytes = memory.number(size.getValue());
      if (bytes >= largest) {
        largest = bytes;
        formula = size.getValue().str();
      }
    }
    total += (largest + 63) / 64 * 64;
    slots += fmt::format("    {:>12}  {}\n", bytesText(double(largest)), formula);
  }
  int64_t packed = 0;
  for (auto size : entry.getPacked().getAsRange<model::SizeAttr>())
    packed += memory.number(size.getValue());
  int64_t caches = 0;
  for (auto input : entry.getInputs().getAsRange<mlir::DictionaryAttr>())
    if (input.contains(model::attr::cache)) {
      auto type =
          llvm::cast<model::NamedTensorType>(input.getAs<mlir::TypeAttr>("type").getValue());
      int64_t each = input.contains(model::attr::storage) ? 2 : model::elementBytes(type);
      caches += memory.number(dims.size(type.getDims()) * Size::number(each));
    }
  fmt::print("  {}: arena {} in {} slots, packed weights {}{}{}\n{}", entry.getSymName().str(),
             bytesText(double(total)), entry.getSlots().size(), bytesText(double(packed)),
             caches ? fmt::format(", caches {}", bytesText(double(caches))) : "", memory.where(),
             slots);
}

/// What --weights-as made of the weights, and which stay as they are: remarks from `told` on.
void explainWeights(Compilation &compilation, size_t told) {
  std::string report = weightsReport(compilation.module());
  if (report.empty() && told == compilation.remarks.size())
    return;
  fmt::print("weights\n");
  for (const Remark &remark : llvm::ArrayRef(compilation.remarks).drop_front(told))
    fmt::print("  {}: {}: {}\n", remark.function, remark.place, remark.text);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    fmt::print("  {}\n", line.str());
  fmt::print("\n");
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
  for (auto entry : compilation.module().getOps<plan::EntryOp>())
    if (compilation.wants(entry))
      explainMemory(entry, dims, given);
  if (compilation.target->schedules() == cudaTarget().schedules()) {
    fmt::print("\n");
    auto wants = [&](mlir::Operation *entry) { return compilation.wants(entry); };
    if (!explainDevices(compilation.module(), sizes, wants))
      return exitUser;
  }
  return exitOk;
}

} // namespace weft
