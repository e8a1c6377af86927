// Writing llama2.c v0 files.
#ifndef WEFT_RUNTIME_LLAMA2C_WRITER_H
#define WEFT_RUNTIME_LLAMA2C_WRITER_H

#include "runtime/llama2c/Header.h"

#include <functional>

namespace weft::runtime {

/// Writes header and tensors, beside `path` and then renamed onto it. `values` is asked for each of
/// `llama2cTensors(header)` in turn, and gives as many floats as that has.
Status writeLlama2c(const std::string &path, const Llama2cHeader &header,
                    const std::function<std::vector<float>(const StoredTensor &)> &values);

} // namespace weft::runtime
#endif
