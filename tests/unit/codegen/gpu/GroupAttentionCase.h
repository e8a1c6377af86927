// Attention of numbers that are drawn, by a kernel of its own, and what it should give.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_GROUPATTENTIONCASE_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_GROUPATTENTIONCASE_H

#include "codegen/gpu/attention/group/Forward.h"
#include "tests/unit/codegen/gpu/EmulatedKernel.h"

namespace weft::test {

/// Which keys a query sees: all, those up to its own (the last of both are beside each other), only
/// the last `window` of these, or as many as its head has.
enum class Sees { all, causal, window, length };
constexpr int window = 70;

/// Heads of queries, which share those of keys by `group`; matrices lie one behind the other.
struct GroupAttentionCase {
  GroupAttentionCase(int queries, int keys, Sees sees, int heads = 1, int group = 1)
      : queries(queries), keys(keys), sees(sees), heads(heads), group(group) {}

  int queries, keys;
  Sees sees;
  int heads, group;
  int depth = 128, values = 128;
  int blocks = 2; ///< of a head, at most: they go from tile to tile

  std::vector<uint16_t> q, k, v; ///< bf16
  std::vector<int> lengths;      ///< of each head of queries
  std::vector<double> output, logsumexp;
  std::vector<double> allowed, allowedOfSum; ///< by what they may be off
  void draw(uint64_t seed, unsigned weightParts);
  bool keeps(int head, int query, int key) const;
  double scale() const;
};

/// k(queries' map, keys' map, values' map, output, logsumexp, lengths, queries, keys, group): by
/// blocks that go from tile to tile, of each head.
void buildGroupAttention(llvm::Module &module, const gpu::GroupAttentionTiles &tiles, Sees sees);

/// Runs it; what goes wrong, or how many numbers are, or "".
std::string runGroupAttention(EmulatedKernel &kernel, const gpu::GroupAttentionTiles &tiles,
                              const GroupAttentionCase &given, const emulator::Mode &mode);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_GROUPATTENTIONCASE_H
