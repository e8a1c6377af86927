// Which packed weights are the same.
#include "ir/plan/PackedWeights.h"

#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"

#include "mlir/Support/DebugStringHelper.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using llvm::StringRef;

namespace weft::plan {

namespace {
/// How launches fill each packed buffer, those of a `prepare` or `in_step`, as a text: packs of
/// equal types and layouts are equal however they are cut into tasks, and so are kernels with equal
/// names, so equal texts make equal bytes.
class Making {
public:
  Making(EntryOp entry, const model::Dims &sizes)
      : texts(entry.getPacked().size()), parameters(texts.size()), varies(texts.size()),
        entry(entry), sizes(sizes) {
    entry.walk([&](LaunchOp launch) {
      if (launch.getInStep() || entry.getPrepare().isAncestor(launch->getParentRegion()))
        visit(launch);
    });
  }

  std::vector<std::string> texts;
  std::vector<llvm::SetVector<StringRef>> parameters; ///< that each is made of
  std::vector<std::set<std::string>> varies;          ///< by what comes with the data

private:
  void note(const Size &size) {
    for (const std::string &dim : sizes.resolve(size).dims())
      dims.insert(dim);
  }

  /// Where a buffer lies; of a packed one the number is noted, and its text has no name.
  std::string place(Value buffer) {
    return llvm::TypeSwitch<Operation *, std::string>(buffer.getDefiningOp())
        .Case([&](ParameterOp op) {
          read.insert(op.getName());
          return "@" + op.getName().str();
        })
        .Case([&](PackedOp op) {
          written.insert(op.getNumber());
          return std::string("it");
        })
        .Case([&](OffsetOp op) {
          const Size &bytes = op.getBytes().getValue();
          note(bytes);
          std::string text = place(op.getBuffer()) + " + " + bytes.str();
          if (Value pass = op.getPass()) {
            // the loop, counted from the innermost one outwards
            unsigned depth = 0;
            for (Operation *around = op->getParentOp();
                 around != pass.getParentBlock()->getParentOp(); around = around->getParentOp())
              ++depth;
            text += " * " + std::to_string(depth);
          }
          return text;
        })
        .Default([&](Operation *op) {
          isKnown = false;
          return op->getName().getStringRef().str();
        });
  }

  void visit(LaunchOp launch) {
    written.clear();
    read.clear();
    isKnown = true;
    dims.clear();
    for (Type type : kernelOf(launch).getBody().getArgumentTypes())
      note(sizes.size(cast<model::NamedTensorType>(type).getDims()));
    std::string text = made(launch);
    for (Value buffer : launch.getBuffers())
      text += "; " + place(buffer);
    for (auto loop = launch->getParentOfType<LoopOp>(); loop;
         loop = loop->getParentOfType<LoopOp>())
      text += " for " + loop.getDim().getName().str();
    if (written.size() != 1 || !isKnown) // shared with nobody
      text += " in " + entry.getSymName().str();
    for (int64_t number : written) {
      texts[number] += text + '\n';
      varies[number].insert(dims.begin(), dims.end());
      parameters[number].insert(read.begin(), read.end());
    }
  }

  /// What a launch makes, whatever of.
  static std::string made(LaunchOp launch) {
    auto fused = cast<kernel::FusedOp>(kernelOf(launch).getBody().front().front());
    if (fused.getFamily() != kernel::Family::pack || !fused.getLayoutsAttr())
      return launch.getKernel().str();
    return mlir::debugString(fused.getResultTypes().front()) + " " +
           mlir::debugString(fused.getLayoutsAttr());
  }

  static KernelOp kernelOf(LaunchOp launch) {
    return SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  }

  EntryOp entry;
  const model::Dims &sizes;
  llvm::SetVector<int64_t> written;
  llvm::SetVector<StringRef> read;
  std::set<std::string> dims; ///< that decide what the launch that is looked at makes
  bool isKnown = true;        ///< all that it touches
};
} // namespace

PackedWeights::PackedWeights(ModuleOp plan) {
  model::Dims sizes(plan);
  llvm::StringMap<unsigned> known;
  llvm::StringSet<> needed; // parameters that are, as they are
  llvm::StringMap<int64_t> packedBytes;
  for (auto entry : plan.getOps<EntryOp>()) {
    entry.getBody().walk([&](ParameterOp op) { needed.insert(op.getName()); });
    Making making(entry, sizes);
    llvm::SmallVector<unsigned> &numbers = byEntry[entry];
    for (auto [number, text] : llvm::enumerate(making.texts)) {
      auto [at, isNew] = known.try_emplace(text, weights.size());
      numbers.push_back(at->second);
      if (!isNew)
        continue;
      Size bytes = sizes.resolve(cast<model::SizeAttr>(entry.getPacked()[number]).getValue());
      const llvm::SetVector<StringRef> &parameters = making.parameters[number];
      std::set<std::string> &varies = making.varies[number];
      for (const std::string &dim : bytes.dims())
        varies.insert(dim);
      weights.push_back({bytes, {}, {varies.begin(), varies.end()}});
      if (parameters.size() == 1)
        weights.back().parameter = parameters.front();
      if (parameters.size() == 1 && varies.empty())
        packedBytes[parameters.front()] += *bytes.constant();
      else
        needed.insert(parameters.begin(), parameters.end());
    }
  }

  for (PackedWeight &weight : weights) {
    if (!weight.parameter || !weight.varies.empty())
      continue;
    auto parameter = plan.lookupSymbol<model::ParameterOp>(*weight.parameter);
    auto type = cast<model::NamedTensorType>(parameter.getType());
    std::optional<int64_t> bytes = sizes.bytes(type).constant();
    int64_t packed = packedBytes[*weight.parameter];
    if (bytes && packed <= *bytes && !needed.contains(*weight.parameter))
      alone.insert(*weight.parameter);
    weight.carried = alone.contains(*weight.parameter) || (bytes && packed <= *bytes / 2);
  }
}

} // namespace weft::plan
