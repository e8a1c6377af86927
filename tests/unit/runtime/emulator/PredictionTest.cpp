// The model by which times on devices are predicted: each of its parts, by numbers that were
// reckoned by hand from a device's figures (docs/predictions.md).
#include "runtime/emulator/prediction/Prediction.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace weft::emulator;

namespace {

/// Numbers that are easy to reckon with.
Device simple() {
  return {.name = "simple",
          .image = "sm_0",
          .processors = 10,
          .clock = 1e9,
          .issues = 4,
          .floats = 64,
          .tensorFlops = 1000,
          .tf32Flops = 500,
          .warpProducts = 0.5,
          .sharedBytes = 128,
          .special = 16,
          .cacheBytes = 2e12,
          .memoryBytes = 1e12,
          .memoryShare = 0.5,
          .start = 2e-6,
          .latency = 1e-6,
          .threads = 2048,
          .blocks = 32,
          .registers = 65536,
          .shared = 100 << 10,
          .sharedOfBlock = 1 << 10};
}

constexpr Footprint usual{.threads = 256, .shared = 0, .registers = 32};

/// One block for each processor of the simple device.
Counts even() {
  Counts counts;
  counts.blocks = 10;
  return counts;
}

TEST(Prediction, OfNothingIsTheStartAndOneWait) {
  Prediction time = predict(even(), usual, simple());
  EXPECT_DOUBLE_EQ(time.seconds, 3e-6);
  EXPECT_EQ(time.waves, 1);
}

TEST(Prediction, EachPartHasItsRate) {
  // Of ten processors each has a tenth.
  Counts counts = even();
  counts.instructions = 32 * 4 * 1000 * 10; // 1000 clocks
  counts.floats = 64 * 900 * 10;
  counts.tensorFlops = 1000 * 800 * 10;
  counts.approximations = 16 * 700 * 10;
  counts.sharedReads = 128 * 600 * 10;
  counts.sectors = uint64_t(2e12 * 0.25e-6 / 32);
  Prediction time = predict(counts, usual, simple(), uint64_t(1e12 * 0.5 * 0.1e-6));
  EXPECT_NEAR(time.issue, 1e-6, 1e-12);
  EXPECT_NEAR(time.floats, 0.9e-6, 1e-12);
  EXPECT_NEAR(time.tensor, 0.8e-6, 1e-12);
  EXPECT_NEAR(time.special, 0.7e-6, 1e-12);
  EXPECT_NEAR(time.shared, 0.6e-6, 1e-12);
  EXPECT_NEAR(time.cache, 0.25e-6, 1e-11);
  EXPECT_NEAR(time.memory, 0.1e-6, 1e-12);
  EXPECT_STREQ(time.bound, "issue");
  EXPECT_NEAR(time.seconds, 1e-6 + 3e-6, 1e-12); // the longest, and start and wait
}

TEST(Prediction, ProductsOfOneWarpAreSlower) {
  Counts group = even(), warp = even();
  group.tensorFlops = warp.tensorFlops = 1000 * 1000 * 10;
  group.groupProducts = 1;
  warp.products = 1;
  EXPECT_NEAR(predict(group, usual, simple()).tensor, 1e-6, 1e-12);
  EXPECT_NEAR(predict(warp, usual, simple()).tensor, 2e-6, 1e-12);
  Counts tf32 = even();
  tf32.tf32Flops = 1000 * 1000 * 10;
  EXPECT_NEAR(predict(tf32, usual, simple()).tensor, 2e-6, 1e-12);
}

TEST(Prediction, ConflictsArePassesOfSharedMemory) {
  Counts counts = even();
  counts.sharedWrites = 128 * 100 * 10;
  counts.conflicts = 300 * 10;
  counts.matrixConflicts = 600 * 10;
  EXPECT_NEAR(predict(counts, usual, simple()).shared, 1e-6, 1e-12);
}

TEST(Prediction, WithoutBuffersAllThatMovesPassesByMemory) {
  Counts counts = even();
  counts.sectors = 1000;
  counts.copiedBytes = 20000;
  counts.storedBytes = 8000;
  EXPECT_NEAR(predict(counts, usual, simple()).memory, 60000 / 0.5e12, 1e-12);
}

TEST(Prediction, AProcessorWithOneBlockMoreTakesAsMuchLonger) {
  // Eleven blocks on ten processors: one has two, and takes as long as with twenty.
  Counts counts = even();
  counts.instructions = 32 * 4 * 1000 * 10;
  counts.blocks = 11;
  EXPECT_NEAR(predict(counts, usual, simple()).issue, 1e-6 * 10 * 2 / 11, 1e-12);
}

TEST(Prediction, BlocksFitByThreadsRegistersAndSharedMemory) {
  auto fit = [](Footprint footprint) {
    return predict(even(), footprint, simple()).blocksOfProcessor;
  };
  EXPECT_EQ(fit({.threads = 256, .shared = 0, .registers = 16}), 8u); // 2048 threads
  EXPECT_EQ(fit({.threads = 32, .shared = 0, .registers = 16}), 32u); // and no more blocks
  // 40 registers of 32 lanes are 1280, five pieces of 256: 65536 / (1280 * 8).
  EXPECT_EQ(fit({.threads = 256, .shared = 0, .registers = 40}), 6u);
  // 41 are 1312, and so six pieces.
  EXPECT_EQ(fit({.threads = 256, .shared = 0, .registers = 41}), 5u);
  EXPECT_EQ(fit({.threads = 256, .shared = 24 << 10, .registers = 0}), 4u); // 25 KB each
  EXPECT_EQ(fit({.threads = 256, .shared = 100 << 10, .registers = 0}), 0u);
}

TEST(Prediction, WavesWaitOneAfterTheOther) {
  Counts counts;
  counts.blocks = 10 * 8 * 3 + 1; // 8 blocks of 256 threads fit a processor
  Prediction time = predict(counts, usual, simple());
  EXPECT_EQ(time.waves, 4);
  EXPECT_DOUBLE_EQ(time.seconds, 2e-6 + 4 * 1e-6);
  EXPECT_DOUBLE_EQ(time.occupancy, 1);
}

TEST(Prediction, WhatDoesNotFitHasNoTime) {
  EXPECT_EQ(predict(even(), {.threads = 1024, .shared = 0, .registers = 255}, simple()).seconds, 0);
}

TEST(Prediction, TheRooflineIsTheLongerOfArithmeticAndMemory) {
  Device device = simple();
  EXPECT_NEAR(peak(device, Arithmetic::float32), 2 * 64 * 1e9 * 10, 1);
  EXPECT_NEAR(peak(device, Arithmetic::tf32), 500 * 1e9 * 10, 1);
  EXPECT_NEAR(peak(device, Arithmetic::tensor), 1000 * 1e9 * 10, 1);
  Task task{.products = 1.28e12, .others = 1.28e12, .bytes = 1e12};
  EXPECT_NEAR(roofline(task, device), 1 + 1, 1e-9);
  task = {.products = 2e13, .others = 1.28e12, .arithmetic = Arithmetic::tensor, .bytes = 1e12};
  EXPECT_NEAR(roofline(task, device), 2, 1e-9); // one beside the other
  task.bytes = 3e12; // at its peak: what a kernel reaches of it is not asked
  EXPECT_NEAR(roofline(task, device), 3, 1e-9);
}

TEST(Prediction, FiguresAreThoseOfDataSheets) {
  EXPECT_NEAR(peak(h100(), Arithmetic::tensor) / 1e12, 989.4, 0.5);
  EXPECT_NEAR(peak(h100(), Arithmetic::tf32) / 1e12, 494.7, 0.5);
  EXPECT_NEAR(peak(a100(), Arithmetic::tensor) / 1e12, 312, 0.5);
  EXPECT_NEAR(peak(a100(), Arithmetic::tf32) / 1e12, 156, 0.5);
  EXPECT_NEAR(peak(a100(), Arithmetic::float32) / 1e12, 19.5, 0.05);
  // The data sheet's 67 are at a clock of 1.98 GHz, which products of matrices do not reach.
  EXPECT_NEAR(peak(h100(), Arithmetic::float32) / 1e12 * 1.98 / 1.83, 66.9, 0.1);
}

TEST(Prediction, ScaledCountsAreThoseOfSoManyTimesTheBlocks) {
  Counts counts = even();
  counts.instructions = 7;
  counts.floats = 5;
  Counts more = scaled(counts, 2.5);
  EXPECT_EQ(more.blocks, 25u);
  EXPECT_EQ(more.instructions, 18u); // 17.5, rounded
  EXPECT_EQ(more.floats, 13u);
}

} // namespace
