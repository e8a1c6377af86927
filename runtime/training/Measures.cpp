// Reading what was measured.
#include "runtime/training/Measures.h"

using namespace weft::runtime;

void Measures::add(const Measures &other, double share) {
  loss += other.loss * share;
  metrics.resize(other.metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i)
    metrics[i] += other.metrics[i] * share;
}

Result<Measures> weft::runtime::measuresOf(const EntryRun &run) {
  std::vector<double> numbers;
  const std::vector<Argument> &outputs = run.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const Argument &output = outputs[i];
        output.dims.empty() && output.element == Element::Float && output.gradientOf.empty())
      numbers.push_back(*run.output<float>(static_cast<int>(i)));
  if (numbers.empty())
    return Error{Code::Internal, text("%s gives no loss", run.entry().name.c_str())};
  return Measures{numbers[0], {numbers.begin() + 1, numbers.end()}};
}

std::string weft::runtime::metricsText(const std::vector<std::string> &names,
                                       const Measures &measures, const char *between) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < measures.metrics.size(); ++i)
    out += text("%s%s %.4f", i ? between : "", names[i].c_str(), measures.metrics[i]);
  return out;
}
