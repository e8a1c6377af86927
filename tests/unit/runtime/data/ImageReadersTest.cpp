// Readers of images: what is right is read, and everything else is one error that names file and
// record.
#include "runtime/data/images/ImageFiles.h"
#include "runtime/data/images/formats/Cifar.h"
#include "runtime/data/images/formats/ClassFolders.h"
#include "runtime/data/images/formats/Gzip.h"
#include "runtime/data/images/formats/Idx.h"
#include "runtime/data/images/formats/Picture.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"
#include "tests/unit/runtime/data/PackedImages.h"

#include "runtime/tensors/safetensors/Reader.h"

#include <gtest/gtest.h>

using namespace weft::runtime;

static Bytes bytesOf(const std::string &text) {
  return std::as_bytes(std::span(text));
}

static std::string messageOf(const auto &result) {
  return result ? "no error" : result.error().message;
}

static std::string idx(std::initializer_list<uint32_t> shape, const std::string &data) {
  std::string out{0, 0, 8, static_cast<char>(shape.size())};
  for (uint32_t size : shape)
    for (int shift : {24, 16, 8, 0})
      out.push_back(static_cast<char>(size >> shift));
  return out + data;
}

static auto parsed(const std::string &images, const std::string &labels) {
  return parseIdx(bytesOf(images), "i", bytesOf(labels), "l");
}

TEST(Idx, IsRead) {
  auto set = parsed(idx({3, 2, 3}, "abcdefghijklmnopqr"), idx({3}, {4, 0, 9}));
  ASSERT_TRUE(set) << messageOf(set);
  EXPECT_EQ(set->size, (ImageSize{1, 2, 3}));
  EXPECT_EQ(set->labels, (std::vector<int32_t>{4, 0, 9}));
  EXPECT_EQ(set->image(1)[0], 'g');
  EXPECT_EQ(set->image(2).size(), 6u);
  EXPECT_EQ(set->name(2), "i: image 2");
}

TEST(Idx, WhatIsWrongIsNamed) {
  std::string right = idx({2, 1, 2}, "abcd"), labels = idx({2}, "ab");
  auto fails = [](const std::string &images, const std::string &labels) {
    auto set = parsed(images, labels);
    EXPECT_FALSE(set);
    return messageOf(set);
  };
  EXPECT_EQ(fails("", labels), "i: is no idx file: it begins with nothing, not with 00 00");
  EXPECT_EQ(fails("abcdefgh", labels),
            "i: is no idx file: it begins with 61 62 63 64, not with 00 00");
  EXPECT_EQ(fails(std::string(right).replace(2, 1, "\x0d"), labels),
            "i: holds elements of idx type 0d, expected 08 (bytes)");
  EXPECT_EQ(fails(labels, labels), "i: has 1 dimensions, expected 3: a file of images");
  EXPECT_EQ(fails(right.substr(0, 11), labels), "i: is cut off inside its header, at byte 11");
  EXPECT_EQ(fails(right.substr(0, 19), labels), "i: is cut off: image 1 of 2 is incomplete");
  EXPECT_EQ(fails(right + "x", labels), "i: has 1 bytes more than its 2 images");
  EXPECT_EQ(fails(idx({0, 1, 2}, ""), labels), "i: holds no images");
  EXPECT_EQ(fails(idx({2, 0, 2}, ""), labels), "i: holds no images");
  EXPECT_EQ(fails(idx({0xffffffff, 0xffffffff, 0xffffffff}, "abcd"), labels),
            "i: is cut off: image 0 of 4294967295 is incomplete");
  EXPECT_EQ(fails(right, idx({3}, "abc")), "l: has 3 labels, i has 2 images");
  EXPECT_EQ(fails(right, idx({2}, "a")), "l: is cut off: label 1 of 2 is incomplete");
}

TEST(Cifar, IsRead) {
  std::string record(3073, 7);
  record[3072] = 'z';
  auto set = parseCifar(bytesOf(record + record), "c");
  ASSERT_TRUE(set) << messageOf(set);
  EXPECT_EQ(set->size, (ImageSize{3, 32, 32}));
  EXPECT_EQ(set->labels, (std::vector<int32_t>{7, 7}));
  EXPECT_EQ(set->image(1)[3071], 'z');
  EXPECT_EQ(set->classes[7], "horse");
  EXPECT_EQ(messageOf(parseCifar({}, "c")), "c: holds no images");
  EXPECT_EQ(messageOf(parseCifar(bytesOf((record + record).substr(0, 3100)), "c")),
            "c: is no file of CIFAR-10, or cut off: record 1 has 27 bytes of 3073");
  EXPECT_EQ(messageOf(parseCifar(bytesOf(record + std::string(3073, 10)), "c")),
            "c: record 1 has the label 10; those of CIFAR-10 are 0 to 9");
}

TEST(Gzip, IsUnpackedOrNamed) {
  std::string text(300000, 'a');
  for (size_t i = 0; i < text.size(); i += 7)
    text[i] = static_cast<char>(i);
  std::string packed = gzipped(text), member = gzipped("more");
  for (const std::string &file : {packed, packed + member}) {
    auto all = unpackGzip(bytesOf(file), "g");
    ASSERT_TRUE(all) << messageOf(all);
    std::string found(reinterpret_cast<const char *>(all->data()), all->size());
    EXPECT_EQ(found, file == packed ? text : text + "more");
  }
  for (size_t length : {size_t(2), size_t(9), size_t(20), packed.size() / 2, packed.size() - 1}) {
    auto part = unpackGzip(bytesOf(packed.substr(0, length)), "g");
    EXPECT_TRUE(messageOf(part).starts_with("g: is cut off: its gzip ends after ")) << length;
  }
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1; // of the checksum
  EXPECT_EQ(messageOf(unpackGzip(bytesOf(damaged), "g")), "g: is damaged: incorrect data check");
  EXPECT_EQ(messageOf(unpackGzip(bytesOf(packed + "rest"), "g")),
            "g: is damaged: incorrect header check");
}

/// A picture that no two pixels of are alike.
static std::vector<uint8_t> gradient(int width, int height, int channels) {
  std::vector<uint8_t> values;
  for (int i = 0; i < width * height * channels; ++i)
    values.push_back(static_cast<uint8_t>(i * 5 % 251));
  return values;
}

TEST(Png, GivesTheBytesThatWereWritten) {
  for (int channels : {1, 3}) {
    std::vector<uint8_t> values = gradient(7, 5, channels);
    auto picture = decodePicture(bytesOf(png(values, 7, 5, channels)), {});
    ASSERT_TRUE(picture) << messageOf(picture);
    EXPECT_EQ(picture->size, (ImageSize{channels, 5, 7}));
    EXPECT_EQ(picture->values, values);
  }
}

// Rows of several passes, two bytes a value, and a gamma that is not applied.
TEST(Png, InterlacedSixteenBits) {
  for (int channels : {1, 3}) {
    std::vector<uint8_t> values = gradient(9, 13, channels);
    auto picture = decodePicture(bytesOf(interlacedPng(values, 9, 13, channels)), {});
    ASSERT_TRUE(picture) << messageOf(picture);
    EXPECT_EQ(picture->size, (ImageSize{channels, 13, 9}));
    EXPECT_EQ(picture->values, values);
  }
}

TEST(Png, TransparentOnWhite) {
  auto picture =
      decodePicture(bytesOf(png({10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 200, 46}, 3, 1, 4)), {});
  ASSERT_TRUE(picture) << messageOf(picture);
  EXPECT_EQ(picture->values, (std::vector<uint8_t>{10, 20, 30, 255, 255, 255, 209, 227, 245}));
}

TEST(Jpeg, IsNearWhatWasWritten) {
  for (int channels : {1, 3}) {
    std::vector<uint8_t> values(16 * 24 * channels);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<uint8_t>(i / channels % 16 * 10 + i % channels * 20);
    auto picture = decodePicture(bytesOf(jpeg(values, 16, 24, channels)), {channels, 24, 16});
    ASSERT_TRUE(picture) << messageOf(picture);
    EXPECT_EQ(picture->size, (ImageSize{channels, 24, 16}));
    int farthest = 0;
    for (size_t i = 0; i < values.size(); ++i)
      farthest = std::max(farthest, std::abs(values[i] - picture->values[i]));
    EXPECT_LE(farthest, 12);
  }
}

/// A size that the file cannot hold takes no memory; one that it can, however small it is, is read.
TEST(Pictures, SizesAreInProportionToFiles) {
  std::string photo = jpeg(gradient(32, 32, 3), 32, 32, 3);
  size_t frame = photo.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  photo.replace(frame + 5, 4, "\x1f\x40\x1f\x40"); // 8000 x 8000
  EXPECT_EQ(messageOf(decodePicture(bytesOf(photo), {})),
            "is damaged or cut off: it says 8000 x 8000, and has " + std::to_string(photo.size()) +
                " bytes");
  std::string even = png(std::vector<uint8_t>(2000 * 2000), 2000, 2000, 1);
  EXPECT_LT(even.size(), 10000u);
  auto read = decodePicture(bytesOf(even), {});
  EXPECT_TRUE(read) << messageOf(read);
  even = jpeg(std::vector<uint8_t>(2000 * 2000), 2000, 2000, 1);
  read = decodePicture(bytesOf(even), {});
  EXPECT_TRUE(read) << messageOf(read);
}

TEST(Pictures, WhatIsWrongIsSaid) {
  std::string small = png(gradient(7, 5, 1), 7, 5, 1), photo = jpeg(gradient(32, 32, 3), 32, 32, 3);
  EXPECT_EQ(messageOf(decodePicture(bytesOf(small), {1, 5, 8})),
            "is 5 x 7 (height x width), expected 5 x 8; Weft does not resize images");
  EXPECT_EQ(messageOf(decodePicture(bytesOf("GIF89a"), {})), "is neither PNG nor JPEG");
  EXPECT_EQ(messageOf(decodePicture({}, {})), "is empty");
  for (const std::string &whole : {small, photo})
    for (size_t length = 12; length + 12 < whole.size(); ++length) { // the end mark may be missing
      auto part = decodePicture(bytesOf(whole.substr(0, length)), {});
      EXPECT_TRUE(messageOf(part).starts_with("is damaged or cut off: ")) << length;
    }
  std::string cmyk = jpeg(gradient(8, 8, 4), 8, 8, 4);
  EXPECT_EQ(messageOf(decodePicture(bytesOf(cmyk), {})),
            "has the inks of a press (CMYK), expected grey or RGB: convert it");
}

TEST(Pictures, ChannelsFollowTheModel) {
  Picture colours{{3, 1, 2}, {255, 0, 0, 10, 20, 30}}, grey{{1, 1, 2}, {5, 6}};
  std::vector<uint8_t> planes, luma, three;
  appendPlanes(colours, 3, planes);
  appendPlanes(colours, 1, luma);
  appendPlanes(grey, 3, three);
  EXPECT_EQ(planes, (std::vector<uint8_t>{255, 10, 0, 20, 0, 30}));
  EXPECT_EQ(luma, (std::vector<uint8_t>{76, 18})); // 0.299 of 255; 2.99 + 11.74 + 3.42
  EXPECT_EQ(three, (std::vector<uint8_t>{5, 6, 5, 6, 5, 6}));
}

class ImagePaths : public testing::Test {
protected:
  void put(const std::string &name, const std::string &contents) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    writeAll(folder / name, contents);
  }
  TemporaryFolder folder;
};

TEST_F(ImagePaths, FoldersAreClasses) {
  put("train/cat/2.png", png(gradient(4, 3, 3), 4, 3, 3));
  put("train/cat/10.PNG", png(gradient(4, 3, 1), 4, 3, 1));
  put("train/cat/notes.txt", "ignored");
  put("train/bird/1.jpg", jpeg(gradient(4, 3, 3), 4, 3, 3));
  put("val/bird/1.png", png(gradient(4, 3, 3), 4, 3, 3));
  auto files = findImages(folder.path());
  ASSERT_TRUE(files) << messageOf(files);
  EXPECT_EQ(files->validation, std::vector<std::string>{folder / "val"});
  auto set = readImages(files->format, files->train, {3, 3, 4});
  ASSERT_TRUE(set) << messageOf(set);
  EXPECT_EQ(set->classes, (std::vector<std::string>{"bird", "cat"}));
  EXPECT_EQ(set->labels, (std::vector<int32_t>{0, 1, 1}));
  EXPECT_EQ(set->files[1], folder / "train/cat/10.PNG");
  EXPECT_EQ(set->pixels.size(), 3u * 36);

  put("train/cat/3.png", png(gradient(5, 3, 3), 5, 3, 3));
  EXPECT_EQ(messageOf(readImages(files->format, files->train, {3, 3, 4})),
            folder / "train/cat/3.png" +
                ": is 3 x 5 (height x width), expected 3 x 4; Weft does not resize images");
  std::filesystem::create_directory(folder / "val/empty");
  EXPECT_EQ(messageOf(readImages(files->format, files->validation, {})),
            folder / "val/empty" + ": holds no .png, .jpg or .jpeg");
}

TEST_F(ImagePaths, IdxAndCifarByTheirNames) {
  put("m/train-images-idx3-ubyte.gz", gzipped(idx({2, 1, 2}, "abcd")));
  put("m/train-labels-idx1-ubyte", idx({2}, "\1\2"));
  put("m/t10k-images-idx3-ubyte", idx({1, 1, 2}, "ab"));
  auto mnist = findImages(folder / "m");
  ASSERT_TRUE(mnist) << messageOf(mnist);
  EXPECT_EQ(mnist->test, std::vector<std::string>{folder / "m/t10k-images-idx3-ubyte"});
  auto train = readImages(mnist->format, mnist->train, {1, 1, 2});
  ASSERT_TRUE(train) << messageOf(train);
  EXPECT_EQ(train->labels, (std::vector<int32_t>{1, 2}));
  EXPECT_NE(messageOf(readImages(mnist->format, mnist->test, {})).find("t10k-labels-idx1-ubyte"),
            std::string::npos);
  EXPECT_EQ(messageOf(readImages(mnist->format, mnist->train, {1, 28, 28})),
            folder / "m/train-images-idx3-ubyte.gz" +
                ": its images are 1 x 1 x 2 (channels, height, width), expected 1 x 28 x 28");

  put("m/t10k-images-idx3-ubyte.gz", gzipped(idx({1, 1, 2}, "ab"))); // as `gunzip -k` leaves it
  auto kept = findImages(folder / "m");
  ASSERT_TRUE(kept) << messageOf(kept);
  EXPECT_EQ(kept->test, mnist->test);
  EXPECT_EQ(kept->packed, std::vector<std::string>{folder / "m/t10k-images-idx3-ubyte.gz"});
  EXPECT_EQ(kept->train, mnist->train);

  put("c/data_batch_1.bin", std::string(3073, 1));
  put("c/data_batch_2.bin", std::string(2 * 3073, 2));
  put("c/test_batch.bin", std::string(3073, 3));
  auto cifar = findImages(folder / "c");
  ASSERT_TRUE(cifar) << messageOf(cifar);
  auto both = readImages(cifar->format, cifar->train, {});
  ASSERT_TRUE(both) << messageOf(both);
  EXPECT_EQ(both->labels, (std::vector<int32_t>{1, 2, 2}));
  EXPECT_EQ(cifar->test.size(), 1u);

  put("other/readme", "nothing");
  EXPECT_TRUE(messageOf(findImages(folder / "other"))
                  .starts_with(folder / "other" + ": holds no images that are known"));
  EXPECT_EQ(messageOf(findImages(folder / "nowhere")),
            folder / "nowhere" + ": there is no such file or folder");
}

class ImagesRecord : public weft::test::AgainstRecord<> {
protected:
  ImagesRecord() : AgainstRecord("images") {}
};

TEST_F(ImagesRecord, MnistIsWhole) {
  auto files = findImages((record / "mnist").string());
  ASSERT_TRUE(files) << messageOf(files);
  for (auto [part, count] : {std::pair{&files->train, 60000}, {&files->test, 10000}}) {
    auto set = readImages(files->format, *part, {1, 28, 28});
    ASSERT_TRUE(set) << messageOf(set);
    EXPECT_EQ(set->count(), count);
    EXPECT_EQ(set->pixels.size(), static_cast<size_t>(count) * 784);
    EXPECT_EQ(*std::max_element(set->labels.begin(), set->labels.end()), 9);
  }
}

TEST_F(ImagesRecord, CifarAsInTheRecordedTraining) {
  auto set = readCifar((record / "cifar10/train_4000.bin").string());
  ASSERT_TRUE(set) << messageOf(set);
  EXPECT_EQ(set->count(), 4000);
  auto recorded =
      SafetensorsFile::open((record.parent_path() / "seeds/train-vit.safetensors").string());
  ASSERT_TRUE(recorded) << messageOf(recorded);
  const StoredTensor *images = recorded->find("in.image"), *labels = recorded->find("in.label");
  ASSERT_TRUE(images && labels);
  size_t count = images->end - images->begin;
  ASSERT_EQ(count, 160u * 3 * 32 * 32);
  std::vector<std::byte> pixels(count), classes(160 * 4);
  ASSERT_TRUE(recorded->readBytes(*images, 0, pixels));
  ASSERT_TRUE(recorded->readBytes(*labels, 0, classes));
  EXPECT_EQ(memcmp(pixels.data(), set->pixels.data(), pixels.size()), 0);
  EXPECT_EQ(memcmp(classes.data(), set->labels.data(), classes.size()), 0);
}
