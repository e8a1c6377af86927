// Which groups may become one, against a search of all that lies between: random blocks, with loops
// whose bodies use what stands before them, and groups that grow at random.
#include "passes/fused/Together.h"

#include "ir/kernel/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace weft;

namespace {

class GroupsTest : public testing::Test {
protected:
  GroupsTest() {
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, func::FuncDialect>();
    if (const char *given = std::getenv("WEFT_SEED"))
      seed = std::stoul(given);
    random.seed(seed);
    printf("WEFT_SEED=%u\n", seed);
  }

  unsigned pick(unsigned count) { return random() % count; }

  /// A function of `count` ops, each of two values that stand before it, mostly of late ones.
  OwningOpRef<ModuleOp> block(unsigned count) {
    std::string text = "model.dim @layer = <3>\nfunc.func @f(%v0: !model.tensor<f32>) {\n";
    for (unsigned i = 1; i <= count; ++i) {
      auto value = [&] {
        unsigned back = pick(4) ? pick(std::min(i, 4u)) : pick(i);
        return "%v" + std::to_string(i - 1 - back);
      };
      std::string name = "%v" + std::to_string(i), a = value(), b = value(),
                  two = " : <f32>, <f32>\n";
      if (pick(8))
        text += name + " = model.add " + a + ", " + b + two;
      else
        text += name + " = model.repeat \"layer\" carry(%c = " + a +
                " : !model.tensor<f32>) -> (!model.tensor<f32>) {\n  %n = model.add %c, " + b +
                two + "  model.yield %n : !model.tensor<f32>\n}\n";
    }
    return parseSourceString<ModuleOp>(text + "return\n}\n", &context);
  }

  /// Whether what `ops` would be, with every other group as one, is in no circle.
  static bool isLegal(Block &block, const Groups &groups, const Groups::Members &ops) {
    llvm::SmallPtrSet<Operation *, 32> seen;
    SmallVector<Operation *> open;
    auto follow = [&](Operation *op) {
      for (Operation *user : op->getUsers())
        if (Operation *here = block.findAncestorOpInBlock(*user);
            !ops.contains(here) && seen.insert(here).second)
          open.push_back(here);
    };
    llvm::for_each(ops, follow);
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      SmallVector<Operation *> all{op};
      if (auto group = Groups::of(op))
        all.assign(groups.members(*group).begin(), groups.members(*group).end());
      for (Operation *each : all) {
        seen.insert(each);
        for (Operation *user : each->getUsers())
          if (ops.contains(block.findAncestorOpInBlock(*user)))
            return false;
        follow(each);
      }
    }
    return true;
  }

  MLIRContext context;
  unsigned seed = std::random_device{}();
  std::mt19937 random;
};

TEST_F(GroupsTest, WhatLiesBetweenIsFound) {
  unsigned legal = 0, illegal = 0;
  for (int round = 0; round < 300; ++round) {
    OwningOpRef<ModuleOp> module = block(4 + pick(28));
    ASSERT_TRUE(module);
    Block &body = (*module->getOps<func::FuncOp>().begin()).front();
    Groups groups(body);
    for (Operation &op : body.without_terminator())
      if (isa<model::AddOp>(op) && pick(5))
        groups.form({&op});
    for (int tries = 0; tries < 60 && groups.numbers().size() > 1; ++tries) {
      SmallVector<int64_t> numbers = groups.numbers();
      int64_t a = numbers[pick(numbers.size())], b = numbers[pick(numbers.size())];
      if (a == b)
        continue;
      Groups::Members both = groups.members(a);
      both.insert(groups.members(b).begin(), groups.members(b).end());
      bool expected = isLegal(body, groups, both);
      ASSERT_EQ(groups.couldMerge(a, b), expected) << "seed " << seed << ", round " << round;
      ASSERT_EQ(groups.isLegal(both), expected) << "seed " << seed << ", round " << round;
      ++(expected ? legal : illegal);
      if (expected && pick(3))
        groups.merge(a, b);
    }
    SmallVector<Operation *> loose;
    for (Operation &op : body.without_terminator())
      if (!Groups::of(&op) && isa<model::AddOp>(op))
        loose.push_back(&op);
    for (Operation *first : loose) {
      Together together(groups, first);
      for (int tries = 0; tries < 6; ++tries) {
        Operation *op = loose[pick(loose.size())];
        if (together.members().contains(op))
          continue;
        Groups::Members all = together.members();
        all.insert(op);
        bool expected = isLegal(body, groups, all);
        ASSERT_EQ(together.couldAdd(op), expected) << "seed " << seed << ", round " << round;
        ++(expected ? legal : illegal);
        if (expected)
          together.add(op);
      }
    }
    groups.gather(); // each stands together, and still behind what it needs
    EXPECT_TRUE(succeeded(verify(*module))) << "seed " << seed << ", round " << round;
    for (int64_t number : groups.numbers()) {
      SmallVector<Operation *> ops(groups.members(number).getArrayRef());
      llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
      for (size_t i = 1; i < ops.size(); ++i)
        EXPECT_EQ(ops[i - 1]->getNextNode(), ops[i]);
    }
  }
  EXPECT_GT(legal, 1000u);
  EXPECT_GT(illegal, 1000u);
}

} // namespace
