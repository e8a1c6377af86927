// Sums of moments over rows of data, and a matrix for each slice of a parameter.
#include "tools/calibration/DataMoments.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"

#include <algorithm>
#include <unordered_map>

using namespace mlir;
using weft::runtime::Split, weft::runtime::Status;

namespace weft::calibration {

DataMoments::DataMoments(ModuleOp module) {
  auto training = *module.getOps<model::TrainingOp>().begin();
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (model::publicName(function) != training.getEntry())
      continue;
    func::FuncOp measured = function.clone();
    name = training.getEntry().str() + ".moments";
    measured.setSymName(function.getSymName().str() + ".moments"); // unless that is taken
    measured->setAttr(model::attr::entry, StringAttr::get(module.getContext(), name));
    SymbolTable symbols(module);
    symbols.insert(measured, std::next(function->getIterator()));
    std::vector<model::Moment> moments = model::addMoments(measured);
    for (const model::Moment &moment : moments)
      place(moment, symbols.lookup<model::ParameterOp>(moment.parameter),
            cast<model::NamedTensorType>(measured.getResultTypes()[moment.result]), module);
    return;
  }
}

/// Dense, the last dimension innermost.
static std::map<std::string, Axis> axesOf(model::NamedTensorType type, const model::Dims &dims) {
  std::map<std::string, Axis> axes;
  int64_t stride = 1;
  for (model::DimAttr dim : llvm::reverse(type.getDims())) {
    int64_t size = *dims.fixed(dim); // parameters have sizes that are known
    axes[dim.getValue().str()] = {size, stride};
    stride *= size;
  }
  return axes;
}

void DataMoments::place(const model::Moment &moment, model::ParameterOp parameter,
                        model::NamedTensorType type, ModuleOp module) {
  model::Dims dims(module);
  std::map<std::string, Axis> inResult = axesOf(type, dims);
  std::map<std::string, Axis> inParameter =
      axesOf(cast<model::NamedTensorType>(parameter.getType()), dims);
  std::vector<Axis> bases, basesInResult, rows, rowsInResult, others;
  for (model::DimAttr dim : type.getDims()) {
    if (llvm::is_contained(moment.rows, dim) || llvm::is_contained(moment.others, dim))
      continue;
    bases.push_back(inParameter.at(dim.getValue().str()));
    basesInResult.push_back(inResult.at(dim.getValue().str()));
  }
  for (auto [row, other] : llvm::zip(moment.rows, moment.others)) {
    rows.push_back(inParameter.at(row.getValue().str()));
    rowsInResult.push_back(inResult.at(row.getValue().str()));
    others.push_back(inResult.at(other.getValue().str()));
  }
  places.insert({moment.parameter,
                 {moment.result, offsetsAlong(bases), offsetsAlong(basesInResult),
                  offsetsAlong(rows), offsetsAlong(rowsInResult), offsetsAlong(others)}});
}

Status DataMoments::add(runtime::EntryRun &run) {
  if (Status status = run.run(); !status)
    return status;
  for (const auto &[parameter, place] : places)
    sums.try_emplace(place.result);
  for (auto &[result, sum] : sums) {
    auto number = static_cast<int>(result);
    sum.resize(static_cast<size_t>(run.outputCount(number)));
    const auto *values = run.output<float>(number);
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += static_cast<double>(values[i]);
  }
  return runtime::success();
}

int64_t DataMoments::rowsOf(const runtime::DataSource &data, int64_t positions) {
  constexpr int64_t least = 4, most = 128;
  return data.sequence() > 0 ? std::clamp(positions / data.sequence(), least, most) : most;
}

Status DataMoments::measure(runtime::Model &model, const runtime::DataSource &data) {
  constexpr int64_t positions = 1 << 16; // some times as many as a wide product adds up
  int64_t mostRows = rowsOf(data, positions);
  runtime::EntryRun run(model, model.facts.entry(name));
  if (int64_t batch = data.fixedBatch(); batch > 0) { // recorded: as they are
    if (Status status = data.setSizes(run, batch); !status)
      return status;
    if (Status status = run.allocate(); !status)
      return status;
    for (int64_t step = 1; step <= data.mostSteps() && rows < mostRows; ++step, rows += batch) {
      if (Status status = data.fillTraining(run, {step, batch, 0, batch}); !status)
        return status;
      if (Status status = add(run); !status)
        return status;
    }
    return runtime::success();
  }
  constexpr int64_t atOnce = 4;
  int64_t all = data.rows(Split::Validation), part = std::min(all, atOnce);
  int64_t parts = part > 0 ? std::min(all, mostRows) / part : 0;
  for (int64_t i = 0; i < parts; ++i, rows += part) {
    int64_t first = parts > 1 ? (all - part) * i / (parts - 1) : 0;
    if (i == 0) {
      if (Status status = data.setSizes(run, part); !status)
        return status;
      if (Status status = run.allocate(); !status)
        return data.explained(status.error());
    }
    if (Status status = data.fill(run, Split::Validation, first, part); !status)
      return status;
    if (Status status = add(run); !status)
      return status;
  }
  return runtime::success();
}

std::optional<Matrix> DataMoments::of(const std::string &parameter, int64_t base,
                                      const std::vector<int64_t> &offsets) const {
  auto count = static_cast<int64_t>(offsets.size());
  std::optional<Matrix> all;
  auto [first, end] = places.equal_range(parameter);
  for (const auto &[name, place] : llvm::make_range(first, end)) {
    auto found = llvm::find(place.bases, base);
    std::unordered_map<int64_t, size_t> rowAt;
    for (auto [i, row] : llvm::enumerate(place.rows))
      rowAt[row] = i;
    if (found == place.bases.end() || rowAt.size() != offsets.size())
      continue;
    std::vector<size_t> order;
    for (int64_t offset : offsets)
      if (auto row = rowAt.find(offset); row != rowAt.end())
        order.push_back(row->second);
    if (order.size() != offsets.size())
      continue;
    const std::vector<double> &sum = sums.at(place.result);
    int64_t start = place.basesInResult[size_t(found - place.bases.begin())];
    if (!all)
      all = Matrix::Zero(count, count);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < count; ++j)
        (*all)(i, j) += sum[size_t(start + place.rowsInResult[order[size_t(i)]] +
                                   place.othersInResult[order[size_t(j)]])];
  }
  return all;
}

} // namespace weft::calibration
