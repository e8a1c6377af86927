// Batches of images, shuffled by counters.
#include "runtime/data/images/ImageSource.h"

#include "runtime/base/Permutation.h"
#include "runtime/base/files/NewFile.h"
#include "runtime/data/images/Predictions.h"

using namespace weft::runtime;

static uint64_t hashOf(const ImageSet &set) {
  auto view = [](const auto &list) {
    return std::string_view(reinterpret_cast<const char *>(list.data()),
                            list.size() * sizeof(list[0]));
  };
  return streamNamed(view(set.pixels)) * 3 + streamNamed(view(set.labels));
}

ImageSource::ImageSource(Contents contents_)
    : contents(std::move(contents_)),
      trained(contents.validation.count() > 0
                  ? contents.train.count()
                  : contents.train.count() - contents.train.count() / 10),
      hash(hashOf(contents.train) * 3 + hashOf(contents.validation)) {}

const ImageSet &ImageSource::anySet() const {
  return contents.train.count() > 0 ? contents.train : contents.validation;
}

Status ImageSource::setSizes(EntryRun &run, int64_t rows) const {
  const std::vector<int> &dims = contents.binding.imageDims;
  if (Status status = run.setSize(dims[0], rows, "--batch"); !status)
    return status;
  const ImageSet &any = anySet();
  std::vector<int64_t> sizes{any.size.channels, any.size.height, any.size.width};
  for (size_t i = 1; i < dims.size(); ++i)
    if (Status status = run.setSize(dims[i], sizes[sizes.size() - dims.size() + i], any.path);
        !status)
      return status;
  return success();
}

int64_t ImageSource::placed(int64_t place) const {
  if (contents.validation.count() > 0)
    return place;
  Permutation order(static_cast<uint64_t>(contents.train.count()),
                    RandomStream(0, streamNamed("data.held_out")));
  return static_cast<int64_t>(order(static_cast<uint64_t>(place)));
}

int64_t ImageSource::trainingImage(uint64_t row) const {
  auto count = static_cast<uint64_t>(trained);
  uint64_t epoch = row / count;
  Permutation order(count, RandomStream(contents.seed, streamNamed("data.order") + epoch));
  return placed(static_cast<int64_t>(order(row % count)));
}

void ImageSource::fillRow(EntryRun &run, int64_t row, const ImageSet &set, int64_t image,
                          const Placement &placement) const {
  const std::vector<Argument> &inputs = run.entry().inputs;
  int into = argumentNamed(inputs, contents.binding.image),
      label = argumentNamed(inputs, contents.binding.label);
  if (into >= 0)
    writeImage(set.image(image), set.size, contents.normalization, placement,
               run.input<float>(into) + row * set.size.values());
  if (label >= 0)
    run.input<int32_t>(label)[row] = set.labels[static_cast<size_t>(image)];
}

Status ImageSource::fillTraining(EntryRun &run, BatchPlace place) const {
  for (int64_t row = 0; row < place.rows; ++row) {
    auto number = static_cast<uint64_t>((place.step - 1) * place.batch + place.first + row);
    int64_t image = trainingImage(number);
    uint64_t epoch = number / static_cast<uint64_t>(trained);
    fillRow(run, row, contents.train, image,
            contents.augmentation.draw(contents.seed, epoch, static_cast<uint64_t>(image)));
  }
  return success();
}

const ImageSet &ImageSource::setOf(Split split) const {
  bool apart = split == Split::Validation && contents.validation.count() > 0;
  return apart ? contents.validation : contents.train;
}

int64_t ImageSource::rows(Split split) const {
  int64_t heldOut = contents.train.count() - trained;
  return split == Split::Train        ? trained
         : split == Split::Validation ? heldOut + contents.validation.count()
                                      : 0;
}

int64_t ImageSource::imageOf(Split split, int64_t row) const {
  bool apart = &setOf(split) == &contents.validation;
  return apart ? row : placed(split == Split::Train ? row : trained + row);
}

Status ImageSource::fill(EntryRun &run, Split split, int64_t first, int64_t rows) const {
  for (int64_t row = 0; row < rows; ++row)
    fillRow(run, row, setOf(split), imageOf(split, first + row), {});
  return success();
}

void ImageSource::fillImages(EntryRun &run, int input, Split split, int64_t first,
                             int64_t rows) const {
  const ImageSet &set = setOf(split);
  for (int64_t row = 0; row < rows; ++row)
    writeImage(set.image(imageOf(split, first + row)), set.size, contents.normalization, {},
               run.input<float>(input) + row * set.size.values());
}

Status ImageSource::drawSamples(Model &model, Split split, const std::string &path) const {
  if (contents.binding.label.empty())
    return Error{Code::Value, "--samples: the images have no labels"};
  Result<int> entry = classifierOf(model.facts, contents.binding);
  if (!entry)
    return Error{entry.error().code, "--samples: " + entry.error().message};
  Result<std::vector<Prediction>> predictions = predict(model, *entry, *this, split);
  if (!predictions)
    return predictions.error();
  const std::string &from = setOf(split).path;
  return writeFile(
      path, samplesPicture(setOf(split), *predictions, from.substr(from.find_last_of('/') + 1)));
}

void ImageSource::describe(Json &state) const {
  if (!contents.classes.empty())
    state["classes"] = contents.classes;
}

std::string ImageSource::description() const {
  return text("%lld images of %s to train on, %lld to validate", wide(trained),
              sizeText(anySet().size).c_str(), wide(rows(Split::Validation)));
}
