// What a classifier says about images.
#ifndef WEFT_RUNTIME_DATA_IMAGES_PREDICTIONS_H
#define WEFT_RUNTIME_DATA_IMAGES_PREDICTIONS_H

#include "runtime/data/images/ImageSource.h"

namespace weft::runtime {

/// An image of a set, its class, the class that the model holds most likely, and how likely.
struct Prediction {
  int64_t image = 0;
  int32_t label = 0, found = 0;
  double probability = 0;

  bool right() const { return label == found; }
};

/// The entry that takes images alone and gives a number for each class; the error says that there
/// is none.
Result<int> classifierOf(const Facts &facts, const ImageSource::Binding &binding);

/// Runs a classifier on all rows of a split. Its numbers are taken for logits.
Result<std::vector<Prediction>> predict(Model &model, int entry, const ImageSource &source,
                                        Split split);

/// A self-contained SVG, legible on white and on black: some images with their predictions, and
/// the mistakes, the surest first. `title` says where they are from.
std::string samplesPicture(const ImageSet &set, const std::vector<Prediction> &predictions,
                           const std::string &title);

} // namespace weft::runtime
#endif
