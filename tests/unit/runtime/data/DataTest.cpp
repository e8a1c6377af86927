// Text windows: every one inside, each token about once an epoch, the same whatever came before.
#include "runtime/Abi.h"
#include "runtime/base/Permutation.h"
#include "runtime/data/TextSource.h"

#include <gtest/gtest.h>
#include <set>

using namespace weft::runtime;

TEST(Permutation, IsOne) {
  for (uint64_t count : {1, 2, 3, 5, 16, 17, 1000}) {
    Permutation order(count, RandomStream(1, 2));
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < count; ++i)
      seen.insert(order(i));
    EXPECT_EQ(seen.size(), count);
    EXPECT_LT(*seen.rbegin(), count);
  }
  Permutation a(1000, RandomStream(1, 2)), b(1000, RandomStream(2, 2));
  int same = 0;
  for (uint64_t i = 0; i < 1000; ++i)
    same += a(i) == b(i);
  EXPECT_LT(same, 20);
}

static std::unique_ptr<TextSource> source(int64_t tokens, int64_t sequence) {
  auto made = TextSource::create({.tokens = std::vector<int32_t>(tokens),
                                  .tokenizer = byteTokenizer(),
                                  .binding = {"tokens", "next", 0, 1},
                                  .sequence = sequence,
                                  .seed = 3});
  return made ? std::unique_ptr<TextSource>(static_cast<TextSource *>(made->release())) : nullptr;
}

TEST(TextSource, WindowsCoverAnEpoch) {
  for (int64_t tokens : {12, 100, 111, 1000})
    for (int64_t sequence : {1, 3, 7, 10}) {
      auto text = source(tokens, sequence);
      ASSERT_TRUE(text);
      int64_t trained = text->trainingTokens(),
              windows = std::max<int64_t>(1, (trained - sequence) / sequence);
      EXPECT_EQ(text->rowsOfEpoch(), windows); // at whatever offset
      EXPECT_EQ(text->rows(Split::Train), (trained - 1) / sequence);
      for (int64_t epoch = 0; epoch < 3; ++epoch) {
        std::set<int64_t> starts;
        for (int64_t i = 0; i < windows; ++i) {
          int64_t start = text->windowStart(static_cast<uint64_t>(epoch * windows + i));
          ASSERT_GE(start, 0);
          ASSERT_LE(start + sequence + 1, trained);
          starts.insert(start);
        }
        EXPECT_EQ(starts.size(), static_cast<size_t>(windows));
        EXPECT_EQ((*starts.rbegin() - *starts.begin()), (windows - 1) * sequence); // they touch
      }
    }
}

TEST(TextSource, ExactlyOneWindow) {
  EXPECT_TRUE(source(9, 8));
  EXPECT_FALSE(source(8, 8));
  EXPECT_EQ(source(9, 8)->validationRows(), 0);
}
