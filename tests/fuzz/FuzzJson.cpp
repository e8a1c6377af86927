// Any bytes as JSON: refused with a reason, or a document that can be copied, compared, printed and
// read again.
#include "runtime/base/Json.h"
#include "tests/fuzz/Require.h"

using namespace weft::runtime;

static size_t depthOf(const Json &value) {
  size_t most = 0;
  if (value.is_structured())
    for (const Json &inner : value)
      most = std::max(most, depthOf(inner));
  return value.is_structured() ? most + 1 : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  auto read = readJson(text);
  require(parseJson(text).is_discarded() == !read);
  if (!read) {
    require(read.error().message.starts_with("it "));
    return 0;
  }
  require(depthOf(*read) <= mostNested);
  Json copy = *read;
  require(copy == *read);
  // numbers beyond all floats are printed as null
  std::string printed = jsonText(copy, 1);
  auto again = readJson(printed);
  require(again && jsonText(*again, 1) == printed);
  return 0;
}
