// Weights that are made in the file that they are written to.
#ifndef WEFT_TOOLS_WEFT_BASE_WRITTENWEIGHTS_H
#define WEFT_TOOLS_WEFT_BASE_WRITTENWEIGHTS_H

#include "tools/weft/base/Weights.h"

#include "runtime/base/files/NewFile.h"

#include <vector>

namespace weft {

/// A new file of weights, whose memory is the parameters': there may be more of them than this
/// machine has memory. It has to be there as long as they are used.
class WrittenWeights {
public:
  /// Parameters and states lie there from now on, and are zeros. Where `path` is a device or a
  /// pipe, which has no memory, they stay where they are, and commit() writes them.
  static runtime::Result<WrittenWeights> create(Weights &weights, const std::string &path);
  /// To the disk, then under its name.
  runtime::Status commit();

private:
  explicit WrittenWeights(runtime::NewFile file) : file(std::move(file)) {}
  runtime::NewFile file;
  /// A parameter's values, and where they lie behind the header.
  struct Part {
    int parameter;
    const char *values;
    size_t offset, bytes;
  };
  char *room = nullptr;
  std::vector<Part> left; ///< to be written
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_WRITTENWEIGHTS_H
