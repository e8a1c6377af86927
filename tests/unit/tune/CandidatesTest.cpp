// What a search tries: the default first, and of schedules that run the same code only one.
#include "tools/tune/Candidates.h"

#include "tests/unit/tune/Module.h"

using namespace weft;

namespace {

const char *text = R"(
model.dim @m
model.dim @k = #model.size<70>
model.dim @n = #model.size<200>
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {
        layouts = [#kernel.layout<m: "70", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                   #kernel.layout<m: "200", n: "1">]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
})";

class Candidates : public test::ModuleTest {
protected:
  std::vector<cpu::ContractionAttr> at(tune::Points points, cpu::Isa isa) {
    std::vector<tune::Subject> all =
        tune::subjectsOf(read(text), [](mlir::func::FuncOp) { return true; }, points);
    EXPECT_EQ(all.size(), 1u);
    auto dims = kernel::DimTable::of(*module);
    const cpu::Machine &machine = cpu::machineOf(isa);
    auto found = tune::candidatesOf(all[0], dims, machine, /*cores=*/2);
    EXPECT_TRUE(succeeded(found));
    auto legal = cpu::legalSchedules({all[0].op, dims}, machine);
    EXPECT_TRUE(succeeded(legal));
    EXPECT_EQ(found->front(), legal->front()); // the default
    std::vector<cpu::ContractionAttr> result;
    for (kernel::ScheduleAttr each : *found)
      result.push_back(llvm::cast<cpu::ContractionAttr>(each));
    return result;
  }

  static cpu::ContractionAttr without(cpu::ContractionAttr each) {
    return each.withFew(cpu::Tile{1, 1});
  }
};

TEST_F(Candidates, WithManyRowsDoNotDifferInTilesForFewAlone) {
  for (cpu::Isa isa : {cpu::Isa::x86_64_v3, cpu::Isa::avx512}) {
    std::vector<cpu::ContractionAttr> all = at({{{"m", 300}, {"k", 70}, {"n", 200}}}, isa);
    EXPECT_GT(all.size(), 5u);
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        EXPECT_NE(without(all[i]), without(all[j])) << i << " and " << j;
  }
}

TEST_F(Candidates, OfOneRowDifferInTilesForFew) {
  for (tune::Points points :
       {tune::Points{{{"m", 1}, {"k", 70}, {"n", 200}}},
        tune::Points{{{"m", 300}, {"k", 70}, {"n", 200}}, {{"m", 2}, {"k", 70}, {"n", 200}}}}) {
    std::vector<cpu::ContractionAttr> all = at(points, cpu::Isa::x86_64_v3);
    bool areDifferent = false;
    for (cpu::ContractionAttr each : all)
      areDifferent |= each != all.front() && without(each) == without(all.front());
    EXPECT_TRUE(areDifferent);
  }
}

/// A narrower tile for few rows is not used, so it is the same as none.
TEST_F(Candidates, LeaveOutTilesForFewThatAreNoWider) {
  std::vector<cpu::ContractionAttr> all = at({{{"m", 1}, {"k", 70}, {"n", 200}}}, cpu::Isa::avx512);
  int ofTheUsualTile = 0;
  for (cpu::ContractionAttr each : all)
    if (without(each) == without(all.front()))
      EXPECT_TRUE(ofTheUsualTile++ == 0 || each.hasFew());
}

TEST_F(Candidates, SayWhichTileATaskHas) {
  cpu::ContractionAttr usual = at({{{"m", 1}, {"k", 70}, {"n", 200}}}, cpu::Isa::x86_64_v3).front();
  ASSERT_EQ(usual.getTile().panels, 1);
  ASSERT_GT(usual.getTile().rows, 2);
  cpu::ContractionAttr wide = usual.withFew({2, 2}), narrow = usual.withFew({2, 1});
  EXPECT_EQ(wide.tileFor(1), (cpu::Tile{2, 2}));
  EXPECT_EQ(wide.tileFor(2), (cpu::Tile{2, 2}));
  EXPECT_EQ(wide.tileFor(3), usual.getTile());
  EXPECT_EQ(narrow.tileFor(1), usual.getTile());
}

} // namespace
