// Any bytes as a tokenizer's file: it is refused, or it encodes and decodes any text.
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/tokenizers/Tokenizer.h"
#include "tests/fuzz/Require.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <fstream>
#include <string>

using namespace weft::runtime;

static void use(const Tokenizer &tokenizer, const std::string &text) {
  auto ids = tokenizer.encode(text);
  if (!ids)
    return require(!ids.error().message.empty());
  for (int32_t id : *ids)
    require(id >= 0 && id < tokenizer.size());
  decodeText(tokenizer, *ids);
  require(jsonText(tokenizer.json()) != "");
}

/// The file is what lies before the last 0xfe byte, the text what lies behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const TemporaryFolder folder;
  std::string path = folder / "tokenizer";
  std::string all(reinterpret_cast<const char *>(data), size);
  size_t end = std::min(all.rfind('\xfe'), all.size());
  std::ofstream(path, std::ios::binary) << all.substr(0, end);
  auto read = readTokenizer(path);
  if (!read) {
    require(read.error().message.starts_with(path));
    return 0;
  }
  use(**read, end < all.size() ? all.substr(end + 1) : "a b\xff\u00e9</s>  <0x0A>");
  return 0;
}
