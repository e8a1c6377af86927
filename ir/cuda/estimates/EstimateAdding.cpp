// What becomes of sums of products: what is computed beside them, and how parts are added.
#include "ir/cuda/estimates/EstimateAdding.h"

#include "ir/cuda/Tiles.h"
#include "ir/model/Traits.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace weft::cuda {

Beside besideProducts(kernel::FusedOp op, const kernel::Segment &segment) {
  Beside result;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> rest;
  Operation *yield = op.getBody().front().getTerminator();
  for (unsigned number : segment.results)
    rest.push_back(yield->getOperand(number));
  while (!rest.empty()) {
    Operation *each = rest.pop_back_val().getDefiningOp();
    if (!each || isa<model::ContractOp>(each) || !seen.insert(each).second)
      continue;
    llvm::append_range(rest, each->getOperands());
    if (each->hasTrait<model::Free>() || each->hasTrait<model::View>())
      continue;
    bool heavy = each->hasTrait<model::Heavy>();
    result.instructions += heavy ? function : 1;
    if (model::typeOf(each->getResult(0)).isFloat())
      result.floats += heavy ? function * ofThem : 1;
  }
  return result;
}

DepthCut::DepthCut(EstimateCase kernel, const kernel::ContractionForm &form, int64_t splits,
                   int64_t deep)
    : isCut(splits > 1), deep(deep), parts(1) {
  for (const kernel::Segment &segment : form.segments)
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms)
        parts = std::max(parts, tilesOf(kernel.count(term.k), deep));
  parts = std::min(parts, double(splits));
}

double DepthCut::steps(double depth) const {
  return parts * std::ceil(tilesOf(depth, deep) / parts);
}

/// Of one sum of a segment, without what tiles have beyond it.
static double elementsOf(EstimateCase kernel, const kernel::ContractionForm &form,
                         const kernel::Segment &segment) {
  return kernel.count(form.batch) * kernel.count(form.rows) * kernel.count(segment.columns);
}

/// What is computed of `elements` sums, some of them beyond the result, and stored.
static void addBeside(Estimate &all, EstimateCase kernel, const kernel::ContractionForm &form,
                      const kernel::Segment &segment, double elements) {
  Beside beside = besideProducts(kernel.op, segment);
  all.instructions += elements * (beside.instructions + 2 * addressing + looping);
  all.floats += elements * beside.floats;
  for (unsigned result : segment.results)
    all.globalBytesMoved += elementsOf(kernel, form, segment) *
                            double(kernel.elementBytes(kernel.op.getNumOperands() + result));
}

void addResults(Estimate &all, EstimateCase kernel, const kernel::ContractionForm &form,
                const kernel::Segment &segment, double elements, const DepthCut &cut) {
  if (!cut.isCut)
    return addBeside(all, kernel, form, segment, elements);
  auto sums = double(segment.sums.size());
  all.instructions += cut.parts * elements * (sums * addressing + looping);
  double bytes = cut.parts * sums * elementsOf(kernel, form, segment) * sizeof(float);
  all.globalBytesMoved += bytes;
  all.left += bytes;
}

void addLaunchBehind(Estimate &before, EstimateCase kernel, const kernel::ContractionForm &form,
                     const DepthCut &cut) {
  if (!cut.isCut)
    return;
  Estimate all;
  size_t sums = 1;
  constexpr double unrolled = 4;
  for (const kernel::Segment &segment : form.segments) {
    double tiles = kernel.count(form.batch) * tilesOf(kernel.count(form.rows), Adding::rows) *
                   tilesOf(kernel.count(segment.columns), Adding::columns);
    all.blocks += int64_t(tiles);
    double elements = tiles * double(Adding::rows * Adding::columns);
    auto each = double(segment.sums.size());
    sums = std::max(sums, segment.sums.size());
    // An address, a read and an addition of each.
    all.instructions += elements * cut.parts * (each * 3 + looping / unrolled);
    all.floats += elements * cut.parts * each;
    all.globalBytesMoved += cut.parts * each * elementsOf(kernel, form, segment) * sizeof(float);
    addBeside(all, kernel, form, segment, elements);
  }
  all.threads = Adding::threads;
  all.registers = std::min(usualRegisters + 6 * int64_t(sums), mostRegisters);
  before.then = std::make_shared<Estimate>(all);
}

} // namespace weft::cuda
