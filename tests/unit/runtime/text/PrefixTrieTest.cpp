// A trie against the plain search, on random strings; and strings that make trees of any shape, of
// which a file may hold many.
#include "runtime/text/tokenizers/PrefixTrie.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace weft::runtime;

static PrefixTrie::Match plainly(const std::vector<PrefixTrie::Entry> &entries,
                                 std::string_view text) {
  PrefixTrie::Match best;
  for (const PrefixTrie::Entry &entry : entries) {
    bool isBetter = entry.key.size() > best.length ||
                    (entry.key.size() == best.length && entry.value < best.value);
    if (text.starts_with(entry.key) && isBetter)
      best = {entry.value, entry.key.size()};
  }
  return best;
}

static std::string randomText(size_t longest, const std::string &alphabet,
                              std::mt19937_64 &random) {
  std::string text;
  for (size_t length = 1 + random() % longest; length > 0; --length)
    text += alphabet[random() % alphabet.size()];
  return text;
}

TEST(PrefixTrie, FindsWhatAPlainSearchFinds) {
  uint64_t seed = std::random_device()();
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::string alphabet(1, '\0');
    for (size_t letters = random() % 2 ? 3 : 1 + random() % 256; letters > 0; --letters)
      alphabet += static_cast<char>(random());
    std::vector<std::string> keys;
    for (size_t count = random() % 200; count > 0; --count)
      keys.push_back(randomText(8, alphabet, random));
    std::vector<PrefixTrie::Entry> entries;
    for (const std::string &key : keys)
      entries.push_back({key, static_cast<int32_t>(random() % 1000)});
    PrefixTrie trie(entries);
    for (int tries = 0; tries < 200; ++tries) {
      std::string text = randomText(12, alphabet, random);
      if (!keys.empty() && random() % 2)
        text = keys[random() % keys.size()] + text;
      PrefixTrie::Match expected = plainly(entries, text), found = trie.longest(text);
      ASSERT_EQ(found.length, expected.length) << "round " << round;
      ASSERT_EQ(found.value, expected.value) << "round " << round;
    }
  }
}

/// None of these took less than a minute when each node looked for room among all.
TEST(PrefixTrie, IsMadeOfLongAndOfManyStrings) {
  std::vector<std::string> keys{std::string(1 << 20, '~'), std::string(1 << 20, '~') + "a"};
  for (int i = 0; i < 300000; ++i)
    keys.push_back("word" + std::to_string(i * 2654435761u));
  for (int i = 0; i < 1 << 16; ++i) // two branches each, far from each other
    keys.push_back({static_cast<char>(i >> 8), static_cast<char>(i), i % 2 ? '\xff' : '\x01'});
  std::vector<PrefixTrie::Entry> entries;
  for (const std::string &key : keys)
    entries.push_back({key, static_cast<int32_t>(entries.size())});
  PrefixTrie trie(entries);
  for (const PrefixTrie::Entry &entry : entries)
    ASSERT_EQ(trie.longest(entry.key).length, entry.key.size());
}
