// Buffers for a kernel that is timed: as they lie in programs, and too many for the caches.
#ifndef WEFT_TOOLS_KERNEL_PLAINMEMORY_H
#define WEFT_TOOLS_KERNEL_PLAINMEMORY_H

#include "ir/kernel/Kernel.h"
#include "tools/kernel/NamedTensor.h"

#include <memory>

namespace weft::trial {

/// The buffers of one kernel, operands, results, then a key for random numbers, in several sets.
/// Floats lie between 0.1 and 1.1, whole numbers are positions that exist.
class PlainMemory {
public:
  /// So many sets that together they hold `bytes`, at least one and at most 64.
  PlainMemory(kernel::FusedOp op, const Sizes &sizes, int64_t bytes);

  size_t sets() const { return pointers.size(); }
  void *const *set(size_t number) const { return pointers[number % pointers.size()].data(); }
  /// Of one set.
  int64_t bytes() const;

private:
  struct Buffer {
    int64_t bytes;
    model::NamedTensorType type;
    mlir::Attribute layout;
  };
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  char *fill(const Buffer &buffer, uint32_t seed, int64_t below);

  std::vector<Buffer> buffers;
  std::vector<std::unique_ptr<char, Free>> memory;
  std::vector<std::vector<void *>> pointers;
  uint64_t key[3] = {1, 2, 0};
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_PLAINMEMORY_H
