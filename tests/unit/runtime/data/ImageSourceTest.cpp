// Order, splits and augmentation of images: functions of the seed and the place alone.
#include "runtime/data/images/ImageSource.h"

#include <gtest/gtest.h>
#include <set>

using namespace weft::runtime;

/// Images of one pixel, each with its own number.
static ImageSet numbered(int count) {
  ImageSet set{
      .path = "set", .size = {1, 1, 1}, .pixels = {}, .labels = {}, .files = {}, .classes = {}};
  for (int i = 0; i < count; ++i) {
    set.pixels.push_back(static_cast<uint8_t>(i));
    set.labels.push_back(i % 3);
  }
  return set;
}

static ImageSource source(int train, int validation, uint64_t seed) {
  return ImageSource({.train = numbered(train),
                      .validation = numbered(validation),
                      .binding = {"image", "label", {0, 1, 2}, 3},
                      .normalization = *Normalization::create({0}, {1}, 1),
                      .augmentation = {},
                      .seed = seed});
}

TEST(ImageSource, AnEpochIsEveryImageOnce) {
  for (int count : {1, 9, 10, 57}) {
    ImageSource images = source(count, 0, 3);
    int64_t trained = images.rows(Split::Train), held = images.rows(Split::Validation);
    EXPECT_EQ(held, count / 10);
    EXPECT_EQ(trained + held, count);
    std::set<int64_t> heldOut;
    for (int64_t row = 0; row < held; ++row)
      heldOut.insert(images.imageOf(Split::Validation, row));
    EXPECT_EQ(heldOut.size(), static_cast<size_t>(held));
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      std::set<int64_t> seen;
      for (int64_t row = 0; row < trained; ++row)
        seen.insert(images.trainingImage(static_cast<uint64_t>(epoch * trained + row)));
      EXPECT_EQ(seen.size(), static_cast<size_t>(trained));
      for (int64_t image : seen)
        EXPECT_FALSE(heldOut.count(image)) << image;
      EXPECT_LT(*seen.rbegin(), count);
    }
  }
}

TEST(ImageSource, SeedsShuffleAndHoldOutTheSame) {
  ImageSource a = source(200, 0, 1), b = source(200, 0, 2);
  int same = 0;
  for (uint64_t row = 0; row < 180; ++row)
    same += a.trainingImage(row) == b.trainingImage(row);
  EXPECT_LT(same, 10);
  for (int64_t row = 0; row < 20; ++row)
    EXPECT_EQ(a.imageOf(Split::Validation, row), b.imageOf(Split::Validation, row));
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a.fingerprint(), source(201, 0, 1).fingerprint());
}

TEST(ImageSource, AValidationOfItsOwnLeavesAllToTrainOn) {
  ImageSource images = source(30, 7, 1);
  EXPECT_EQ(images.rows(Split::Train), 30);
  EXPECT_EQ(images.rows(Split::Validation), 7);
  EXPECT_EQ(images.imageOf(Split::Validation, 6), 6);
  EXPECT_EQ(images.setOf(Split::Validation).count(), 7);
  EXPECT_EQ(images.description(), "30 images of 1 x 1 x 1 to train on, 7 to validate");
}

TEST(Normalization, IsByChannel) {
  auto both = Normalization::create({0.5, 0.25}, {0.5, 2}, 2);
  ASSERT_TRUE(both);
  EXPECT_FLOAT_EQ(both->channel(0)[255], 1);
  EXPECT_FLOAT_EQ(both->channel(0)[0], -1);
  EXPECT_FLOAT_EQ(both->channel(1)[51], (0.2f - 0.25f) / 2);
  EXPECT_EQ(Normalization::create({0, 0}, {1}, 3).error().message,
            "--mean: has 2 numbers; the images have 3 channels");
}

TEST(Augmentation, IsDrawnEvenly) {
  Augmentation augmentation{true, 2};
  int mirrored = 0;
  std::map<std::pair<int64_t, int64_t>, int> places;
  for (uint64_t image = 0; image < 5000; ++image) {
    Placement place = augmentation.draw(1, 4, image);
    mirrored += place.mirrored;
    ++places[{place.down, place.right}];
    EXPECT_LE(std::abs(place.down), 2);
    EXPECT_LE(std::abs(place.right), 2);
  }
  EXPECT_NEAR(mirrored, 2500, 150); // 4 standard deviations
  EXPECT_EQ(places.size(), 25u);
  for (auto &[place, count] : places)
    EXPECT_NEAR(count, 200, 60);
  Placement first = augmentation.draw(1, 4, 17), again = augmentation.draw(1, 4, 17);
  EXPECT_EQ(first.down, again.down);
  Placement still = Augmentation{}.draw(1, 4, 17);
  EXPECT_FALSE(still.mirrored);
  EXPECT_EQ(still.down, 0);
}

static std::vector<float> written(Placement placement) {
  std::vector<uint8_t> image{1, 2, 3, 4, 5, 6};
  std::vector<float> values(6);
  auto bytes = Normalization::create({0}, {1 / 255.0}, 1); // a byte as it is
  writeImage(image, {1, 2, 3}, *bytes, placement, values.data());
  return values;
}

TEST(Augmentation, MovesAndMirrors) {
  EXPECT_EQ(written({}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(written({true, 0, 0}), (std::vector<float>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(written({false, 1, -1}), (std::vector<float>{0, 4, 5, 0, 0, 0}));
  EXPECT_EQ(written({true, -1, 1}), (std::vector<float>{0, 0, 0, 2, 1, 0}));
}
