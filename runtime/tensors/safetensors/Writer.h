// Writing safetensors files.
#ifndef WEFT_RUNTIME_TENSORS_SAFETENSORS_WRITER_H
#define WEFT_RUNTIME_TENSORS_SAFETENSORS_WRITER_H

#include "runtime/tensors/ElementType.h"

#include <map>
#include <vector>

namespace weft::runtime {

/// A tensor to write; `data` stays the caller's. `narrow`: of which two-byte type the data is,
/// where that is no element of a program.
struct TensorToWrite {
  std::string name;
  Element element;
  std::vector<int64_t> shape;
  const void *data;
  std::optional<ElementType> narrow = std::nullopt;

  ElementType type() const { return narrow.value_or(storedAs(element)); }
};

/// What stands in front of the tensors' data, which lie one behind the other in their order.
std::string safetensorsHeader(const std::vector<TensorToWrite> &tensors,
                              const std::map<std::string, std::string> &metadata = {});

/// Writes the tensors in their order, beside `path` and then renamed onto it: the same bytes for
/// the same input.
Status writeSafetensors(const std::string &path, const std::vector<TensorToWrite> &tensors,
                        const std::map<std::string, std::string> &metadata = {});

} // namespace weft::runtime
#endif
