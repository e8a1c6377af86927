// Any text as a tensor on the command line: refused with its name, or as many values as its shape
// says, which a program takes or refuses.
#include "runtime/program/run/Literal.h"
#include "tests/fuzz/Require.h"

using namespace weft::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string given(reinterpret_cast<const char *>(data), size);
  auto literal = readLiteral(given);
  if (!literal) {
    require(literal.error().message.starts_with("--input "));
    return 0;
  }
  size_t count = 1;
  for (int64_t length : literal->shape) {
    require(length > 0);
    count *= static_cast<size_t>(length);
  }
  require(count == literal->values.size());
  for (Element element : {Element::Float, Element::Int, Element::Bool}) {
    Argument argument;
    argument.name = literal->name;
    argument.element = element;
    Status may = fits(*literal, argument);
    std::vector<char> target(count * static_cast<size_t>(bytesOf(element)));
    Status stored = store(*literal, argument, target.data());
    require(static_cast<bool>(may) == static_cast<bool>(stored));
  }
  return 0;
}
