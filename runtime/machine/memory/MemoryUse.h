// What a run takes of this machine's memory, by kind, before it does.
#ifndef WEFT_RUNTIME_MACHINE_MEMORY_MEMORYUSE_H
#define WEFT_RUNTIME_MACHINE_MEMORY_MEMORYUSE_H

#include <array>
#include <cstdint>
#include <string>

namespace weft::runtime {

/// Bytes by kind, each in whole pages: a sum of them is what getrusage() says of a process that has
/// touched all of it.
class MemoryUse {
public:
  enum Kind {
    Program,    // its code, its threads, whatever libraries have
    Data,       // texts, tokenizers, images
    Parameters, // and states
    Optimizer,
    Gradients, // and their sums, where a batch has parts
    Tensors,   // inputs and other results
    Caches,
    Packed, // parameters as products read them
    Work,   // intermediate values, and what kernels share
    Scratch // of all threads
  };
  static constexpr int kinds = Scratch + 1;

  /// Adds a block of so many bytes.
  void add(Kind kind, int64_t bytes);
  /// Adds another run's, which has the same work space and scratch, not at the same time.
  void alternate(const MemoryUse &other);
  int64_t operator[](Kind kind) const { return bytes[kind]; }
  int64_t total() const;
  /// "2.3 GB: parameters 0.5 GB, …", the largest first, without what there is none of.
  std::string text() const;
  /// A line for each kind, and the sum.
  std::string table(const char *indent) const;

private:
  std::array<int64_t, kinds> bytes{};
};

} // namespace weft::runtime
#endif
