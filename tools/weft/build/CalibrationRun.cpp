// Compiling, measuring, rounding.
#include "tools/weft/build/CalibrationRun.h"

#include "tools/weft/base/Compilation.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/training/Evaluation.h"
#include "runtime/training/Settings.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include "llvm/Support/Parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using weft::calibration::Matrix;

namespace weft {

/// The data, read by the tokenizers that the program carries; those lie in `folder` as beside a
/// checkpoint.
static runtime::Result<std::unique_ptr<runtime::DataSource>>
openedData(const std::string &data, const runtime::Model &model, const runtime::CarriedTexts &texts,
           const std::string &folder) {
  runtime::Json state;
  for (const auto &[file, text] : texts) {
    if (runtime::Status status = runtime::writeFile(folder + "/" + file, text); !status)
      return status.error();
    if (file == runtime::trainingFile)
      state = runtime::Json::parse(text);
  }
  runtime::DataRequest request;
  request.data = data;
  request.option = "calibrate";
  request.options = runtime::withTrainingOptions({}, data, runtime::trainingDataOptions(state));
  request.checkpoint = folder;
  request.state = &state;
  request.allForValidation = true;
  request.learns = false; // a tokenizer learned from this text would give other ids
  return runtime::openData(model, model.facts.trainings.front(), request);
}

CalibrationRun::CalibrationRun(const Arguments &arguments, CarriedWeights &carried)
    : carried(carried), good(!folder.path.empty() && prepare(arguments)) {}

bool CalibrationRun::prepare(const Arguments &arguments) {
  Arguments exact = arguments;
  for (const char *option : {"calibrate", "measure", "each-pass", "isa", "inference"})
    exact.values.erase(option);
  exact.values["recompute-budget"] = {"none"};
  exact.values["precision"] = exact.values["weights-as"] = {"float32"};
  exact.values.erase("caches-as");
  exact.values["target"] = {"cpu"};
  Compilation compilation(exact);
  compilation.warns = false;
  if (!compilation.model() || !compilation.lower("model"))
    return false;
  moments.emplace(compilation.module());
  if (!compilation.lower("plan", "model"))
    return false;
  std::string set = reduce::setsOfMachine(cpuTarget()).back();
  if (auto problem = code.load(compilation.module(), cpuTarget(), {set}, CodeEffort::full)) {
    fmt::print(stderr, "weft build: internal error: {}\n", *problem);
    return false;
  }
  auto said = [](const runtime::Error &error) {
    fmt::print(stderr, "weft build: {}\n", error.message);
    return false;
  };
  auto opened = runtime::Model::open(code.program(), {.isa = set.c_str()});
  if (!opened)
    return said(opened.error());
  model = std::move(*opened);
  carried.copyTo(model->parameters);
  std::string name = arguments.get("calibrate");
  auto source = openedData(name, *model, carried.texts(), folder.path);
  if (!source)
    return said(source.error());
  data = std::move(*source);
  fmt::print("calibrating on {}\n", name);
  fflush(stdout); // of a large model it takes minutes
  if (runtime::Status status = moments->measure(*model, *data); !status)
    return said(status.error());
  return rows() > 0 || said({runtime::Code::Value, name + ": has no rows to calibrate on"});
}

float *CalibrationRun::floatsOf(const std::string &parameter) {
  return static_cast<float *>(model->parameters.data(model->facts.parameter(parameter)));
}

std::optional<std::string> CalibrationRun::round(const std::string &parameter,
                                                 const calibration::RoundedSlice &slice,
                                                 Rounding how) {
  if (model->facts.parameter(parameter) < 0)
    return "the loss does not read it";
  auto [from, count] = carried.floatsOf(parameter);
  float *to = floatsOf(parameter);
  std::vector<int64_t> rows = calibration::offsetsAlong(slice.rows), bases;
  std::vector<int64_t> columns = calibration::offsetsAlong(slice.columns);
  for (int64_t start = 0; start < count; start += slice.elements())
    for (int64_t batch : calibration::offsetsAlong(slice.batch))
      bases.push_back(start + batch);
  auto each = [&](int64_t base, auto visit) {
    for (size_t row = 0; row < rows.size(); ++row)
      for (size_t column = 0; column < columns.size(); ++column)
        visit(Eigen::Index(row), Eigen::Index(column), base + rows[row] + columns[column]);
  };
  std::vector<std::optional<std::string>> problems(bases.size());
  std::vector<Matrix> rounded(bases.size());
  llvm::parallelFor(0, bases.size(), [&](size_t i) {
    Matrix &weights = rounded[i];
    weights.resize(Eigen::Index(rows.size()), Eigen::Index(columns.size()));
    each(bases[i], [&](auto row, auto column, int64_t at) { weights(row, column) = from[at]; });
    if (how == Rounding::nearest)
      calibration::roundToNearest(weights, slice.format);
    else if (std::optional<Matrix> moment = moments->of(parameter, bases[i], rows))
      problems[i] = calibration::roundByMoments(weights, *moment, slice.format);
    else
      problems[i] = "no product of the loss has it for one side as it is";
  });
  for (const std::optional<std::string> &problem : problems)
    if (problem)
      return problem;
  for (size_t i = 0; i < bases.size(); ++i)
    each(bases[i],
         [&](auto row, auto column, int64_t at) { to[at] = float(rounded[i](row, column)); });
  model->parameters.changed();
  return std::nullopt;
}

std::optional<double> CalibrationRun::loss() {
  runtime::Evaluation evaluation(*model, model->facts.trainings.front(), *data);
  // So many tokens tell losses of a thousandth apart.
  constexpr int64_t positions = 3 << 12, most = 48, batch = 4;
  int64_t rows = std::min(calibration::DataMoments::rowsOf(*data, positions), most);
  runtime::Status status =
      data->fixedBatch() > 0
          ? evaluation.measureRecord()
          : evaluation.measureSample(runtime::Split::Validation, {rows / batch, batch, batch});
  if (!status || evaluation.weight() == 0 || !std::isfinite(evaluation.mean().loss))
    return std::nullopt;
  return evaluation.mean().loss;
}

std::vector<float> CalibrationRun::valuesOf(const std::string &parameter) {
  const float *values = floatsOf(parameter);
  return {values, values + carried.floatsOf(parameter).second};
}

void CalibrationRun::keep(const std::string &parameter, const std::vector<float> &values) {
  for (float *to : {floatsOf(parameter), carried.floatsOf(parameter).first})
    std::copy(values.begin(), values.end(), to);
  model->parameters.changed();
}

} // namespace weft
