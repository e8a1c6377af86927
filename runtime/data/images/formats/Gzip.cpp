// Inflating by zlib.
#include "runtime/data/images/formats/Gzip.h"

#include "runtime/base/files/InputFile.h"

#include <zlib.h>

#include <algorithm>
#include <climits>

using namespace weft::runtime;

namespace {
/// zlib's state, released with it.
struct Inflater {
  z_stream stream{};
  bool ready = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; // 16: gzip, nothing else
  ~Inflater() { inflateEnd(&stream); }
};
} // namespace

static bool isGzip(Bytes bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

Result<std::vector<std::byte>> weft::runtime::unpackGzip(Bytes packed, const std::string &path) {
  Inflater inflater;
  if (!inflater.ready)
    return Error{Code::Memory, text("%s: no memory to unpack it", path.c_str())};
  z_stream &stream = inflater.stream;
  std::vector<std::byte> all;
  size_t taken = 0, made = 0;
  for (;;) {
    if (made == all.size())
      all.resize(std::max<size_t>(size_t(1) << 16, made * 2));
    auto piece = static_cast<uInt>(std::min<size_t>(packed.size() - taken, INT_MAX));
    auto room = static_cast<uInt>(std::min<size_t>(all.size() - made, INT_MAX));
    stream.next_in = const_cast<Bytef *>(reinterpret_cast<const Bytef *>(packed.data() + taken));
    stream.avail_in = piece;
    stream.next_out = reinterpret_cast<Bytef *>(all.data() + made);
    stream.avail_out = room;
    int state = inflate(&stream, Z_NO_FLUSH);
    taken += piece - stream.avail_in;
    made += room - stream.avail_out;
    if (state == Z_STREAM_END && taken == packed.size())
      break;
    if (state == Z_STREAM_END) // another member
      state = inflateReset(&stream);
    else if (state == Z_BUF_ERROR || (state == Z_OK && taken == packed.size() && stream.avail_out))
      return Error{Code::Value, text("%s: is cut off: its gzip ends after %zu unpacked bytes",
                                     path.c_str(), made)};
    if (state != Z_OK)
      return Error{Code::Value, text("%s: is damaged: %s", path.c_str(),
                                     stream.msg ? stream.msg : "its gzip cannot be unpacked")};
  }
  all.resize(made);
  return all;
}

Result<std::vector<std::byte>> weft::runtime::readUnpacked(const std::string &path) {
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  if (isGzip(file->bytes()))
    return unpackGzip(file->bytes(), path);
  return std::vector<std::byte>(file->bytes().begin(), file->bytes().end());
}
