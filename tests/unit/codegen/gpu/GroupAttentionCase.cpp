// The numbers, and the kernel around the builder.
#include "tests/unit/codegen/gpu/GroupAttentionCase.h"

#include "codegen/emit/Loops.h"
#include "runtime/emulator/numbers/TensorMap.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <random>

using namespace llvm;

namespace weft::test {

double GroupAttentionCase::scale() const {
  return 1 / std::sqrt(double(depth));
}

bool GroupAttentionCase::keeps(int head, int query, int key) const {
  int last = query + keys - queries;
  switch (sees) {
  case Sees::all:
    return true;
  case Sees::causal:
    return key <= last;
  case Sees::window:
    return key <= last && key > last - window;
  case Sees::length:
    return key < lengths[head];
  }
  return false;
}

static double valueOf(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

void GroupAttentionCase::draw(uint64_t seed, unsigned weightParts) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  auto fill = [&](std::vector<uint16_t> &to, int count, int rows, int columns) {
    to.resize(size_t(count) * rows * columns);
    for (uint16_t &each : to)
      each = std::bit_cast<uint32_t>(normal(random)) >> 16;
  };
  fill(q, heads, queries, depth);
  fill(k, heads / group, keys, depth);
  fill(v, heads / group, keys, values);
  lengths.clear();
  for (int head = 0; head < heads; ++head)
    lengths.push_back(head == 0 ? keys / 2 : head == 1 ? 0 : keys);
  output.assign(size_t(heads) * queries * values, 0);
  allowed = output;
  logsumexp.assign(size_t(heads) * queries, -INFINITY);
  allowedOfSum.assign(logsumexp.size(), 0);
  for (int row = 0; row < heads * queries; ++row) {
    int head = row / queries;
    const uint16_t *ownKeys = &k[size_t(head / group) * keys * depth];
    const uint16_t *ownValues = &v[size_t(head / group) * keys * values];
    std::vector<double> scores(keys, -INFINITY);
    double highest = -INFINITY, total = 0, size = 0;
    for (int key = 0; key < keys; ++key) {
      if (!keeps(head, row % queries, key))
        continue;
      double score = 0, magnitude = 0;
      for (int i = 0; i < depth; ++i) {
        double product = valueOf(q[row * depth + i]) * valueOf(ownKeys[key * depth + i]);
        score += product;
        magnitude += std::fabs(product);
      }
      scores[key] = score * scale();
      size = std::max(size, magnitude * scale());
      highest = std::max(highest, scores[key]);
    }
    if (highest == -INFINITY)
      continue;
    for (double score : scores)
      total += std::exp(score - highest);
    logsumexp[row] = highest + std::log(total);
    // A score is off by what sums of floats are, and a weight by as much of it, and by rounding.
    double ofScore = size * depth * 0x1p-24 + 0x1p-21;
    double ofWeight = 2 * ofScore + keys * 0x1p-23 + (weightParts == 1 ? 0x1p-8 : 0x1p-16);
    allowedOfSum[row] = 2 * ofScore + keys * 0x1p-23 + std::fabs(logsumexp[row]) * 0x1p-22;
    for (int key = 0; key < keys; ++key) {
      double weight = std::exp(scores[key] - logsumexp[row]);
      for (int i = 0; i < values; ++i) {
        double product = weight * valueOf(ownValues[key * values + i]);
        output[row * values + i] += product;
        allowed[row * values + i] += std::fabs(product) * ofWeight;
      }
    }
  }
}

/// By the arithmetic of `keeps`: a key is seen from `low` on and below `high` (i32), of a query.
static gpu::KeyMask maskOf(gpu::Builder &builder, Sees sees, Value *shift, Value *length) {
  auto high = [=, &builder](Value *query) -> Value * {
    return sees == Sees::length
               ? length
               : builder.CreateAdd(builder.CreateAdd(query, shift), builder.getInt32(1));
  };
  auto low = [=, &builder](Value *query) -> Value * {
    return sees == Sees::window ? builder.CreateSub(high(query), builder.getInt32(window))
                                : static_cast<Value *>(builder.getInt32(INT32_MIN));
  };
  gpu::KeyMask mask;
  if (sees == Sees::all)
    return mask;
  mask.judge = [=, &builder](const gpu::KeyMask::Block &block) -> gpu::KeyMask::Verdict {
    Value *last = builder.CreateAdd(block.query, builder.getInt32(block.queries - 1));
    Value *end = builder.CreateAdd(block.key, builder.getInt32(block.keys));
    return {builder.CreateOr(builder.CreateICmpSGE(block.key, high(last)),
                             builder.CreateICmpSLE(end, low(block.query))),
            builder.CreateAnd(builder.CreateICmpSLE(end, high(block.query)),
                              builder.CreateICmpSGE(block.key, low(last)))};
  };
  mask.keeps = [=, &builder](Value *query, Value *key) {
    return builder.CreateAnd(builder.CreateICmpSLT(key, high(query)),
                             builder.CreateICmpSGE(key, low(query)));
  };
  return mask;
}

void buildGroupAttention(Module &module, const gpu::GroupAttentionTiles &tiles, Sees sees) {
  IRBuilder<> b(module.getContext());
  Type *map = b.getPtrTy(), *pointer = b.getPtrTy(gpu::globalSpace), *number = b.getInt32Ty();
  Function *kernel = gpu::createKernel(
      module, "k", {map, map, map, pointer, pointer, pointer, number, number, number},
      {.threads = tiles.threads()}, b);
  for (unsigned i = 0; i < 3; ++i)
    gpu::handsOverTensorMap(*kernel, i);
  Value *queries = kernel->getArg(6), *keys = kernel->getArg(7);
  Value *head = gpu::blockOf(b, 1), *shared = b.CreateUDiv(head, kernel->getArg(8));
  auto source = [&](unsigned argument, Value *matrix) -> gpu::TileSource {
    return {{kernel->getArg(argument)},
            [=](Value *first) -> SmallVector<Value *> { return {first, matrix}; }};
  };
  Value *length = nullptr;
  if (sees == Sees::length)
    length = b.CreateLoad(number, b.CreateGEP(number, kernel->getArg(5), head));
  auto query0Of = [&](Value *number) {
    Value *tile = b.CreateAdd(b.CreateMul(number, gpu::blocksOf(b, 0)), gpu::blockOf(b, 0));
    return b.CreateMul(tile, b.getInt32(tiles.queries()));
  };
  auto rowOf = [&](Value *query) { return b.CreateAdd(b.CreateMul(head, queries), query); };
  gpu::GroupAttentionResults results = {
      [&](Value *query, Value *column, Value *first, Value *second) {
        emit::when(b, b.CreateICmpULT(query, queries), [&] {
          Value *at = b.CreateAdd(b.CreateMul(rowOf(query), b.getInt32(tiles.values)), column);
          Value *to = b.CreateGEP(b.getFloatTy(), kernel->getArg(3), at);
          Type *pair = FixedVectorType::get(b.getFloatTy(), 2);
          Value *both = b.CreateInsertElement(PoisonValue::get(pair), first, uint64_t(0));
          b.CreateAlignedStore(b.CreateInsertElement(both, second, 1), to, Align(8));
        });
      },
      [&](Value *query, Value *value) {
        emit::when(b, b.CreateICmpULT(query, queries), [&] {
          b.CreateStore(value, b.CreateGEP(b.getFloatTy(), kernel->getArg(4), rowOf(query)));
        });
      }};
  gpu::GroupAttentionWork work = {
      1 / std::sqrt(double(tiles.depth)),
      [&](Value *number) { return b.CreateICmpULT(query0Of(number), queries); },
      [&](Value *number, gpu::GroupAttentionWork::Body body) {
        body({source(0, head),
              source(1, shared),
              source(2, shared),
              {queries, keys},
              maskOf(b, sees, b.CreateSub(keys, queries), length),
              query0Of(number)},
             results);
      }};
  emitGroupAttention(b, tiles, work, gpu::dynamicShared(b));
  b.CreateRetVoid();
}

static emulator::TensorMap mapOf(const std::vector<uint16_t> &data, int count, int rows,
                                 int columns, unsigned high) {
  emulator::Tensor tensor;
  tensor.base = data.data();
  tensor.elementBytes = 2;
  tensor.rank = 3;
  tensor.sizes[0] = columns;
  tensor.sizes[1] = rows;
  tensor.sizes[2] = count;
  tensor.strides[0] = columns * 2;
  tensor.strides[1] = size_t(columns) * rows * 2;
  tensor.box[0] = gpu::panelColumns;
  tensor.box[1] = high;
  tensor.box[2] = 1;
  tensor.swizzle = emulator::TensorSwizzle::bytes128;
  emulator::TensorMap map;
  EXPECT_EQ(encode(map, tensor), "");
  return map;
}

namespace {
/// From a sector of memory on, as a device allocates them: else what is counted differs by chance.
struct Results {
  explicit Results(size_t count) : all(count + aligned / sizeof(float), -1) {
    void *place = all.data();
    size_t room = all.size() * sizeof(float);
    begin = static_cast<float *>(std::align(aligned, count * sizeof(float), place, room));
  }
  static constexpr size_t aligned = 128;
  std::vector<float> all;
  float *begin;
};
} // namespace

std::string runGroupAttention(EmulatedKernel &kernel, const gpu::GroupAttentionTiles &tiles,
                              const GroupAttentionCase &given, const emulator::Mode &mode) {
  Results output(given.output.size()), logsumexp(given.logsumexp.size());
  int shared = given.heads / given.group;
  emulator::TensorMap q = mapOf(given.q, given.heads, given.queries, given.depth, tiles.queries());
  emulator::TensorMap k = mapOf(given.k, shared, given.keys, given.depth, tiles.keys);
  emulator::TensorMap v = mapOf(given.v, shared, given.keys, given.values, tiles.keys);
  void *to = output.begin, *sums = logsumexp.begin;
  const void *lengths = given.lengths.data();
  int queries = given.queries, keys = given.keys, group = given.group;
  emulator::Grid grid;
  grid.blocks[0] =
      std::min(given.blocks, int((given.queries + tiles.queries() - 1) / tiles.queries()));
  grid.blocks[1] = given.heads;
  grid.threads = tiles.threads();
  grid.shared = tiles.sharedBytes();
  std::string problem =
      kernel.run({&q, &k, &v, &to, &sums, &lengths, &queries, &keys, &group}, grid, mode);
  if (!problem.empty())
    return problem;
  int wrong = 0;
  auto compare = [&](const Results &got, const std::vector<double> &expected,
                     const std::vector<double> &allowed) {
    for (size_t i = 0; i < expected.size(); ++i)
      wrong +=
          got.begin[i] != expected[i] && !(std::fabs(got.begin[i] - expected[i]) <= allowed[i]);
  };
  compare(output, given.output, given.allowed);
  int ofOutput = wrong;
  compare(logsumexp, given.logsumexp, given.allowedOfSum);
  return wrong ? std::to_string(ofOutput) + " results and " + std::to_string(wrong - ofOutput) +
                     " sums are wrong"
               : "";
}

} // namespace weft::test
