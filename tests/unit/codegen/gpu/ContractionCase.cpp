// The numbers, and the kernels around the builders.
#include "tests/unit/codegen/gpu/ContractionCase.h"

#include "codegen/emit/Loops.h"
#include "runtime/emulator/numbers/TensorMap.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

using namespace llvm;

namespace weft::test {

/// `value` as an element, and what that is. What is multiplied as tf32 lies in memory as a float,
/// which the kernel rounds, or, `rounded`, has been.
static float put(gpu::Element element, bool rounded, float value, char *to) {
  if (element == gpu::Element::tf32) {
    uint32_t bits = (std::bit_cast<uint32_t>(value) + 0x1000) & ~0x1fffu;
    float tf32 = std::bit_cast<float>(bits);
    memcpy(to, rounded ? &tf32 : &value, 4);
    return tf32;
  }
  if (element == gpu::Element::float16) {
    _Float16 half = value;
    memcpy(to, &half, 2);
    return float(half);
  }
  uint32_t bits = std::bit_cast<uint32_t>(value) & 0xffff0000;
  uint16_t high = bits >> 16;
  memcpy(to, &high, 2);
  return std::bit_cast<float>(bits);
}

void ContractionCase::draw(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  unsigned bytes = bytesOf(element);
  std::vector<double> a(rows * depth), b(columns * depth);
  auto fill = [&](std::vector<char> &to, std::vector<double> &values, int wide, bool alongDepth) {
    to.resize(size_t(wide) * depth * bytes);
    for (int i = 0; i < wide; ++i)
      for (int k = 0; k < depth; ++k)
        values[i * depth + k] = put(element, rounded, normal(random),
                                    &to[(alongDepth ? i * depth + k : k * wide + i) * bytes]);
  };
  fill(left, a, rows, leftAlongDepth);
  fill(right, b, columns, rightAlongDepth);
  expected.assign(size_t(rows) * columns, 0);
  magnitude = expected;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < depth; ++k) {
        double product = a[i * depth + k] * b[j * depth + k];
        expected[i * columns + j] += product;
        magnitude[i * columns + j] += std::fabs(product);
      }
}

int ContractionCase::wrong(const std::vector<float> &result) const {
  int count = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    count += !(std::fabs(result[i] - expected[i]) <= magnitude[i] * depth * 0x1p-24 + 1e-12);
  return count;
}

/// Two floats of the result, where they are within it; i64 places.
static void storePair(gpu::Builder &builder, Value *result, Value *rows, Value *columns, Value *row,
                      Value *column, Value *first, Value *second) {
  Value *at = builder.CreateAdd(builder.CreateMul(row, columns), column);
  for (Value *sum : {first, second}) {
    Value *inside =
        builder.CreateAnd(builder.CreateICmpULT(row, rows), builder.CreateICmpULT(column, columns));
    emit::when(builder, inside, [&] {
      builder.CreateStore(sum, builder.CreateGEP(builder.getFloatTy(), result, at));
    });
    at = builder.CreateAdd(at, builder.getInt64(1));
    column = builder.CreateAdd(column, builder.getInt64(1));
  }
}

void buildMma(Module &module, const gpu::MmaTiles &tiles, bool leftAlongDepth, bool rightAlongDepth,
              unsigned pieceBytes) {
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy(gpu::globalSpace), *number = builder.getInt32Ty();
  Function *kernel =
      gpu::createKernel(module, "k", {pointer, pointer, pointer, number, number, number},
                        {.threads = tiles.threads()}, builder);
  auto wide = [&](Value *value) { return builder.CreateZExt(value, builder.getInt64Ty()); };
  Value *rows = wide(kernel->getArg(3)), *columns = wide(kernel->getArg(4)),
        *depth = wide(kernel->getArg(5));
  gpu::Side left = gpu::Side::matrix(builder, kernel->getArg(0), leftAlongDepth ? depth : rows,
                                     leftAlongDepth, pieceBytes);
  gpu::Side right = gpu::Side::matrix(builder, kernel->getArg(1), rightAlongDepth ? depth : columns,
                                      rightAlongDepth, pieceBytes);
  Value *row0 = builder.CreateMul(wide(gpu::blockOf(builder, 1)), builder.getInt64(tiles.rows));
  Value *column0 =
      builder.CreateMul(wide(gpu::blockOf(builder, 0)), builder.getInt64(tiles.columns));
  gpu::MmaTile tile(builder, tiles, {row0, column0, rows, columns}, gpu::dynamicShared(builder));
  tile.each(tile.multiply(left, right, {depth}, tile.zero()), [&](Value *row, Value *column,
                                                                  Value *first, Value *second) {
    storePair(builder, kernel->getArg(2), rows, columns, builder.CreateAdd(row0, wide(row)),
              builder.CreateAdd(column0, wide(column)), first, second);
  });
  builder.CreateRetVoid();
}

std::string runMma(EmulatedKernel &kernel, const gpu::MmaTiles &tiles, ContractionCase &given,
                   const emulator::Mode &mode) {
  std::vector<float> result(given.expected.size(), -1);
  void *left = given.left.data(), *right = given.right.data(), *to = result.data();
  emulator::Grid grid;
  grid.blocks[0] = (given.columns + tiles.columns - 1) / tiles.columns;
  grid.blocks[1] = (given.rows + tiles.rows - 1) / tiles.rows;
  grid.threads = tiles.threads();
  grid.shared = tiles.sharedBytes();
  std::string problem =
      kernel.run({&left, &right, &to, &given.rows, &given.columns, &given.depth}, grid, mode);
  if (!problem.empty())
    return problem;
  int wrong = given.wrong(result);
  return wrong ? std::to_string(wrong) + " of " + std::to_string(result.size()) + " are wrong" : "";
}

void buildGroup(Module &module, const gpu::GroupTiles &tiles) {
  IRBuilder<> builder(module.getContext());
  Type *map = builder.getPtrTy(), *number = builder.getInt32Ty();
  Function *kernel = gpu::createKernel(
      module, "k", {map, map, builder.getPtrTy(gpu::globalSpace), number, number, number},
      {.threads = tiles.threads(), .cluster = tiles.cluster}, builder);
  gpu::handsOverTensorMap(*kernel, 0);
  gpu::handsOverTensorMap(*kernel, 1);
  gpu::ContractionSizes sizes = {kernel->getArg(3), kernel->getArg(4), kernel->getArg(5)};
  emitContraction(
      builder, tiles, {kernel->getArg(0)}, {kernel->getArg(1)}, sizes, gpu::dynamicShared(builder),
      [&](gpu::Builder &builder, Value *row, Value *column, Value *first, Value *second) {
        auto wide = [&](Value *value) { return builder.CreateZExt(value, builder.getInt64Ty()); };
        storePair(builder, kernel->getArg(2), wide(sizes.rows), wide(sizes.columns), wide(row),
                  wide(column), first, second);
      });
  builder.CreateRetVoid();
}

static emulator::TensorMap mapOf(const std::vector<char> &data, unsigned bytes, int wide, int depth,
                                 bool alongDepth, std::pair<unsigned, unsigned> box) {
  emulator::Tensor tensor;
  tensor.base = data.data();
  tensor.elementBytes = bytes;
  tensor.rank = 2;
  tensor.sizes[0] = alongDepth ? depth : wide;
  tensor.sizes[1] = alongDepth ? wide : depth;
  tensor.strides[0] = tensor.sizes[0] * bytes;
  tensor.box[0] = box.first;
  tensor.box[1] = box.second;
  tensor.swizzle = emulator::TensorSwizzle::bytes128;
  emulator::TensorMap map;
  EXPECT_EQ(encode(map, tensor), "");
  return map;
}

std::string runGroup(EmulatedKernel &kernel, const gpu::GroupTiles &tiles, ContractionCase &given,
                     const emulator::Mode &mode, unsigned blocks) {
  std::vector<float> result(given.expected.size(), -1);
  unsigned bytes = bytesOf(tiles.element);
  emulator::TensorMap left = mapOf(given.left, bytes, given.rows, given.depth, given.leftAlongDepth,
                                   tiles.leftBox(given.leftAlongDepth));
  emulator::TensorMap right = mapOf(given.right, bytes, given.columns, given.depth,
                                    given.rightAlongDepth, tiles.rightBox(given.rightAlongDepth));
  void *to = result.data();
  emulator::Grid grid;
  grid.blocks[0] = blocks;
  grid.threads = tiles.threads();
  grid.cluster = tiles.cluster;
  grid.shared = tiles.sharedBytes();
  std::string problem =
      kernel.run({&left, &right, &to, &given.rows, &given.columns, &given.depth}, grid, mode);
  if (!problem.empty())
    return problem;
  int wrong = given.wrong(result);
  return wrong ? std::to_string(wrong) + " of " + std::to_string(result.size()) + " are wrong" : "";
}

} // namespace weft::test
