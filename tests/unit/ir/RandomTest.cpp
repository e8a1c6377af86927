// Random numbers depend on seed, step, path and position by name, and on nothing else.
#include "Interpreted.h"

#include "ir/reference/Random.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

using Draw = std::array<uint32_t, 4>;

Draw philox(Draw counter, std::array<uint32_t, 2> key) {
  weft_philox(counter.data(), key[0], key[1]);
  return counter;
}

Array draw(const std::string &lines, const std::string &type, int64_t a, int64_t b,
           RandomState state = {1, 2}) {
  Program program("model.dim @a = <" + std::to_string(a) + ">\nmodel.dim @b = <" +
                  std::to_string(b) + ">\nmodel.dim @layer = <2>\nfunc.func @f() -> !model.tensor" +
                  type + " {\n" + lines + "\nreturn %r : !model.tensor" + type + "\n}");
  EXPECT_TRUE(program.ok()) << program.errors();
  program.interpreter().setRandom(state);
  return program.run({}).at(0);
}
Array plain(int64_t a, int64_t b, RandomState state = {1, 2}, std::string path = "drop") {
  return draw("%r = model.random \"" + path + "\" : <f32, a, b>", "<f32, a, b>", a, b, state);
}

// kat_vectors of Random123: "philox4x32 10"
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Draw{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Draw{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Random, IsTheDefinition) {
  // position (1, 2) of (a, b); FNV-1a of "a" is 0xaf63dc4c8601ec8c, of "b" 0xaf63df4c8601f1a5
  uint64_t index = 0xaf63dc4c8601ec8dull + 2 * 0xaf63df4c8601f1a5ull;
  uint64_t path = 0xcbf29ce484222325;
  for (char c : std::string("drop")) // FNV-1a again
    path = (path ^ uint64_t(c)) * 0x100000001b3;
  Draw expected = philox(
      {uint32_t(index), uint32_t(index >> 32), 2, uint32_t(path) ^ uint32_t(path >> 32)}, {1, 0});
  EXPECT_EQ(plain(2, 3).floats()[5], (expected[0] >> 8) / double(1 << 24));
}

TEST(Random, NeitherOrderNorSizesMatter) {
  Array wide = plain(2, 3), tall = plain(4, 3);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(wide.floats()[i], tall.floats()[i]);
  Array turned = draw("%t = model.random \"drop\" : <f32, b, a>\n%r = model.arrange %t : <f32, b, "
                      "a> -> <f32, a, b>",
                      "<f32, a, b>", 2, 3);
  expectNear(turned, wide, 0);
}

TEST(Random, SeedStepAndPathMatter) {
  Array base = plain(2, 3);
  for (const Array &other :
       {plain(2, 3, {2, 2}), plain(2, 3, {1, 3}), plain(2, 3, {1, 2}, "other")})
    for (int i = 0; i < 6; ++i)
      EXPECT_NE(base.floats()[i], other.floats()[i]);
}

TEST(Random, EveryPassHasItsOwn) {
  Array passes = draw("%z = model.constant 0.0\n"
                      "%c, %r = model.repeat \"layer\" carry(%y = %z : <f32>) -> "
                      "(!model.tensor<f32>, !model.tensor<f32, layer, a>) {\n"
                      "%d = model.random \"drop\" : <f32, a>\n"
                      "model.yield %y, %d : !model.tensor<f32>, !model.tensor<f32, a>\n}",
                      "<f32, layer, a>", 3, 1);
  // the same as if `layer` were a dimension of the op
  expectNear(passes, draw("%r = model.random \"drop\" : <f32, layer, a>", "<f32, layer, a>", 3, 1),
             0);
  EXPECT_NE(passes.floats()[0], passes.floats()[3]);
}

TEST(Random, IsUniformInTheUnitInterval) {
  Array many = plain(300, 400);
  double mean = 0, square = 0;
  std::vector<int> tenths(10);
  for (double x : many.floats()) {
    ASSERT_TRUE(x >= 0 && x < 1);
    mean += x / 120000;
    square += x * x / 120000;
    ++tenths[int(x * 10)];
  }
  EXPECT_NEAR(mean, 0.5, 0.004); // sqrt(1/12/n) = 0.0008
  EXPECT_NEAR(square, 1.0 / 3, 0.005);
  for (int count : tenths)
    EXPECT_NEAR(count, 12000, 500); // sqrt(n * 0.09) = 104
}

} // namespace
