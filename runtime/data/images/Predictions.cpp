// Running a classifier on a split.
#include "runtime/data/images/Predictions.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

Result<int> weft::runtime::classifierOf(const Facts &facts, const ImageSource::Binding &binding) {
  for (size_t i = 0; i < facts.entries.size(); ++i) {
    const Entry &entry = facts.entries[i];
    if (entry.kind != EntryKind::Plain || entry.inputs.size() != 1 || entry.outputs.size() != 1)
      continue;
    const Argument &image = entry.inputs[0], &scores = entry.outputs[0];
    if (image.element == Element::Float && image.dims == binding.imageDims &&
        scores.element == Element::Float &&
        scores.dims == std::vector<int>{binding.imageDims[0], binding.classDim})
      return static_cast<int>(i);
  }
  return Error{Code::Value,
               text("no entry takes images alone and gives a number for each class: "
                    "logits(image: %s) -> [%s, %s]",
                    facts.dimNames(binding.imageDims).c_str(),
                    facts.dims[binding.imageDims[0]].name.c_str(),
                    binding.classDim < 0 ? "class" : facts.dims[binding.classDim].name.c_str())};
}

/// The largest of `count` logits, and its share of the softmax.
static Prediction best(const float *logits, int64_t count) {
  Prediction prediction;
  const float *largest = std::max_element(logits, logits + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(static_cast<double>(logits[i]) - static_cast<double>(*largest));
  prediction.found = static_cast<int32_t>(largest - logits);
  prediction.probability = 1 / sum;
  return prediction;
}

Result<std::vector<Prediction>> weft::runtime::predict(Model &model, int entry,
                                                       const ImageSource &source, Split split) {
  EntryRun run(model, entry);
  const ImageSet &set = source.setOf(split);
  std::vector<Prediction> all;
  constexpr int64_t batch = 64;
  for (int64_t first = 0, rows = source.rows(split); first < rows; first += batch) {
    int64_t count = std::min(batch, rows - first);
    if (first == 0 || count < batch) {
      run.forgetSizes();
      if (Status status = source.setSizes(run, count); !status)
        return status.error();
      if (Status status = run.allocate(); !status)
        return status.error();
    }
    source.fillImages(run, 0, split, first, count);
    if (Status status = run.run(); !status)
      return status.error();
    int64_t classes = run.outputCount(0) / count;
    for (int64_t row = 0; row < count; ++row) {
      all.push_back(best(run.output<float>(0) + row * classes, classes));
      all.back().image = source.imageOf(split, first + row);
      all.back().label = set.labels[static_cast<size_t>(all.back().image)];
    }
  }
  return all;
}
