// What a text says next: against a search that tries every place, and by hand.
#include "runtime/generation/Phrases.h"

#include <gtest/gtest.h>
#include <random>

using namespace weft::runtime;

namespace {
using Ids = std::vector<int32_t>;

/// Every place, each with as many ids as stood there before the end of the text; 64 are enough.
Ids expected(const Ids &text, size_t most) {
  if (most == 0)
    return {};
  size_t best = 1, place = 0, enough = 64;
  for (size_t end = 1; end < text.size(); ++end) {
    size_t match = 0;
    while (match < end && match < enough && text[end - match - 1] == text[text.size() - match - 1])
      ++match;
    if (match >= best && match > 1)
      best = match, place = end;
  }
  Ids all = text;
  for (size_t i = 0; place > 0 && i < std::min(best, most); ++i)
    all.push_back(all[place + i]);
  return {all.begin() + static_cast<int64_t>(text.size()), all.end()};
}
} // namespace

TEST(Phrases, ByHand) {
  EXPECT_EQ(repeatedPhrase(Ids{}, 4), Ids());
  EXPECT_EQ(repeatedPhrase(Ids{7}, 4), Ids());
  EXPECT_EQ(repeatedPhrase(Ids{7, 7}, 4), Ids()) << "one id is no phrase";
  EXPECT_EQ(repeatedPhrase(Ids{1, 2, 3, 1, 2}, 4), (Ids{3, 1})) << "two stood there: two follow";
  EXPECT_EQ(repeatedPhrase(Ids{1, 2, 3, 1, 2}, 1), Ids{3});
  EXPECT_EQ(repeatedPhrase(Ids{1, 2, 3, 1, 2}, 0), Ids());
  EXPECT_EQ(repeatedPhrase(Ids{1, 2, 3, 9, 1, 2, 4, 9, 1, 2}, 4), (Ids{4, 9, 1}))
      << "9 1 2 stood before 4; of equal places it would be the latest too";
  EXPECT_EQ(repeatedPhrase(Ids{5, 1, 2, 3, 8, 1, 2, 4, 5, 1, 2}, 4), (Ids{3, 8, 1}))
      << "the earlier place has more";
  EXPECT_EQ(repeatedPhrase(Ids{5, 1, 2, 3, 8, 1, 2, 4, 5, 1, 2}, 1), (Ids{3}))
      << "however few are asked for";
  EXPECT_EQ(repeatedPhrase(Ids{6, 6, 6, 6}, 8), (Ids{6, 6, 6})) << "it goes on as it has begun";
  EXPECT_EQ(repeatedPhrase(Ids{1, 2, 1, 2, 1, 2}, 3), (Ids{1, 2, 1}));
}

TEST(Phrases, AsASearchOfAllPlaces) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    Ids text(random() % (round % 10 ? 40 : 200));
    unsigned ids = 1 + random() % 6;
    for (int32_t &id : text)
      id = static_cast<int32_t>(random() % ids);
    size_t most = random() % 10;
    Ids phrase = repeatedPhrase(text, most);
    ASSERT_EQ(phrase, expected(text, most)) << testing::PrintToString(text) << ", " << most;
    found += phrase.size();
  }
  EXPECT_GT(found, 1000u);
}
