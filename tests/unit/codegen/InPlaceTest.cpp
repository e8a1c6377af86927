// Which results may share the buffer of an operand: what `mayWriteInPlace` says of small kernels of
// every family, and that what it allows is computed right. What it refuses is shown to go wrong.
#include "EveryIsa.h"

#include "ir/kernel/InPlace.h"

using namespace weft;
using namespace weft::test;

namespace {

class InPlace : public EveryIsa {};

/// An operand or a result: its type, as `f32, m, n`, and where it lies.
struct Buffer {
  std::string type, layout;
};

std::string dense(const std::string &strides) {
  return "#kernel.layout<" + strides + ">";
}

/// A module of one kernel over `m`, `n`, `k`, whose operands are %0, %1, …; `body` yields.
std::string text(const std::string &family, const std::vector<Buffer> &operands,
                 const std::vector<Buffer> &results, const std::string &body) {
  std::string arguments, given, types, layouts;
  auto add = [](std::string &list, const std::string &item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string type = "!model.tensor<" + operands[i].type + ">", number = std::to_string(i);
    add(arguments, "%" + number + ": " + type);
    add(given, "%b" + number + " = %" + number + " : " + type);
    add(layouts, operands[i].layout);
  }
  for (const Buffer &result : results) {
    add(types, "!model.tensor<" + result.type + ">");
    add(layouts, result.layout);
  }
  return "model.dim @m\nmodel.dim @n\nmodel.dim @k\nfunc.func @f(" + arguments + ") {\n%r" +
         (results.size() > 1 ? ":" + std::to_string(results.size()) : "") + " = kernel.fused " +
         family + " \"k\" (" + given + ") -> (" + types + ") attributes {layouts = [" + layouts +
         "]} {\n" + body + "}\nreturn\n}\n";
}

const Buffer tile{"f32, m, n", dense("m: \"n\", n: \"1\"")},
    left{"f32, m, k", dense("m: \"k\", k: \"1\"")}, row{"f32, n", dense("n: \"1\"")},
    panels{"f32, k, n", "#kernel.panels<batch = [], rows = [k], columns = [n], width = 16>"};

using Pairs = std::set<std::pair<unsigned, unsigned>>;

Pairs allowed(kernel::FusedOp op) {
  Pairs pairs;
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    for (unsigned operand = 0; operand < op.getNumOperands(); ++operand)
      if (kernel::mayWriteInPlace(op, result, operand))
        pairs.insert({result, operand});
  return pairs;
}

std::vector<Tensor> inputs(const std::vector<std::vector<std::string>> &dims, const Sizes &sizes) {
  std::vector<Tensor> tensors;
  for (const std::vector<std::string> &each : dims)
    tensors.push_back(Tensor::normal(each, sizes, tensors.size() + 1));
  return tensors;
}

/// Sizes around tiles and panels, with several tasks.
const Sizes someSizes[] = {{{"m", 1}, {"n", 1}, {"k", 3}},
                           {{"m", 7}, {"n", 17}, {"k", 5}},
                           {{"m", 130}, {"n", 200}, {"k", 9}}};

/// a = x p + r, b = x q + s: two segments; with `r` and `s` the same operand or not.
std::string twoSegments(bool shared) {
  std::string s = shared ? "3" : "4";
  std::vector<Buffer> operands = {left, panels, panels, tile};
  if (!shared)
    operands.push_back(tile);
  return text("contraction", operands, {tile, tile}, R"(
    %c = model.contract ["k"] %b0, %b1 : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %d = model.contract ["k"] %b0, %b2 : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %e = model.add %c, %b3 : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    %g = model.add %d, %b)" + s + R"( : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    kernel.yield %e, %g : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
)");
}

TEST_P(InPlace, SegmentsOverWhatTheyAloneRead) {
  Kernel k = kernel(twoSegments(false));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 3}, {1, 4}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes, inputs({{"m", "k"}, {"k", "n"}, {"k", "n"}, {"m", "n"}, {"m", "n"}}, sizes));
}

// The tasks of one segment come before those of the other, which find what the first has written.
TEST_P(InPlace, SegmentsThatShareAnOperand) {
  Kernel k = kernel(twoSegments(true));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), Pairs());
  const Sizes &sizes = someSizes[1];
  std::vector<Tensor> in = inputs({{"m", "k"}, {"k", "n"}, {"k", "n"}, {"m", "n"}}, sizes);
  std::vector<Tensor> right = k.run(sizes, in);
  std::vector<GuardedTensor> memory;
  for (size_t i = 0; i < 6; ++i) {
    memory.emplace_back(k.op().getLayoutsAttr()[i], mlir::Float32Type::get(k.op().getContext()),
                        in[std::min<size_t>(i, 3)], sizes);
    if (i < 4)
      memory.back().put(in[i]);
  }
  std::vector<void *> buffers;
  for (size_t i : {0, 1, 2, 3, 3, 5})
    buffers.push_back(memory[i].address());
  k.runRaw(sizes, buffers);
  EXPECT_TRUE(close(memory[3].get(), right[0], 0));
  EXPECT_FALSE(close(memory[5].get(), right[1], 0.1)) << "nothing would have gone wrong";
}

// Both results are made of one sum, and stored when both are known.
TEST_P(InPlace, ResultsOfOneSegment) {
  Kernel k = kernel(text("contraction", {left, panels, tile, row}, {tile, tile}, R"(
    %c = model.contract ["k"] %b0, %b1 : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %d = model.add %c, %b2 : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    %e = model.mul %d, %b2 : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    %g = model.mul %e, %b3 : !model.tensor<f32, m, n>, !model.tensor<f32, n>
    kernel.yield %d, %g : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 2}, {1, 2}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes, inputs({{"m", "k"}, {"k", "n"}, {"m", "n"}, {"n"}}, sizes));
}

// Another order of memory puts other elements at an address.
TEST_P(InPlace, NotWhereStridesDiffer) {
  Buffer across = {"f32, n, m", dense("n: \"m\", m: \"1\"")};
  Kernel k = kernel(text("rows", {tile, across}, {tile}, R"(
    %c = model.arrange %b1 : !model.tensor<f32, n, m> -> !model.tensor<f32, m, n>
    %d = model.add %b0, %c : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    kernel.yield %d : !model.tensor<f32, m, n>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 0}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes, inputs({{"m", "n"}, {"n", "m"}}, sizes));
}

TEST_P(InPlace, MapsOfSeveralResults) {
  Kernel k = kernel(text("rows", {tile, tile}, {tile, tile}, R"(
    %c = model.sub %b0, %b1 : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    %d = model.tanh %b0 : !model.tensor<f32, m, n>
    %e = model.mul %d, %b1 : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    kernel.yield %c, %e : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes, inputs({{"m", "n"}, {"m", "n"}}, sizes));
}

// A row's factor is read again for every column.
TEST_P(InPlace, NotOverWhatLacksADimensionOfAnotherResult) {
  Buffer column = {"f32, m", dense("m: \"1\"")};
  Kernel k = kernel(text("rows", {tile, column}, {tile, column}, R"(
    %c = model.mul %b0, %b1 : !model.tensor<f32, m, n>, !model.tensor<f32, m>
    %d = model.neg %b1 : !model.tensor<f32, m>
    kernel.yield %c, %d : !model.tensor<f32, m, n>, !model.tensor<f32, m>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 0}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes, inputs({{"m", "n"}, {"m"}}, sizes));
}

// Switches are bytes, numbers four of them.
TEST_P(InPlace, NotOverElementsOfAnotherWidth) {
  Kernel k = kernel(text("rows", {tile}, {{"i1, m, n", tile.layout}}, R"(
    %zero = model.constant 0.0 : f64
    %c = model.compare lt %b0, %zero : !model.tensor<f32, m, n>, !model.tensor<f32>
    kernel.yield %c : !model.tensor<i1, m, n>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), Pairs());
}

// All stores are in the last pass over a row: what it adds up it has read by then.
TEST_P(InPlace, RowsOverWhatTheyAddUp) {
  const char *bodies[] = {R"(%c = model.softmax "n" %b0 : !model.tensor<f32, m, n>)",
                          R"(%s = model.sum ["n"] %b0 : !model.tensor<f32, m, n>
         %c = model.mul %b0, %s : !model.tensor<f32, m, n>, !model.tensor<f32, m>)",
                          R"(%s = model.sum ["m"] %b0 : !model.tensor<f32, m, n>
         %c = model.sub %b0, %s : !model.tensor<f32, m, n>, !model.tensor<f32, n>)",
                          R"(%e = model.exp %b0 : !model.tensor<f32, m, n>
         %s = model.sum ["n"] %e : !model.tensor<f32, m, n>
         %d = model.sub %e, %s : !model.tensor<f32, m, n>, !model.tensor<f32, m>
         %t = model.sum ["n"] %d : !model.tensor<f32, m, n>
         %c = model.div %d, %t : !model.tensor<f32, m, n>, !model.tensor<f32, m>)"};
  for (const char *body : bodies) {
    Kernel k = kernel(text("rows", {tile}, {tile},
                           std::string(body) + "\nkernel.yield %c : !model.tensor<f32, m, n>\n"));
    ASSERT_TRUE(k.ok()) << body;
    EXPECT_EQ(allowed(k.op()), (Pairs{{0, 0}})) << body;
    for (const Sizes &sizes : someSizes)
      k.run(sizes, inputs({{"m", "n"}}, sizes));
  }
}

// A sum of each row and one of each column: threads that share a row of all do not wait for each
// other before they store. And a row whose factor is read for every position of it.
TEST_P(InPlace, NotWhereARowIsReadAgain) {
  const char *bodies[] = {R"(%c = model.cumsum "n" %b0 : !model.tensor<f32, m, n>)",
                          R"(%s = model.sum ["n"] %b0 : !model.tensor<f32, m, n>
         %t = model.sum ["m"] %b0 : !model.tensor<f32, m, n>
         %d = model.mul %b0, %s : !model.tensor<f32, m, n>, !model.tensor<f32, m>
         %c = model.mul %d, %t : !model.tensor<f32, m, n>, !model.tensor<f32, n>)"};
  for (const char *body : bodies) {
    Kernel k = kernel(text("rows", {tile}, {tile},
                           std::string(body) + "\nkernel.yield %c : !model.tensor<f32, m, n>\n"));
    ASSERT_TRUE(k.ok()) << body;
    EXPECT_EQ(allowed(k.op()), Pairs()) << body;
  }
}

TEST_P(InPlace, NotWhereARowIsReadElsewhere) {
  Kernel k = kernel(text("rows", {tile, {"i32, m", dense("m: \"1\"")}}, {tile}, R"(
    %g = model.gather %b0 "n" = %b1 : !model.tensor<f32, m, n>, !model.tensor<i32, m>
    %s = model.sum ["n"] %b0 : !model.tensor<f32, m, n>
    %t = model.mul %s, %g : !model.tensor<f32, m>, !model.tensor<f32, m>
    %c = model.mul %b0, %t : !model.tensor<f32, m, n>, !model.tensor<f32, m>
    kernel.yield %c : !model.tensor<f32, m, n>
)"));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), Pairs());
}

// Rows are added to what a scatter is added to, and read while others are written.
TEST_P(InPlace, ScattersOverWhatRowsAreAddedTo) {
  auto scatter = [](const std::string &sum) {
    return text("scatter", {tile, {"i32, m", dense("m: \"1\"")}, tile}, {tile},
                R"(
    %s = model.scatter %b0 "m" = %b1 : !model.tensor<f32, m, n>, !model.tensor<i32, m> -> !model.tensor<f32, m, n>
    )" + sum + R"(
    kernel.yield %u : !model.tensor<f32, m, n>
)");
  };
  const std::string of = " : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>";
  Kernel k = kernel(scatter("%u = model.add %s, %b2" + of));
  ASSERT_TRUE(k.ok());
  EXPECT_EQ(allowed(k.op()), (Pairs{{0, 2}}));
  for (const Sizes &sizes : someSizes)
    k.run(sizes,
          {Tensor::normal({"m", "n"}, sizes, 1), Tensor::whole({"m"}, sizes, sizes.at("m"), 2),
           Tensor::normal({"m", "n"}, sizes, 3)});
  Kernel itself = kernel(scatter("%u = model.add %b0, %s" + of));
  ASSERT_TRUE(itself.ok());
  EXPECT_EQ(allowed(itself.op()), Pairs());
}

INSTANTIATE_TEST_SUITE_P(Isa, InPlace, everyIsa(), isaName);

} // namespace
