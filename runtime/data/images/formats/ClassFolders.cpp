// Reading folders of pictures.
#include "runtime/data/images/formats/ClassFolders.h"

#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/data/images/formats/Picture.h"

#include <algorithm>

using namespace weft::runtime;

std::vector<std::string> weft::runtime::foldersIn(const std::string &path) {
  std::vector<std::string> names = namesIn(path);
  std::erase_if(names, [&](const std::string &name) {
    return name.starts_with('.') || !isFolder(path + "/" + name);
  });
  return names;
}

static bool isPicture(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(tolower(c)); });
  return !name.starts_with('.') &&
         (name.ends_with(".png") || name.ends_with(".jpg") || name.ends_with(".jpeg"));
}

/// Decodes a file and appends it. The first one settles what `set.size` left open.
static Status addFile(ImageSet &set, const std::string &path, int32_t label) {
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  Result<Picture> picture = decodePicture(file->bytes(), set.size);
  if (!picture)
    return Error{picture.error().code, path + ": " + picture.error().message};
  int64_t channels = set.size.channels > 0 ? set.size.channels : picture->size.channels;
  set.size = {channels, picture->size.height, picture->size.width};
  appendPlanes(*picture, channels, set.pixels);
  set.labels.push_back(label);
  set.files.push_back(path);
  return success();
}

Result<ImageSet> weft::runtime::readClassFolders(const std::string &path, const ImageSize &wanted,
                                                 std::vector<std::string> classes) {
  if (wanted.channels != 0 && wanted.channels != 1 && wanted.channels != 3)
    return Error{Code::Size, text("%s: PNG and JPEG have 1 or 3 channels, the model has %lld",
                                  path.c_str(), wide(wanted.channels))};
  ImageSet set{
      .path = path, .size = wanted, .pixels = {}, .labels = {}, .files = {}, .classes = {}};
  std::vector<std::string> there = foldersIn(path);
  if (classes.empty())
    classes = there;
  for (const std::string &name : there) {
    auto label = std::find(classes.begin(), classes.end(), name) - classes.begin();
    std::string folder = path + "/" + name;
    if (static_cast<size_t>(label) == classes.size())
      return Error{Code::Value,
                   text("%s: is none of the classes %s", folder.c_str(), listed(classes).c_str())};
    std::vector<std::string> names = namesIn(folder);
    std::erase_if(names, [](const std::string &name) { return !isPicture(name); });
    if (names.empty())
      return Error{Code::Value, text("%s: holds no .png, .jpg or .jpeg", folder.c_str())};
    for (const std::string &name : names)
      if (Status status = addFile(set, folder + "/" + name, static_cast<int32_t>(label)); !status)
        return status.error();
  }
  set.classes = std::move(classes);
  return set;
}
