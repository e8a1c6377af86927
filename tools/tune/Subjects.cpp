// The kernels that tuning is about.
#include "tools/tune/Subjects.h"

#include "ir/model/Entries.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>

namespace weft::tune {

std::string nameOf(kernel::FusedOp op) {
  std::string label = op.getLabel().str();
  for (char &c : label)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return stringifyFamily(op.getFamily()).str() + " \"" + label + "\"";
}

/// Packing of parameters, which the plan moves to what is done once after they have changed.
static bool isPrepared(kernel::FusedOp op) {
  return op.getFamily() == kernel::Family::pack &&
         llvm::all_of(op.getInputs(), [](mlir::Value operand) {
           return llvm::isa_and_nonnull<model::ParamOp>(operand.getDefiningOp());
         });
}

/// How often the loops around it go round.
static double passes(mlir::Operation *op, const trial::Sizes &sizes) {
  double count = 1;
  for (mlir::Operation *at = op->getParentOp(); at; at = at->getParentOp())
    if (auto repeat = llvm::dyn_cast<model::RepeatOp>(at))
      count *= double(sizes.at(repeat.getDim().str()));
  return count;
}

/// Launches of a kernel that is the same, whose dimensions have the names of `key`.
static void add(Subject &subject, const cpu::KernelKey &key, const trial::Sizes &sizes,
                double launches) {
  trial::Sizes own = sizes;
  for (size_t i = 0; i < key.dims.size(); ++i)
    own[subject.key.dims[i]] = sizes.at(key.dims[i]);
  auto isSame = [&](const trial::Sizes &other) {
    return llvm::all_of(subject.key.dims,
                        [&](const std::string &dim) { return other.at(dim) == own.at(dim); });
  };
  size_t at = size_t(std::ranges::find_if(subject.points, isSame) - subject.points.begin());
  if (at == subject.points.size()) {
    subject.points.push_back(own);
    subject.launches.push_back(0);
  }
  subject.launches[at] += launches;
}

std::vector<Subject> subjectsOf(mlir::ModuleOp module,
                                const std::function<bool(mlir::func::FuncOp)> &wants,
                                const Points &points) {
  auto dims = kernel::DimTable::of(module);
  llvm::MapVector<std::string, Subject, std::map<std::string, unsigned>> all;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!wants(function))
      continue;
    bool trains = model::kindOf(function) == model::EntryKind::gradient;
    function.walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr() || (!trains && isPrepared(op)))
        return;
      cpu::KernelKey key = cpu::keyOf(op, dims);
      Subject &subject = all[key.hash];
      if (!subject.op)
        subject = {op, key, {}, {}};
      for (const trial::Sizes &sizes : points)
        add(subject, key, sizes, passes(op, sizes));
    });
  }
  std::vector<Subject> result;
  for (auto &each : all)
    result.push_back(std::move(each.second));
  return result;
}

} // namespace weft::tune
