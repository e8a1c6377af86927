// Generators that take in ids together, through weft.h.
#include "tests/unit/runtime/api/Interface.h"

#include <random>

using namespace weft::interface;

namespace {
class Together : public testing::Test {
protected:
  ~Together() override { weft_close(model); }
  /// A generator that knows these.
  WeftGenerator *knowing(const std::vector<int32_t> &ids) {
    WeftGenerator *generator = weft_generator_open(model, nullptr, 16);
    if (!ids.empty()) {
      EXPECT_NE(weft_advance(generator, ids.data(), static_cast<int64_t>(ids.size())), nullptr);
    }
    return generator;
  }
  WeftModel *model = openModel();
};

WeftTurn turnOf(WeftGenerator *generator, const std::vector<int32_t> &ids, const float **logits) {
  return {sizeof(WeftTurn), generator, ids.data(), static_cast<int64_t>(ids.size()), logits};
}
} // namespace

// abi E28
TEST_F(Together, EachIsWhatItIsAlone) {
  std::mt19937 random(std::random_device{}());
  auto some = [&](size_t count) {
    std::vector<int32_t> ids(count);
    for (int32_t &id : ids)
      id = static_cast<int32_t>(random() % vocabulary);
    return ids;
  };
  WeftGenerator *probe = knowing({});
  const float *places[2];
  std::vector<int32_t> two = {1, 2};
  WeftTurn both = turnOf(probe, two, places);
  size_t most = weft_advance_together(&both, 1) == WEFT_OK ? 4 : 1;
  if (most == 1) {
    EXPECT_NE(strstr(weft_error(), "on this machine's processors alone"), nullptr) << weft_error();
  }
  weft_generator_close(probe);
  for (int round = 0; round < 20; ++round) {
    size_t count = 1 + random() % 5;
    std::vector<WeftGenerator *> alone, together;
    std::vector<std::vector<int32_t>> fresh;
    for (size_t i = 0; i < count; ++i) {
      std::vector<int32_t> known = some(random() % 9);
      alone.push_back(knowing(known));
      together.push_back(knowing(known));
      fresh.push_back(some(1 + random() % most));
    }
    std::vector<std::vector<const float *>> logits(count, std::vector<const float *>(4));
    std::vector<WeftTurn> turns;
    for (size_t i = 0; i < count; ++i)
      turns.push_back(turnOf(together[i], fresh[i], logits[i].data()));
    ASSERT_EQ(weft_advance_together(turns.data(), static_cast<int64_t>(count)), WEFT_OK)
        << weft_error();
    for (size_t i = 0; i < count; ++i) {
      for (size_t step = 0; step < fresh[i].size(); ++step) {
        const float *wanted = weft_advance(alone[i], &fresh[i][step], 1);
        ASSERT_NE(wanted, nullptr) << weft_error();
        EXPECT_EQ(memcmp(logits[i][step], wanted, vocabulary * sizeof(float)), 0);
      }
      EXPECT_EQ(weft_generator_known(together[i]), weft_generator_known(alone[i]));
      weft_generator_close(alone[i]);
      weft_generator_close(together[i]);
    }
  }
}

// abi E28
TEST_F(Together, AfterAnErrorAllAreAsBefore) {
  WeftGenerator *first = knowing({5, 17}), *full = knowing(std::vector<int32_t>(16, 1));
  const float *logits[2];
  std::vector<int32_t> good = {3}, more = {7}, wrong = {1000};
  WeftTurn turns[] = {turnOf(first, good, logits), turnOf(full, more, logits)};
  EXPECT_EQ(weft_advance_together(turns, 2), WEFT_ERROR_SIZE);
  EXPECT_NE(strstr(weft_error(), "16 are known"), nullptr) << weft_error();
  EXPECT_EQ(weft_generator_rewind(full, 3), WEFT_OK);
  turns[1] = turnOf(full, wrong, logits);
  EXPECT_EQ(weft_advance_together(turns, 2), WEFT_ERROR_VALUE);
  EXPECT_NE(strstr(weft_error(), "vocab has size 128"), nullptr) << weft_error();
  EXPECT_EQ(weft_generator_known(first), 2);
  EXPECT_EQ(weft_generator_known(full), 3);
  int32_t id = 3;
  const float *next = weft_advance(first, &id, 1);
  std::vector<float> expected = nextOf(model, {5, 17, 3});
  for (int64_t i = 0; i < vocabulary; ++i)
    ASSERT_NEAR(next[i], expected[static_cast<size_t>(i)], 1e-6);
  weft_generator_close(first);
  weft_generator_close(full);
}

// abi E28
TEST_F(Together, OfOneModelAndDecodingAlone) {
  WeftModel *other = openModel();
  WeftGenerator *first = knowing({5}), *second = weft_generator_open(other, nullptr, 4);
  const float *logits[1];
  std::vector<int32_t> id = {3};
  WeftTurn turns[] = {turnOf(first, id, logits), turnOf(second, id, logits)};
  EXPECT_EQ(weft_advance_together(turns, 2), WEFT_ERROR_USAGE);
  EXPECT_STREQ(weft_error(), "turn 1 is of another model or decoding");
  EXPECT_EQ(weft_advance_together(turns, 1), WEFT_OK) << weft_error();
  EXPECT_EQ(weft_advance_together(turns, 0), WEFT_OK) << weft_error();
  weft_generator_close(first);
  weft_generator_close(second);
  weft_close(other);
}
