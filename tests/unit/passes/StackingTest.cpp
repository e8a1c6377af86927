// Random blocks with lifetimes: what is needed at one time never overlaps, at whatever sizes, and
// little more memory is taken than there must be.
#include "passes/plan/Stacking.h"
#include "ir/plan/Arena.h"

#include <gtest/gtest.h>

#include <random>

using namespace weft;

namespace {

uint64_t firstSeed() {
  if (const char *given = getenv("WEFT_SEED"))
    return std::stoull(given);
  return std::random_device()() % 1000000;
}

struct Blocks {
  std::mt19937_64 random;
  std::vector<Lifetime> lives;
  std::vector<std::vector<int64_t>> sizes;

  explicit Blocks(uint64_t seed) : random(seed) {
    size_t count = 1 + below(40);
    for (size_t i = 0; i < count; ++i) {
      int64_t start = below(50);
      // most are short, some are needed until far behind
      lives.push_back({start, start + below(below(4) ? 6 : 50)});
    }
    for (int at = 0; at < 3; ++at)
      sizes.push_back(someSizes());
  }

  int64_t below(int64_t bound) { return static_cast<int64_t>(random() % bound); }
  std::vector<int64_t> someSizes() {
    std::vector<int64_t> all;
    for (size_t i = 0; i < lives.size(); ++i)
      all.push_back(1 + below(below(3) ? 20 : 1000));
    return all;
  }
};

/// The arena in which each block is a slot: its number is its place in the order of the offsets.
struct Ordered {
  std::vector<unsigned> order;
  std::vector<llvm::SmallVector<unsigned>> behind;

  Ordered(const Blocks &blocks, const std::vector<int64_t> &offsets) {
    for (unsigned i = 0; i < offsets.size(); ++i)
      order.push_back(i);
    llvm::stable_sort(order, [&](unsigned a, unsigned b) { return offsets[a] < offsets[b]; });
    for (unsigned slot = 0; slot < order.size(); ++slot) {
      behind.emplace_back();
      for (unsigned below = 0; below < slot; ++below)
        if (blocks.lives[order[slot]].meets(blocks.lives[order[below]]))
          behind.back().push_back(below);
    }
  }
  std::vector<int64_t> inOrder(const std::vector<int64_t> &sizes) const {
    std::vector<int64_t> bytes;
    for (unsigned block : order)
      bytes.push_back(sizes[block] * 64);
    return bytes;
  }
};

bool overlap(int64_t a, int64_t bytesOfA, int64_t b, int64_t bytesOfB) {
  return a < b + bytesOfB && b < a + bytesOfA;
}

TEST(Stacking, BlocksThatMeetNeverOverlap) {
  uint64_t first = firstSeed();
  printf("WEFT_SEED=%llu\n", static_cast<unsigned long long>(first));
  for (uint64_t seed = first; seed < first + 300 && !testing::Test::HasFailure(); ++seed) {
    Blocks blocks(seed);
    Stacking stacking(blocks.lives);
    std::vector<int64_t> offsets = stacking.best(blocks.sizes);
    const std::vector<int64_t> &sizes = blocks.sizes.front();
    int64_t height = 0;
    for (size_t a = 0; a < offsets.size(); ++a) {
      height = std::max(height, offsets[a] + sizes[a]);
      for (size_t b = 0; b < a; ++b)
        if (blocks.lives[a].meets(blocks.lives[b])) {
          EXPECT_FALSE(overlap(offsets[a], sizes[a], offsets[b], sizes[b]))
              << a << " and " << b << ", seed " << seed;
        }
    }
    EXPECT_GE(height, stacking.leastHeight(sizes)) << "seed " << seed;
    // The same arrangement at sizes that it was not made for.
    Ordered ordered(blocks, offsets);
    plan::Arena arena(ordered.behind);
    std::vector<int64_t> bytes = ordered.inOrder(blocks.someSizes());
    std::vector<int64_t> starts = arena.starts(bytes);
    for (unsigned a = 0; a < arena.slots(); ++a) {
      EXPECT_LE(starts[a] + bytes[a], starts.back());
      for (unsigned b = 0; b < a; ++b) {
        bool meet = blocks.lives[ordered.order[a]].meets(blocks.lives[ordered.order[b]]);
        EXPECT_TRUE(!meet || arena.areApart(a, b)) << "seed " << seed;
        if (arena.areApart(a, b)) {
          EXPECT_FALSE(overlap(starts[a], bytes[a], starts[b], bytes[b])) << "seed " << seed;
        }
      }
    }
    // The slots that reach up to the end leave nothing between them.
    std::vector<unsigned> tallest = arena.tallest(bytes);
    int64_t sum = 0;
    for (unsigned slot : tallest) {
      EXPECT_EQ(starts[slot], sum) << "seed " << seed;
      sum += bytes[slot];
    }
    EXPECT_EQ(sum, starts.back()) << "seed " << seed;
  }
}

// By hand: a long-lived small block must not part what two large ones use one after the other.
TEST(Stacking, SmallBlocksLieInPartsOfLargeOnes) {
  // two of 4, needed together, then one of 8, and one of 1 that is needed all the time
  Stacking stacking({{0, 3}, {0, 3}, {4, 6}, {0, 6}});
  std::vector<int64_t> sizes = {4, 4, 8, 1};
  std::vector<int64_t> offsets = stacking.best({sizes});
  EXPECT_EQ(stacking.leastHeight(sizes), 9);
  for (size_t i = 0; i < offsets.size(); ++i)
    EXPECT_LE(offsets[i] + sizes[i], 9) << i;
}

// On average over random blocks; how near it is on examples is in decision 71.
TEST(Stacking, IsLow) {
  double sum = 0;
  constexpr uint64_t count = 200;
  for (uint64_t seed = 0; seed < count; ++seed) {
    Blocks blocks(seed);
    Stacking stacking(blocks.lives);
    std::vector<int64_t> offsets = stacking.best({blocks.sizes.front()});
    int64_t height = 0;
    for (size_t i = 0; i < offsets.size(); ++i)
      height = std::max(height, offsets[i] + blocks.sizes.front()[i]);
    sum += double(height) / double(stacking.leastHeight(blocks.sizes.front()));
  }
  EXPECT_LE(sum / count, 1.05);
}

} // namespace
