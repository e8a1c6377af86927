// Packs of parameters, read back from a plan.
#include "tools/calibration/RoundedParameters.h"

#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/plan/Plan.h"

using namespace mlir;

namespace weft::calibration {
namespace {

class Reader {
public:
  explicit Reader(ModuleOp plan) : plan(plan), dims(plan) {}

  std::map<std::string, RoundedParameter> found;

  void read(plan::EntryOp entry) {
    entry->walk([&](plan::ParameterOp parameter) {
      for (Operation *reader : readersOf(parameter))
        if (std::optional<kernel::PanelsAttr> panels = roundedBy(reader))
          add(parameter.getName().str(), cast<plan::LaunchOp>(reader), *panels);
    });
  }
  /// Everything that reads those that were found, in any way.
  void readOthers(plan::EntryOp entry) {
    entry->walk([&](plan::ParameterOp parameter) {
      auto rounded = found.find(parameter.getName().str());
      if (rounded == found.end())
        return;
      for (Operation *reader : readersOf(parameter))
        if (!roundedBy(reader))
          rounded->second.otherwise =
              model::publicName(entry).str() + " reads it as float32 too" + by(reader);
    });
  }

private:
  /// What reads the parameter, or a slice of it.
  static llvm::SmallVector<Operation *> readersOf(plan::ParameterOp parameter) {
    llvm::SmallVector<Operation *> readers;
    llvm::SmallVector<Value> buffers = {parameter.getResult()};
    while (!buffers.empty())
      for (Operation *user : buffers.pop_back_val().getUsers())
        if (auto offset = dyn_cast<plan::OffsetOp>(user))
          buffers.push_back(offset.getResult());
        else
          readers.push_back(user);
    return readers;
  }

  std::string by(Operation *reader) {
    auto launch = dyn_cast<plan::LaunchOp>(reader);
    return launch ? ", in `" + kernelOf(launch).getLabel().str() + "`" : "";
  }

  kernel::FusedOp kernelOf(plan::LaunchOp launch) {
    auto kernel = plan.lookupSymbol<plan::KernelOp>(launch.getKernelAttr());
    return cast<kernel::FusedOp>(kernel.getBody().front().front());
  }

  /// The panels that the launch packs, if they are of whole numbers.
  std::optional<kernel::PanelsAttr> roundedBy(Operation *reader) {
    auto launch = dyn_cast<plan::LaunchOp>(reader);
    if (!launch)
      return std::nullopt;
    kernel::FusedOp fused = kernelOf(launch);
    Attribute layout = fused.getLayoutsAttr()[fused.getNumOperands()];
    if (fused.getFamily() != kernel::Family::pack || !kernel::weightFormatOf(layout))
      return std::nullopt;
    return cast<kernel::PanelsAttr>(layout);
  }

  std::vector<Axis> axes(llvm::ArrayRef<model::DimAttr> along, kernel::LayoutAttr layout) {
    std::vector<Axis> axes;
    for (model::DimAttr dim : along) {
      Size stride = layout.stride(dim).value_or(Size());
      // Sizes of parameters are known.
      axes.push_back({*dims.size(dim).constant(), *dims.resolve(stride).constant()});
    }
    return axes;
  }

  void add(const std::string &parameter, plan::LaunchOp launch, kernel::PanelsAttr panels) {
    auto layout = cast<kernel::LayoutAttr>(kernelOf(launch).getLayoutsAttr()[0]);
    RoundedSlice slice{*kernel::weightFormatOf(panels), axes(panels.getBatch(), layout),
                       axes(panels.getRows(), layout), axes(panels.getColumns(), layout)};
    auto [known, isNew] = found.try_emplace(parameter, RoundedParameter{slice, ""});
    auto declared = plan.lookupSymbol<model::ParameterOp>(parameter);
    auto type = cast<model::NamedTensorType>(declared.getType());
    Size ofPass = dims.size(type.getDims().drop_front(declared.getLoops()));
    if (!slice.isWhole(*ofPass.constant()))
      known->second.otherwise = "a product reads a part of it";
    else if (!isNew && known->second.slice != slice)
      known->second.otherwise = "two products read it in different groups";
  }

  ModuleOp plan;
  model::Dims dims;
};

} // namespace

int64_t RoundedSlice::elements() const {
  int64_t count = 1;
  for (const std::vector<Axis> *axes : {&batch, &rows, &columns})
    for (const Axis &axis : *axes)
      count *= axis.size;
  return count;
}

bool RoundedSlice::isWhole(int64_t ofPass) const {
  int64_t last = 0;
  for (const std::vector<Axis> *axes : {&batch, &rows, &columns})
    for (const Axis &axis : *axes)
      last += (axis.size - 1) * axis.stride;
  return elements() == ofPass && last == ofPass - 1;
}

std::map<std::string, RoundedParameter> roundedParameters(ModuleOp plan) {
  Reader reader(plan);
  llvm::SmallVector<plan::EntryOp> inference;
  for (auto entry : plan.getOps<plan::EntryOp>()) {
    if (model::packsAhead(entry))
      inference.push_back(entry);
  }
  for (plan::EntryOp entry : inference)
    reader.read(entry);
  for (plan::EntryOp entry : inference)
    reader.readOthers(entry);
  return std::move(reader.found);
}

} // namespace weft::calibration
