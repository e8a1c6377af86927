// From `images:mnist` to a source of batches: the one function of this library that programs call,
// and only those whose training takes images have it.
#include "runtime/Archives.h"
#include "runtime/data/OpenData.h"
#include "runtime/data/images/ClassNames.h"
#include "runtime/data/images/ImageFiles.h"
#include "runtime/data/images/ImageSource.h"

#include <cstdlib>

using namespace weft::runtime;

namespace {
/// What the model takes: the inputs, the size of an image (0 where it comes with the data), how
/// many classes (0 without labels), and what those are called.
struct Taken {
  ImageSource::Binding binding;
  ImageSize size;
  int64_t classes = 0;
  std::string className;
};
} // namespace

static Error cannotTake(const Facts &facts, const Entry &entry, const Argument &argument,
                        const char *expected) {
  return {Code::Value, text("`%s` %s of %s cannot take images: expected %s", argument.name.c_str(),
                            facts.dimNames(argument.dims).c_str(), entry.name.c_str(), expected)};
}

static Result<Taken> bindImages(const Facts &facts, const Training &training) {
  const Entry &entry = facts.entries[training.gradient];
  auto named = [&](const char *role) {
    auto found = training.arguments.find(role);
    return found == training.arguments.end() ? std::string() : found->second;
  };
  Taken taken{{named("image"), named("label"), {}, -1}, {}, 0, ""};
  int image = argumentNamed(entry.inputs, taken.binding.image),
      label = argumentNamed(entry.inputs, taken.binding.label);
  if (training.dataKind != "images" || image < 0 || (label < 0 && !taken.binding.label.empty()))
    return Error{Code::Value, text("%s does not say how it is trained on images: its inputs are "
                                   "not bound to images(image, label)",
                                   training.name.c_str())};
  const Argument &pictures = entry.inputs[image];
  size_t rank = pictures.dims.size();
  if (pictures.element != Element::Float || rank < 3 || rank > 4)
    return cannotTake(facts, entry, pictures,
                      "floats in [batch, height, width] or [batch, channel, height, width]");
  auto size = [&](size_t fromLast) { // 0 where the data says it
    return facts.dims[pictures.dims[rank - fromLast]].size.value_or(0);
  };
  taken.size = {rank == 4 ? size(3) : 1, size(2), size(1)};
  taken.binding.imageDims = pictures.dims;
  for (const Argument &other : entry.inputs)
    if (other.name != taken.binding.image && other.name != taken.binding.label)
      return Error{Code::Value, text("`%s` of %s is not part of images", other.name.c_str(),
                                     entry.name.c_str())};
  if (label < 0)
    return taken;
  const Argument &labels = entry.inputs[label];
  bool isClass = labels.index >= 0 && facts.dims[labels.index].size;
  if (!isClass || labels.dims != std::vector<int>{pictures.dims[0]})
    return cannotTake(facts, entry, labels, "a class for each image, class[batch]");
  taken.binding.classDim = labels.index;
  taken.classes = *facts.dims[labels.index].size;
  taken.className =
      "`" + facts.dims[labels.index].name + "`" + facts.place(facts.dims[labels.index]);
  return taken;
}

/// Every image has a class that the model knows.
static Status checkLabels(const ImageSet &set, const Taken &taken) {
  if (taken.classes == 0)
    return success();
  auto known = static_cast<int64_t>(set.classes.size());
  if (known > 0 && known != taken.classes)
    return Error{Code::Size,
                 text("%s: has %lld classes (%s), %s is %lld", set.path.c_str(), wide(known),
                      listed(set.classes).c_str(), taken.className.c_str(), wide(taken.classes))};
  for (int64_t i = 0; i < set.count(); ++i)
    if (int32_t label = set.labels[static_cast<size_t>(i)]; label >= taken.classes)
      return Error{Code::Value, text("%s: has the label %d; %s is %lld, so 0 to %lld are known",
                                     set.name(i).c_str(), label, taken.className.c_str(),
                                     wide(taken.classes), wide(taken.classes - 1))};
  return success();
}

/// Reads a part, none of which may be there, in a size with zeros for any.
static Result<ImageSet> readPart(ImageFiles::Format format, const std::vector<std::string> &files,
                                 const Taken &taken, const ImageSize &size,
                                 const std::vector<std::string> &classes) {
  if (files.empty())
    return ImageSet{};
  Result<ImageSet> set = readImages(format, files, size, classes);
  if (set)
    if (Status status = checkLabels(*set, taken); !status)
      return status.error();
  return set;
}

/// "0.5,0.25"  ==>  the numbers; one where the option is not given.
static Result<std::vector<double>> numbers(const Options &options, const char *name,
                                           double otherwise, bool aboveZero) {
  std::string given = options.string(name);
  std::vector<double> list;
  for (size_t from = 0; options.has(name) && from <= given.size();) {
    size_t comma = std::min(given.find(',', from), given.size());
    std::string piece = given.substr(from, comma - from);
    char *end = nullptr;
    double value = strtod(piece.c_str(), &end);
    if (piece.empty() || *end || !(value > (aboveZero ? 0 : -1e6)) || value > 1e6)
      return Error{Code::Usage, text("--%s %s: expected a number%s, or one for each channel with "
                                     "commas between",
                                     name, given.c_str(), aboveZero ? " above 0" : "")};
    list.push_back(value);
    from = comma + 1;
  }
  return list.empty() ? std::vector<double>{otherwise} : list;
}

static Result<std::unique_ptr<DataSource>> openImages(const Model &model, const Training &training,
                                                      const std::string &path,
                                                      const DataRequest &request) {
  Result<Taken> taken = bindImages(model.facts, training);
  if (!taken)
    return taken.error();
  Options options = Options::from(request.options);
  Result<std::vector<double>> means = numbers(options, "mean", 0, false),
                              deviations = numbers(options, "std", 1, true);
  Result<int64_t> crop = options.integer("crop", 0, 0, 1024);
  if (!means || !deviations)
    return !means ? means.error() : deviations.error();
  if (!crop)
    return crop.error();
  Result<ImageFiles> files = findImages(path);
  if (!files)
    return files.error();
  for (const std::string &packed : files->packed)
    fprintf(stderr, "warning: %s: is left out, because it lies there unpacked too\n",
            packed.c_str());
  Result<std::vector<std::string>> classes =
      taken->classes > 0 ? classNames(*files, request, taken->classes) : std::vector<std::string>();
  if (!classes)
    return classes.error();
  if (request.allForValidation) { // what is not trained on, or else all there is
    if (!files->test.empty() || files->validation.empty())
      files->validation = std::move(files->test.empty() ? files->train : files->test);
    files->train.clear();
  } else if (files->train.empty()) {
    return Error{Code::Value, text("%s: has images to test on only", path.c_str())};
  }
  Result<ImageSet> train = readPart(files->format, files->train, *taken, taken->size, *classes);
  if (!train)
    return train.error();
  ImageSize size = train->count() > 0 ? train->size : taken->size;
  Result<ImageSet> validation = readPart(files->format, files->validation, *taken, size, *classes);
  if (!validation)
    return validation.error();
  if (train->count() + validation->count() == 0)
    return Error{Code::Value, text("%s: holds no images", path.c_str())};
  size = train->count() > 0 ? train->size : validation->size;
  Result<Normalization> normalization = Normalization::create(*means, *deviations, size.channels);
  if (!normalization)
    return normalization.error();
  return std::unique_ptr<DataSource>(new ImageSource({.train = std::move(*train),
                                                      .validation = std::move(*validation),
                                                      .binding = std::move(taken->binding),
                                                      .normalization = std::move(*normalization),
                                                      .augmentation = {options.has("flip"), *crop},
                                                      .seed = request.seed,
                                                      .classes = std::move(*classes)}));
}

static DataReader imagesReader() {
  return {
      {{"mean", "M[,M…]", "subtracted from values in 0 to 1, for all channels or each (default 0)"},
       {"std", "S[,S…]", "what is left is divided by (default 1)"},
       {"flip", "", "mirror half of the images in training, left to right"},
       {"crop", "N", "move images in training by up to N rows and columns, over a black border"}},
      openImages,
      {"mean", "std"},
      {"flip", "crop"}};
}

const ImagesArchive weft::runtime::weft_images = {imagesReader};
