// Fingerprints of data: each part counts, and where it stands; recorded tensors by name, type,
// shape and contents; checkpoints of earlier versions know them by another hash.
#include "runtime/data/Fingerprint.h"

#include "runtime/base/Philox.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "tests/unit/runtime/Training.h"

#include <random>
#include <set>

using namespace weft::runtime;

static std::string of(const std::vector<std::string> &parts) {
  Fingerprint print;
  for (const std::string &part : parts)
    print.addPart(part);
  return print.text();
}

TEST(Fingerprint, PartsAndTheirOrder) {
  std::set<std::string> all;
  std::vector<std::vector<std::string>> different = {
      {},
      {""},
      {"", ""},
      {"a"},
      {"a", ""},
      {"", "a"},
      {"aa"},
      {"a", "a"},
      {"a", "b"},
      {"b", "a"},
      {"ab"},
      {"ab", "ab"},
      {"ab", "ab", "ab"},
      {std::string(1, '\0')},
      {std::string(32, '\0')},
      {std::string(33, '\0')},
      {std::string(64, '\0')},
      {std::string(32, '\0'), std::string(32, '\0')}};
  for (const auto &parts : different)
    EXPECT_TRUE(all.insert(of(parts)).second) << testing::PrintToString(parts);
}

/// In whatever pieces a part comes, and whichever bit of it is another.
TEST(Fingerprint, PiecesAndBits) {
  unsigned seed = std::random_device()();
  std::minstd_rand random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    std::string bytes(random() % 300, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(random() >> 8);
    Fingerprint pieces;
    for (size_t at = 0; at < bytes.size();) {
      size_t length = std::min<size_t>(random() % 70, bytes.size() - at);
      pieces.add(std::string_view(bytes).substr(at, length));
      at += length;
    }
    pieces.endPart();
    const std::string whole = of({bytes});
    EXPECT_EQ(pieces.text(), whole) << "seed " << seed;
    if (bytes.empty())
      continue;
    std::string other = bytes;
    size_t bit = random() % (8 * bytes.size());
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
    EXPECT_NE(of({other}), whole) << "seed " << seed << ", bit " << bit;
    other = bytes;
    std::swap(other[random() % bytes.size()], other[random() % bytes.size()]);
    EXPECT_EQ(of({other}) == whole, other == bytes) << "seed " << seed;
  }
}

namespace {
class RecordedTrainingTest : public TrainTest {
protected:
  /// Records steps of tokens that lie in [from, from + 60), and the next ones.
  void record(int tokens, int next) {
    std::vector<int32_t> a(4 * 2 * 8), b(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = tokens + static_cast<int32_t>(i * 7 % 60);
      b[i] = next + static_cast<int32_t>(i * 7 % 60);
    }
    hashes = 0;
    for (const auto *all : {&a, &b})
      hashes ^= streamNamed({reinterpret_cast<const char *>(all->data()), all->size() * 4});
    ASSERT_TRUE(writeSafetensors(folder / "record", {{"tokens", Element::Int, {4, 2, 8}, a.data()},
                                                     {"next", Element::Int, {4, 2, 8}, b.data()}}));
  }
  int trained(const std::string &out, const std::string &steps) {
    return run({"train", "--data", "tensors:" + (folder / "record"), "--out", folder / out,
                "--steps", steps, "--quiet"});
  }
  int resume() {
    return run({"train", "--resume", "--out", folder / "a", "--steps", "4", "--quiet"});
  }
  nlohmann::json state() { return nlohmann::json::parse(readAll(path())); }
  std::string path() { return folder / "a/step-2/state.json"; }
  uint64_t hashes = 0; // as earlier versions had them
};
} // namespace

/// Two inputs that are equal do not cancel, two that are exchanged are seen.
TEST_F(RecordedTrainingTest, OtherContentsAreSeen) {
  record(3, 3); // equal inputs
  ASSERT_EQ(trained("a", "2"), 0) << error();
  record(5, 5);
  EXPECT_EQ(resume(), 1);
  EXPECT_NE(error().find("the contents of --data differ"), std::string::npos) << error();
  record(3, 3);
  std::filesystem::copy(folder / "a", folder / "kept", std::filesystem::copy_options::recursive);
  EXPECT_EQ(resume(), 0) << error();
  std::filesystem::remove_all(folder / "a");
  record(3, 9);
  ASSERT_EQ(trained("a", "2"), 0) << error();
  record(9, 3);
  EXPECT_EQ(resume(), 1);
  EXPECT_NE(error().find("the contents of --data differ"), std::string::npos) << error();
}

/// A checkpoint of an earlier version goes on with its data and no other, and becomes one of this.
TEST_F(RecordedTrainingTest, EarlierCheckpointsGoOn) {
  record(3, 9);
  ASSERT_EQ(trained("whole", "4"), 0) << error();
  ASSERT_EQ(run({"train", "--data", "tensors:" + (folder / "record"), "--out", folder / "a",
                 "--steps", "4", "--stop-at", "2", "--quiet"}),
            0)
      << error();
  nlohmann::json earlier = state();
  EXPECT_TRUE(earlier["data_hash"].get<std::string>().starts_with("2:"));
  earlier["data_hash"] = hexadecimal(hashes);
  writeAll(path(), earlier.dump());
  record(3, 10);
  EXPECT_EQ(resume(), 1);
  EXPECT_NE(error().find("the contents of --data differ"), std::string::npos) << error();
  record(3, 9);
  ASSERT_EQ(resume(), 0) << error();
  for (const char *name : {"parameters.safetensors", "optimizer.safetensors", "state.json"})
    EXPECT_EQ(readAll(folder / ("a/step-4/" + std::string(name))),
              readAll(folder / ("whole/step-4/" + std::string(name))))
        << name;
}

/// Recorded batches that somebody cuts short under a training: an error, and the last checkpoint is
/// whole.
TEST_F(RecordedTrainingTest, CutShortWhileItTrains) {
  constexpr int64_t steps = 200000;
  std::vector<int32_t> a(steps * 2 * 8, 5);
  ASSERT_TRUE(
      writeSafetensors(folder / "record", {{"tokens", Element::Int, {steps, 2, 8}, a.data()},
                                           {"next", Element::Int, {steps, 2, 8}, a.data()}}));
  Program program =
      start({"train", "--data", "tensors:" + (folder / "record"), "--out", folder / "a", "--steps",
             std::to_string(steps), "--checkpoint-every", "50", "--quiet"});
  while (program.running() && newestStep("a").empty())
    usleep(1000);
  std::filesystem::resize_file(folder / "record", 4096);
  EXPECT_EQ(program.wait(), 1);
  EXPECT_NE(error().find("record: was c"), std::string::npos) << error(); // cut short, or changed
  EXPECT_NE(error().find(" is whole"), std::string::npos) << error();
}
