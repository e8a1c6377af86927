// Any bytes as what a program says of itself: refused, or facts whose numbers all lead somewhere.
#include "runtime/model/Facts.h"
#include "tests/fuzz/Require.h"

using namespace weft::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto facts = readFacts({reinterpret_cast<const char *>(data), size});
  if (!facts) {
    require(!facts.error().message.empty());
    return 0;
  }
  auto isDim = [&](int dim) { return dim >= 0 && static_cast<size_t>(dim) < facts->dims.size(); };
  for (const Parameter &parameter : facts->parameters) {
    for (int dim : parameter.dims)
      require(isDim(dim));
    require(parameter.loops >= 0 && static_cast<size_t>(parameter.loops) <= parameter.dims.size());
  }
  for (const Entry &entry : facts->entries)
    for (const auto *list : {&entry.inputs, &entry.outputs})
      for (const Argument &argument : *list) {
        for (int dim : argument.dims)
          require(isDim(dim));
        require(argument.index == -1 || isDim(argument.index));
      }
  return 0;
}
