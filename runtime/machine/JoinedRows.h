// Launches of one kernel by several runs, done as one launch of all their rows.
#ifndef WEFT_RUNTIME_MACHINE_JOINEDROWS_H
#define WEFT_RUNTIME_MACHINE_JOINEDROWS_H

#include "runtime/base/Block.h"
#include "runtime/machine/RunLaunch.h"

#include <vector>

namespace weft::runtime {

/// Copies what runs have of a kernel's buffers side by side, launches it at the size that all rows
/// have together, and copies results back: weights are read, and widened, once for all. What is
/// copied is rows of activations, little beside a matrix of weights.
class JoinedRows {
public:
  /// `sizes`: how many of them a call has.
  explicit JoinedRows(size_t sizes) : sizes(sizes) {}

  /// Does launch `parts` of a kernel with `buffers` buffers, as few times as its rows allow; false
  /// where that cannot be, and nothing was done.
  bool launch(Pool &pool, const WeftNamedKernel &kernel, std::span<const LaunchPart> parts);

private:
  /// What a kernel says of one run: WeftRows::describe.
  struct About {
    int64_t rows, tasks;
    struct Buffer {
      int64_t pitch, bytes;
      bool operator==(const Buffer &) const = default;
    };
    std::vector<Buffer> buffers;
  };
  static About aboutOf(const WeftNamedKernel &kernel, const int64_t *sizes);
  bool agree(const WeftNamedKernel &kernel, std::span<const LaunchPart> parts);
  bool shareRooms(const WeftNamedKernel &kernel, std::span<const LaunchPart> parts);
  static int64_t placesOf(const WeftNamedKernel &kernel, std::span<const LaunchPart> group);
  int64_t bytesFor(int64_t places) const;
  void launchGroup(Pool &pool, const WeftNamedKernel &kernel, std::span<const LaunchPart> group);

  size_t sizes;
  std::vector<About> all;    // of the runs
  std::vector<size_t> rooms; // by buffer, the first one that lies where it does
  Block memory;
};

} // namespace weft::runtime
#endif
