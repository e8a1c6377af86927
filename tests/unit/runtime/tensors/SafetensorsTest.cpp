// The safetensors reader on files of others and on hostile ones; the writer; conversions.
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace weft::runtime;

static Result<SafetensorsHeader, HeaderError> parse(const std::string &bytes) {
  return readHeader(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

static std::string file(const std::string &json, size_t data = 0) {
  uint64_t length = json.size();
  std::string out(reinterpret_cast<const char *>(&length), 8);
  return out + json + std::string(data, '\0');
}

static std::string faultOf(const std::string &bytes) {
  auto header = parse(bytes);
  return header ? "ok" : headerFaultName(header.error().fault);
}

namespace {
class SafetensorsRecord : public weft::test::AgainstRecord<> {
protected:
  SafetensorsRecord() : AgainstRecord("safetensors-cases") {}
};
} // namespace

TEST_F(SafetensorsRecord, ReferenceCases) {
  auto index = nlohmann::json::parse(readAll(record / "index.json"));
  for (const auto &item : index["cases"]) {
    std::string expected = item["expect"];
    std::string verdict = faultOf(readAll(record / std::string(item["file"])));
    EXPECT_EQ(verdict == "ok" ? "ok" : "error:" + verdict, expected) << item["file"];
  }
  RecordProperty("cases", static_cast<int>(index["cases"].size()));
  std::printf("%zu cases\n", index["cases"].size());
}

TEST(Safetensors, HostileHeaders) {
  EXPECT_EQ(faultOf(file(std::string(1 << 20, '['))), "InvalidHeaderDeserialization");
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += R"({"a":)";
  EXPECT_EQ(faultOf(file(nested)), "InvalidHeaderDeserialization");
  EXPECT_EQ(
      faultOf(file(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8)),
      "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4)),
            "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4)),
            "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", 4)),
            "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F32","shape":[1]}})", 4)),
            "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4)),
            "InvalidOffset");
  EXPECT_EQ(faultOf(file(
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})", 4)),
            "TensorInvalidInfo");
  EXPECT_EQ(
      faultOf(
          file(R"({"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,4]}})", 4)),
      "ValidationOverflow");
  EXPECT_EQ(faultOf(file(R"([])")), "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({} {})")), "InvalidHeaderDeserialization");
  EXPECT_EQ(faultOf(file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3)),
            "MetadataIncompleteBuffer");
}

TEST(Safetensors, EveryTruncationIsRefused) {
  std::string whole = file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
  ASSERT_EQ(faultOf(whole), "ok");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(faultOf(whole.substr(0, size)), "ok") << size;
}

TEST(Safetensors, WritesWhatItReads) {
  TemporaryFolder folder;
  float floats[] = {1, 2.5, -3, 0, 5, 6};
  int32_t ints[] = {7, -8};
  char bools[] = {1, 0};
  std::vector<TensorToWrite> tensors = {{"a", Element::Float, {2, 3}, floats},
                                        {"b", Element::Int, {2}, ints},
                                        {"c", Element::Bool, {2}, bools},
                                        {"scalar", Element::Float, {}, floats},
                                        {"none", Element::Float, {0, 4}, nullptr}};
  ASSERT_TRUE(writeSafetensors(folder / "x.safetensors", tensors, {{"what", "a test"}}));
  auto read = SafetensorsFile::open(folder / "x.safetensors");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tensors().size(), 5u);
  EXPECT_EQ(read->metadata().at("what"), "a test");
  EXPECT_EQ(read->find("a")->shape, (std::vector<int64_t>{2, 3}));
  float floatsRead[6];
  int32_t intsRead[2];
  EXPECT_EQ(*read->read(*read->find("a"), Element::Float, floatsRead), -1);
  EXPECT_EQ(*read->read(*read->find("b"), Element::Int, intsRead), -1);
  EXPECT_EQ(memcmp(floatsRead, floats, sizeof floats), 0);
  EXPECT_EQ(memcmp(intsRead, ints, sizeof ints), 0);
  EXPECT_EQ(read->find("c")->type, ElementType::Bool);
  EXPECT_EQ(read->find("none")->begin, read->find("none")->end);
  std::string first = readAll(folder / "x.safetensors");
  ASSERT_TRUE(writeSafetensors(folder / "x.safetensors", tensors, {{"what", "a test"}}));
  EXPECT_EQ(readAll(folder / "x.safetensors"), first);
}

TEST(Safetensors, AFailedWriteLeavesTheOldFile) {
  TemporaryFolder folder;
  std::vector<float> values(100000);
  writeAll(folder / "x", "old");
  signal(SIGXFSZ, SIG_IGN);
  rlimit before, small{1000, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &before);
  setrlimit(RLIMIT_FSIZE, &small);
  Status status = writeSafetensors(folder / "x", {{"a", Element::Float, {100000}, values.data()}});
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("cannot write"), std::string::npos)
      << status.error().message;
  EXPECT_EQ(readAll(folder / "x"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  Status missing = writeSafetensors(folder / "absent/x", {});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
}

TEST(Conversion, HalfAndBrainFloat) {
  uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x83ff, 0x7bff, 0x8000, 0x7c00};
  float out[7];
  convert(ElementType::F16, reinterpret_cast<std::byte *>(halves), 7, Element::Float, out);
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], -2.0f);
  EXPECT_EQ(out[2], std::ldexp(1.0f, -24));
  EXPECT_EQ(out[3], -std::ldexp(1023.0f, -24));
  EXPECT_EQ(out[4], 65504.0f);
  EXPECT_TRUE(out[5] == 0 && std::signbit(out[5]));
  EXPECT_TRUE(std::isinf(out[6]));
  uint16_t brains[] = {0x3f80, 0xc049};
  convert(ElementType::BF16, reinterpret_cast<std::byte *>(brains), 2, Element::Float, out);
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], -3.140625f);
}

TEST(Conversion, ToBrainFloatIsToTheNearest) {
  // 1 and 257/256, which lies between 1 and 129/128; of two as near the even one; beyond the
  // largest.
  float values[] = {1.0f, 257.0f / 256, 259.0f / 256, -0.0f, 3.4e38f, NAN, -3.140625f};
  uint16_t out[7];
  convert(ElementType::F32, reinterpret_cast<std::byte *>(values), 7, Element::BFloat16, out);
  EXPECT_EQ(out[0], 0x3f80);
  EXPECT_EQ(out[1], 0x3f80);
  EXPECT_EQ(out[2], 0x3f82);
  EXPECT_EQ(out[3], 0x8000);
  EXPECT_EQ(out[4], 0x7f80);
  EXPECT_TRUE(std::isnan(widened(out[5])));
  EXPECT_EQ(out[6], 0xc049);
  uint16_t same[1];
  convert(ElementType::BF16, reinterpret_cast<std::byte *>(&out[6]), 1, Element::BFloat16, same);
  EXPECT_EQ(same[0], 0xc049);
}

TEST(Conversion, IntegersKeepTheirValueOrAreRefused) {
  int64_t wide[] = {5, -6, 2147483647, 2147483648};
  int32_t out[4];
  EXPECT_EQ(convert(ElementType::I64, reinterpret_cast<std::byte *>(wide), 4, Element::Int, out),
            3);
  EXPECT_EQ(out[1], -6);
  uint32_t large[] = {4000000000u};
  EXPECT_EQ(convert(ElementType::U32, reinterpret_cast<std::byte *>(large), 1, Element::Int, out),
            0);
  uint64_t huge[] = {0xffffffffffffffff};
  EXPECT_EQ(convert(ElementType::U64, reinterpret_cast<std::byte *>(huge), 1, Element::Int, out),
            0);
  char bools[] = {0, 1, 2};
  char truths[3];
  EXPECT_EQ(
      convert(ElementType::Bool, reinterpret_cast<std::byte *>(bools), 3, Element::Bool, truths),
      2);
}
