// Writing llama2.c v0 files.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_WRITER_H
#define WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_WRITER_H

#include "tools/weft/foreign/llama2c/Header.h"

#include <functional>

namespace weft {

/// Writes header and tensors, beside `path` and then renamed onto it. `values` is asked for each of
/// `llama2cTensors(header)` in turn, and gives as many floats as that has.
runtime::Status
writeLlama2c(const std::string &path, const Llama2cHeader &header,
             const std::function<std::vector<float>(const runtime::StoredTensor &)> &values);

} // namespace weft
#endif
