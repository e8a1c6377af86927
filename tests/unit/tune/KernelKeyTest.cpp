// A kernel's hash: names of dimensions and labels do not matter; what code is made of does.
#include "ir/cpu/tuning/KernelKey.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "ir/cpu/Cpu.h"

#include <gtest/gtest.h>

using namespace weft;

namespace {

const std::string text = R"(
model.dim @seq
model.dim @key = #model.size<seq + 1>
model.dim @model = #model.size<64>
func.func @f(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, key, model>) {
  %0:2 = kernel.fused rows "norm" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, key, model>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<key: "64", model: "1">,
                             #kernel.layout<seq: "64 * seq", model: "1">, #kernel.layout<key: "64", model: "1">]} {
    %n = model.normalize ["model"] %a eps 1.0e-05 centered true : !model.tensor<f32, seq, model>
    %m = model.neg %b : !model.tensor<f32, key, model>
    kernel.yield %n, %m : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>
  }
  return
})";

std::string replaced(std::string in,
                     const std::vector<std::pair<std::string, std::string>> &words) {
  for (const auto &[from, to] : words) {
    EXPECT_NE(in.find(from), std::string::npos) << from;
    for (size_t at = 0; (at = in.find(from, at)) != std::string::npos; at += to.size())
      in.replace(at, from.size(), to);
  }
  return in;
}

class Keys : public testing::Test {
protected:
  cpu::KernelKey key(const std::string &source) {
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                        mlir::func::FuncDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    cpu::KernelKey result;
    if (module)
      module->walk(
          [&](kernel::FusedOp op) { result = cpu::keyOf(op, kernel::DimTable::of(*module)); });
    return result;
  }
  mlir::MLIRContext context;
};

TEST_F(Keys, NamesDoNotMatter) {
  cpu::KernelKey usual = key(text);
  EXPECT_EQ(usual.hash.size(), 16u);
  ASSERT_EQ(usual.dims.size(), 2u);
  EXPECT_EQ(usual.dims[0], "seq");
  EXPECT_EQ(usual.dims[1], "key");
  // In an order that the letters of the new names do not follow.
  cpu::KernelKey other = key(replaced(text, {{"seq", "zz"},
                                             {"key", "bb"},
                                             {"model>", "cc>"},
                                             {"@model", "@cc"},
                                             {"model:", "cc:"},
                                             {"\"model\"", "\"cc\""}}));
  EXPECT_EQ(other.hash, usual.hash);
  EXPECT_EQ(other.dims[0], "zz");
  EXPECT_EQ(key(replaced(text, {{"\"norm\"", "\"another\""}})).hash, usual.hash);
  // A size that is known, by its number or by its name.
  EXPECT_EQ(key(replaced(text, {{"seq: \"model\"", "seq: \"64\""}})).hash, usual.hash);
}

// Which other dimensions a program has, what a dynamic one is made up of, and a schedule.
TEST_F(Keys, WhatIsAroundAKernelDoesNotMatter) {
  std::string usual = key(text).hash;
  EXPECT_EQ(key("model.dim @aa\nmodel.dim @ab = #model.size<7>\n" + text).hash, usual);
  EXPECT_EQ(key(replaced(text, {{"<seq + 1>", "<seq + 2>"}})).hash, usual);
  EXPECT_EQ(key(replaced(text, {{"attributes {layouts",
                                 "attributes {cpu.tuned = [\"avx512\"], schedule = {avx512 = "
                                 "#cpu.rows<unroll = 1, elements = 8>}, layouts"}}))
                .hash,
            usual);
}

TEST_F(Keys, WhatCodeIsMadeOfDoes) {
  std::string usual = key(text).hash;
  for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
           {"eps 1.0e-05", "eps 1.0e-06"},
           {"centered true", "centered false"},
           {"<64>", "<72>"},
           {"@key = #model.size<seq + 1>", "@key = #model.size<5>"},
           {"64 * seq", "128 * seq"},
           {"model.neg", "model.exp"},
           {"#kernel.layout<key: \"64\", model: \"1\">]",
            "#kernel.layout<key: \"64\", model: \"1\", storage = bf16>]"},
           {"rows \"norm\"", "table \"norm\""}})
    EXPECT_NE(key(replaced(text, {{from, to}})).hash, usual) << from;
}

// Weights that are stored as whole numbers are unpacked by other code.
TEST_F(Keys, StorageOfWeightsDoes) {
  std::string pack = R"(
model.dim @k = #model.size<40>
model.dim @n = #model.size<20>
func.func @f(%w: !model.tensor<f32, k, n>) {
  %0 = kernel.fused pack "w" (%a = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, k, n>)
      attributes {layouts = [#kernel.layout<k: "20", n: "1">,
                             #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = i8>]} {
    kernel.yield %a : !model.tensor<f32, k, n>
  }
  return
})";
  std::string usual = key(pack).hash;
  EXPECT_EQ(
      key(replaced(pack, {{"[k]", "[q]"}, {"@k", "@q"}, {"k:", "q:"}, {" k, n>", " q, n>"}})).hash,
      usual);
  for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
           {"storage = i8", "storage = i4"}, {", storage = i8", ""}, {"width = 16", "width = 8"}})
    EXPECT_NE(key(replaced(pack, {{from, to}})).hash, usual) << from;
}

// A product whose tasks pack a side is other code than one that reads it, and by the side.
TEST_F(Keys, WhatTasksPackDoes) {
  std::string product = R"(
model.dim @m
model.dim @k = #model.size<40>
model.dim @n = #model.size<20>
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.layout<k: "n", n: "1">, #kernel.layout<m: "n", n: "1">],
                  packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
})";
  std::string usual = key(product).hash;
  EXPECT_EQ(key(replaced(product, {{"@m", "@q"}, {"m:", "q:"}, {", m,", ", q,"}})).hash, usual);
  for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
           {"[unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]",
            "[unit, unit]"},
           {"width = 16", "width = 8"}})
    EXPECT_NE(key(replaced(product, {{from, to}})).hash, usual) << from;
}

} // namespace
