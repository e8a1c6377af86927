// What a decoding takes besides ids: tensors by the names of inputs.
#ifndef WEFT_RUNTIME_GENERATION_GIVENINPUTS_H
#define WEFT_RUNTIME_GENERATION_GIVENINPUTS_H

#include "runtime/model/Facts.h"

namespace weft::runtime {

/// Elements as the input has them, row-major.
struct GivenInput {
  std::vector<int64_t> shape;
  std::vector<char> data;
};
using GivenInputs = std::map<std::string, GivenInput>;

/// The inputs of a decoding that are neither ids nor caches: of its `begin`, then those that only
/// `advance` has. Their values belong to a whole sequence.
std::vector<Argument> givenInputsOf(const Facts &facts, const Decoding &decoding);

/// Reads them from a safetensors file. Errors name the tensor that is missing, surplus, or does not
/// fit.
Result<GivenInputs> readGivenInputs(const Facts &facts, const Decoding &decoding,
                                    const std::string &path);

/// Puts `times` copies of each row along a dimension side by side; nothing where the input lacks
/// it.
void repeatRows(GivenInput &value, const Argument &input, int dimension, int64_t times);

/// A tensor of whole numbers.
GivenInput wholeNumbers(std::vector<int64_t> shape, const std::vector<int32_t> &values);

} // namespace weft::runtime
#endif
