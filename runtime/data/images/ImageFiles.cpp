// Recognising sets of images by their names.
#include "runtime/data/images/ImageFiles.h"

#include "runtime/base/files/Folder.h"
#include "runtime/data/images/formats/Cifar.h"
#include "runtime/data/images/formats/ClassFolders.h"
#include "runtime/data/images/formats/Idx.h"

#include <algorithm>

using namespace weft::runtime;
using Format = ImageFiles::Format;

static bool isIdxImages(const std::string &name) {
  return name.find("images-idx3") != std::string::npos;
}

static bool isCifar(const std::string &name) {
  return name.ends_with(".bin") || name.ends_with(".bin.gz");
}

static bool isForTesting(const std::string &name) {
  return name.starts_with("test") || name.starts_with("t10k");
}

/// Files of one format in a folder, those to test on apart; none if there are none to train on.
static std::optional<ImageFiles> filesIn(const std::string &path, Format format,
                                         bool (*isOne)(const std::string &)) {
  ImageFiles files{format, {}, {}, {}};
  std::vector<std::string> names = namesIn(path);
  auto isUnpackedToo = [&](const std::string &name) {
    return name.ends_with(".gz") &&
           std::find(names.begin(), names.end(), name.substr(0, name.size() - 3)) != names.end();
  };
  for (const std::string &name : names)
    if (isOne(name) && isUnpackedToo(name))
      files.packed.push_back(path + "/" + name);
    else if (isOne(name))
      (isForTesting(name) ? files.test : files.train).push_back(path + "/" + name);
  if (files.train.empty() && files.test.empty())
    return std::nullopt;
  return files;
}

static std::optional<ImageFiles> foldersOf(const std::string &path) {
  ImageFiles files{Format::Folders, {}, {}, {}};
  if (!isFolder(path + "/train")) {
    files.train.push_back(path);
    return foldersIn(path).empty() ? std::nullopt : std::optional(files);
  }
  files.train.push_back(path + "/train");
  for (const char *name : {"validation", "val"})
    if (files.validation.empty() && isFolder(path + "/" + name))
      files.validation.push_back(path + "/" + name);
  if (isFolder(path + "/test"))
    files.test.push_back(path + "/test");
  return files;
}

Result<ImageFiles> weft::runtime::findImages(const std::string &path) {
  if (!fileExists(path))
    return Error{Code::File, text("%s: there is no such file or folder", path.c_str())};
  if (!isFolder(path)) {
    bool idx = isIdxImages(path);
    if (idx || isCifar(path))
      return ImageFiles{idx ? Format::Idx : Format::Cifar, {path}, {}, {}};
  } else if (auto idx = filesIn(path, Format::Idx, isIdxImages)) {
    return *idx;
  } else if (auto cifar = filesIn(path, Format::Cifar, isCifar)) {
    return *cifar;
  } else if (auto folders = foldersOf(path)) {
    return *folders;
  }
  return Error{Code::Name, text("%s: holds no images that are known: idx (…images-idx3-ubyte, of "
                                "MNIST), CIFAR-10 (….bin), or a folder of PNG or JPEG for each "
                                "class, perhaps inside train, validation and test",
                                path.c_str())};
}

/// Appends a set of the same size.
static void append(ImageSet &all, ImageSet &&part) {
  if (all.labels.empty()) {
    all = std::move(part);
    return;
  }
  all.files.clear(); // the names of several files: an image goes by its number over all
  all.path += ", " + part.path;
  all.pixels.insert(all.pixels.end(), part.pixels.begin(), part.pixels.end());
  all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
}

static Result<ImageSet> readOne(Format format, const std::string &path, const ImageSize &wanted,
                                const std::vector<std::string> &classes) {
  switch (format) {
  case Format::Idx:
    return readIdx(path);
  case Format::Cifar:
    return readCifar(path);
  case Format::Folders:
    return readClassFolders(path, wanted, classes);
  }
  __builtin_unreachable();
}

Result<ImageSet> weft::runtime::readImages(Format format, const std::vector<std::string> &files,
                                           const ImageSize &wanted,
                                           const std::vector<std::string> &classes) {
  ImageSet all;
  for (const std::string &path : files) {
    Result<ImageSet> part = readOne(format, path, wanted, classes);
    if (!part)
      return part.error();
    auto fits = [](int64_t found, int64_t asked) { return asked == 0 || found == asked; };
    ImageSize other = all.labels.empty() ? wanted : all.size;
    if (!fits(part->size.channels, other.channels) || !fits(part->size.height, other.height) ||
        !fits(part->size.width, other.width))
      return Error{Code::Size,
                   text("%s: its images are %s (channels, height, width), expected %s",
                        path.c_str(), sizeText(part->size).c_str(), sizeText(other).c_str())};
    append(all, std::move(*part));
  }
  return all;
}
