// A block of memory from the system: zeroed, aligned, on huge pages where it is large.
#ifndef WEFT_RUNTIME_BASE_BLOCK_H
#define WEFT_RUNTIME_BASE_BLOCK_H

#include "runtime/base/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft::runtime {

/// WEFT_POISON=1 fills outputs and work space with NaN before a run, and puts a page that nobody
/// may touch behind blocks: what a kernel does not write, or reads beyond its memory, shows.
bool poisons();

/// "3.1 GB"
std::string bytesText(int64_t bytes);

/// Owns `size()` bytes, aligned to 64 (to 2 MiB when larger than that). Holds zeros when new.
class Block {
public:
  Block() = default;
  /// `purpose` names it in the error ("the arena of train.gradient"), which ends with `advice`. A
  /// large one comes from each of these NUMA `nodes` in turn, or, without, from the one beside the
  /// thread that touches a page first.
  static Result<Block> create(int64_t bytes, const std::string &purpose,
                              const char *advice = "use a smaller batch or shorter sequences",
                              std::span<const int> nodes = {});
  ~Block() { release(); }
  Block(Block &&other) noexcept { *this = std::move(other); }
  Block &operator=(Block &&other) noexcept;

  char *data() const { return start; }
  int64_t size() const { return bytes; }
  /// NaN in every float, -1 in every int: what a kernel forgets to write shows.
  void poison();

private:
  void release();
  char *start = nullptr;
  int64_t bytes = 0;
  void *mapping = nullptr;
  size_t mapped = 0;
};

} // namespace weft::runtime
#endif
