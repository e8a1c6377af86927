// Kernels that scatter, against the interpreter.
#include "EveryIsa.h"

using namespace weft;
using namespace weft::test;

namespace {

class Scatter : public EveryIsa {};

const int64_t odd[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 65, 200};

const char *const embedding = R"mlir(
model.dim @batch or_empty
model.dim @seq
model.dim @vocab
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, seq, model>, %t: !model.tensor<i32, batch, seq>) {
  %r = kernel.fused scatter "embed" (%a = %x : !model.tensor<f32, batch, seq, model>, %b = %t : !model.tensor<i32, batch, seq>)
      -> (!model.tensor<f32, vocab, model>)
      attributes {layouts = [#kernel.layout<batch: "seq * model", seq: "model", model: "1">, #kernel.layout<batch: "seq", seq: "1">,
                             #kernel.layout<vocab: "model", model: "1">]} {
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, batch, seq, model>, !model.tensor<i32, batch, seq> -> !model.tensor<f32, vocab, model>
    kernel.yield %s : !model.tensor<f32, vocab, model>
  }
  return
}
)mlir";

TEST_P(Scatter, RowsOfAnEmbedding) {
  Kernel k = kernel(embedding);
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd)
    for (int64_t vocab : {1, 2, 11, 1000}) {
      Sizes sizes{{"batch", 3}, {"seq", 7}, {"vocab", vocab}, {"model", model}};
      Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1),
             t = Tensor::whole({"batch", "seq"}, sizes, vocab, 2);
      EXPECT_TRUE(close(k.run(sizes, {x, t})[0], k.interpret(sizes, {x, t})[0], 1e-6))
          << vocab << " x " << model;
    }
}

TEST_P(Scatter, ManyTasksAndNoRows) {
  Kernel k = kernel(embedding);
  for (Sizes sizes : {Sizes{{"batch", 5}, {"seq", 40}, {"vocab", 70001}, {"model", 9}},
                      Sizes{{"batch", 0}, {"seq", 40}, {"vocab", 5003}, {"model", 33}}}) {
    EXPECT_GT(k.tasks(sizes), 3);
    EXPECT_LE(k.tasks(sizes), 64);
    Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1),
           t = Tensor::whole({"batch", "seq"}, sizes, sizes["vocab"], 2);
    EXPECT_TRUE(close(k.run(sizes, {x, t})[0], k.interpret(sizes, {x, t})[0], 1e-6));
  }
}

const char *const onto = R"mlir(
model.dim @batch or_empty
model.dim @vocab
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, model>, %t: !model.tensor<i32, batch>, %o: !model.tensor<f32, vocab, model>) {
  %r = kernel.fused scatter "embed" (%a = %x : !model.tensor<f32, batch, model>, %b = %t : !model.tensor<i32, batch>,
                                     %c = %o : !model.tensor<f32, vocab, model>) -> (!model.tensor<f32, vocab, model>)
      attributes {layouts = [#kernel.layout<batch: "model", model: "1">, #kernel.layout<batch: "1">, BASE,
                             #kernel.layout<vocab: "model", model: "1">]} {
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, batch, model>, !model.tensor<i32, batch> -> !model.tensor<f32, vocab, model>
    %u = model.add %c, %s : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
    kernel.yield %u : !model.tensor<f32, vocab, model>
  }
  return
}
)mlir";

// Rows are added to another value: in its place, where it lies as the result does.
TEST_P(Scatter, OntoAnotherValue) {
  for (bool lieAlike : {true, false}) {
    std::string text = onto, base = lieAlike ? "vocab: \"model\", model: \"1\""
                                             : "vocab: \"1\", model: \"vocab\"";
    Kernel k = kernel(text.replace(text.find("BASE"), 4, "#kernel.layout<" + base + ">"));
    ASSERT_TRUE(k.ok());
    for (int64_t model : odd)
      for (int64_t vocab : {1, 2, 11, 1000})
        for (int64_t batch : {0, 21}) {
          Sizes sizes{{"batch", batch}, {"vocab", vocab}, {"model", model}};
          std::vector<Tensor> inputs{Tensor::normal({"batch", "model"}, sizes, 1),
                                     Tensor::whole({"batch"}, sizes, vocab, 2),
                                     Tensor::normal({"vocab", "model"}, sizes, 3)};
          EXPECT_TRUE(close(k.run(sizes, inputs)[0], k.interpret(sizes, inputs)[0], 1e-6))
              << vocab << " x " << model << (lieAlike ? "" : ", transposed");
        }
    EXPECT_EQ(k.inPlaceRuns() > 0, lieAlike);
  }
}

// The index is the position itself, and the dimension scattered to is larger.
TEST_P(Scatter, Positions) {
  Kernel k = kernel(R"mlir(
model.dim @seq bound <position>
model.dim @position
model.dim @model
func.func @f(%x: !model.tensor<f32, seq, model>) {
  %r = kernel.fused scatter "position" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, position, model>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<position: "model", model: "1">]} {
    %i = model.index "seq"
    %s = model.scatter %a "position" = %i : !model.tensor<f32, seq, model>, !model.tensor<index<seq>, seq> -> !model.tensor<f32, position, model>
    kernel.yield %s : !model.tensor<f32, position, model>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd) {
    Sizes sizes{{"seq", 5}, {"position", 9}, {"model", model}};
    Tensor x = Tensor::normal({"seq", "model"}, sizes, 1);
    EXPECT_TRUE(close(k.run(sizes, {x})[0], k.interpret(sizes, {x})[0], 0)) << model;
  }
}

// What picks one class of each row: the index's dimensions stay, the input has none of its own.
TEST_P(Scatter, OneOfEveryRow) {
  Kernel k = kernel(R"mlir(
model.dim @batch
model.dim @class
func.func @f(%x: !model.tensor<f32, batch>, %t: !model.tensor<i32, batch>) {
  %r = kernel.fused scatter "pick" (%a = %x : !model.tensor<f32, batch>, %b = %t : !model.tensor<i32, batch>)
      -> (!model.tensor<f32, batch, class>)
      attributes {layouts = [#kernel.layout<batch: "1">, #kernel.layout<batch: "1">, #kernel.layout<batch: "class", class: "1">]} {
    %s = model.scatter %a "class" = %b : !model.tensor<f32, batch>, !model.tensor<i32, batch> -> !model.tensor<f32, batch, class>
    kernel.yield %s : !model.tensor<f32, batch, class>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t classes : odd) {
    Sizes sizes{{"batch", 13}, {"class", classes}};
    Tensor x = Tensor::normal({"batch"}, sizes, 1), t = Tensor::whole({"batch"}, sizes, classes, 2);
    EXPECT_TRUE(close(k.run(sizes, {x, t})[0], k.interpret(sizes, {x, t})[0], 0)) << classes;
  }
}

// Input and index both have the scattered dimension as what they count; the result keeps a
// dimension of the index, lies transposed, and lacks one, which is summed. Whole numbers.
TEST_P(Scatter, CountsAlongTheDimensionItself) {
  Kernel k = kernel(R"mlir(
model.dim @group
model.dim @lost
model.dim @place
model.dim @inner
func.func @f(%x: !model.tensor<i32, place, inner, lost>, %t: !model.tensor<i32, group, place>) {
  %r = kernel.fused scatter "sort" (%a = %x : !model.tensor<i32, place, inner, lost>, %b = %t : !model.tensor<i32, group, place>)
      -> (!model.tensor<i32, group, place, inner>)
      attributes {layouts = [#kernel.layout<place: "1", inner: "place", lost: "inner * place">, #kernel.layout<group: "place", place: "1">,
                             #kernel.layout<group: "1", place: "group", inner: "group * place">]} {
    %s = model.scatter %a "place" = %b : !model.tensor<i32, place, inner, lost>, !model.tensor<i32, group, place> -> !model.tensor<i32, group, place, inner>
    kernel.yield %s : !model.tensor<i32, group, place, inner>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t place : odd) {
    Sizes sizes{{"group", 3}, {"lost", 2}, {"place", place}, {"inner", 5}};
    Tensor x = Tensor::whole({"place", "inner", "lost"}, sizes, 1000, 1),
           t = Tensor::whole({"group", "place"}, sizes, place, 2);
    EXPECT_TRUE(close(k.run(sizes, {x, t})[0], k.interpret(sizes, {x, t})[0], 0)) << place;
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Scatter, everyIsa(), isaName);

} // namespace
