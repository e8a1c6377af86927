// Reading what was measured.
#include "runtime/training/Measures.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

void Measures::add(const Measures &other, double share) {
  metrics.resize(other.metrics.size());
  if (share == 0)
    return;
  loss += other.loss * share;
  for (size_t i = 0; i < metrics.size(); ++i)
    metrics[i] += other.metrics[i] * share;
}

void Measures::forget() {
  loss = NAN;
  std::ranges::fill(metrics, NAN);
}

std::string weft::runtime::measureText(double value) {
  return std::isfinite(value) ? text("%.4f", value) : "-";
}

Result<Measures> weft::runtime::measuresOf(const EntryRun &run) {
  std::vector<double> numbers;
  std::optional<double> count;
  const std::vector<Argument> &outputs = run.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const Argument &output = outputs[i];
        output.dims.empty() && output.element == Element::Float && output.gradientOf.empty()) {
      double number = *run.output<float>(static_cast<int>(i));
      if (output.name == "count")
        count = number;
      else
        numbers.push_back(number);
    }
  if (numbers.empty())
    return Error{Code::Internal, text("%s gives no loss", run.entry().name.c_str())};
  if (count && !(*count >= 0 && std::isfinite(*count)))
    return Error{Code::Value, text("`count` of %s is %g: means are over 0 values or more",
                                   run.entry().name.c_str(), *count)};
  return Measures{numbers[0], {numbers.begin() + 1, numbers.end()}, count};
}

std::string weft::runtime::metricsText(const std::vector<std::string> &names,
                                       const Measures &measures, const char *between) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < measures.metrics.size(); ++i)
    out += text("%s%s %s", i ? between : "", names[i].c_str(),
                measureText(measures.metrics[i]).c_str());
  return out;
}
