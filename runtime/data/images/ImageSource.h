// Images and their classes as training data.
#ifndef WEFT_RUNTIME_DATA_IMAGES_IMAGESOURCE_H
#define WEFT_RUNTIME_DATA_IMAGES_IMAGESOURCE_H

#include "runtime/data/DataSource.h"
#include "runtime/data/images/Augmentation.h"

namespace weft::runtime {

/// What is to be tested on is opened to validate on, without anything to train on. Where nothing is
/// there to validate on, a tenth of what is there to train on is held out: the
/// same images whatever the seed. An epoch is every other image once, in a shuffled order; row r of
/// step s is image (s - 1) * batch + r, over all epochs. Only what is trained on is augmented.
class ImageSource final : public DataSource {
public:
  /// Which inputs of the gradient entry take the images [batch, (channel,) height, width] and the
  /// classes [batch]. `label` is empty where none does.
  struct Binding {
    std::string image, label;
    std::vector<int> imageDims;
    int classDim = -1; // what a label indexes, or -1
  };
  struct Contents {
    ImageSet train, validation; // of one size, or empty
    Binding binding;
    Normalization normalization;
    Augmentation augmentation;
    uint64_t seed = 0;
    std::vector<std::string> classes = {}; // the names of 0, 1, …, where they are known
  };
  explicit ImageSource(Contents contents);

  Status setSizes(EntryRun &run, int64_t rows) const override;
  Status fillTraining(EntryRun &run, BatchPlace place) const override;
  int64_t rows(Split split) const override;
  Status fill(EntryRun &run, Split split, int64_t first, int64_t rows) const override;
  void describe(Json &state) const override;
  Status drawSamples(Model &model, Split split, const std::string &path) const override;
  std::string description() const override;
  std::string fingerprint() const override { return hexadecimal(hash); }

  /// Fills one input with the images of rows of a split.
  void fillImages(EntryRun &run, int input, Split split, int64_t first, int64_t rows) const;
  /// The image of this row, counted over all epochs, in `train`.
  int64_t trainingImage(uint64_t row) const;
  /// The image of this row of a split, in the set that setOf() gives.
  int64_t imageOf(Split split, int64_t row) const;
  const ImageSet &setOf(Split split) const;

private:
  void fillRow(EntryRun &run, int64_t row, const ImageSet &set, int64_t image,
               const Placement &placement) const;
  /// The image at a place of `train`: those held out are the last places.
  int64_t placed(int64_t place) const;
  const ImageSet &anySet() const;
  Contents contents;
  int64_t trained; // how many images of `train` are trained on
  uint64_t hash = 0;
};

} // namespace weft::runtime
#endif
