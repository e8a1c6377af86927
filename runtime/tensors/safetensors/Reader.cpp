// Opening safetensors files, and reading tensors of them.
#include "runtime/tensors/safetensors/Reader.h"

#include <algorithm>

using namespace weft::runtime;

Result<int64_t> weft::runtime::readElements(const InputFile &file, const StoredTensor &tensor,
                                            int64_t first, int64_t count, Element to,
                                            void *target) {
  auto width = static_cast<int64_t>(elementBytes(tensor.type));
  auto *into = static_cast<std::byte *>(target);
  uint64_t begin = tensor.begin + static_cast<uint64_t>(first * width);
  if (tensor.type == ElementType::F32 && to == Element::Float) { // as they are stored
    Status status = file.read(begin, {into, static_cast<size_t>(count * width)});
    return status ? Result<int64_t>(-1) : status.error();
  }
  constexpr int64_t pieceBytes = 1 << 16;
  std::vector<std::byte> piece(static_cast<size_t>(std::min(count * width, pieceBytes)));
  int64_t most = pieceBytes / width;
  for (int64_t done = 0; done < count; done += most) {
    int64_t now = std::min(most, count - done);
    Status status = file.read(begin + static_cast<uint64_t>(done * width),
                              {piece.data(), static_cast<size_t>(now * width)});
    if (!status)
      return status.error();
    int64_t bad = convert(tensor.type, piece.data(), now, to, into + bytesOf(to, done));
    if (bad >= 0)
      return done + bad;
  }
  return int64_t(-1);
}

Result<SafetensorsHeader> weft::runtime::readHeaderOf(const InputFile &file) {
  auto wrong = [&](const HeaderError &error) {
    return Error{Code::File, file.path() + ": " + error.message};
  };
  std::vector<std::byte> start(std::min<uint64_t>(file.size(), sizeof(uint64_t)));
  if (Status status = file.read(0, start); !status)
    return status.error();
  Result<uint64_t, HeaderError> bytes = headerBytes(start, file.size());
  if (!bytes)
    return wrong(bytes.error());
  start.resize(*bytes);
  if (Status status = file.read(0, start); !status)
    return status.error();
  Result<SafetensorsHeader, HeaderError> header = readHeader(start, file.size());
  if (!header)
    return wrong(header.error());
  return std::move(*header);
}

SafetensorsFile::SafetensorsFile(InputFile file_, SafetensorsHeader header_)
    : file(std::move(file_)), header(std::move(header_)) {
  for (size_t i = 0; i < header.tensors.size(); ++i)
    byName.emplace(header.tensors[i].name, i);
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.error();
  Result<SafetensorsHeader> header = readHeaderOf(*file);
  if (!header)
    return header.error();
  return SafetensorsFile(std::move(*file), std::move(*header));
}

const StoredTensor *SafetensorsFile::find(const std::string &tensor) const {
  auto found = byName.find(tensor);
  return found == byName.end() ? nullptr : &header.tensors[found->second];
}
