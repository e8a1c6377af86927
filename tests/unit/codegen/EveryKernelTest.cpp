// Every kernel that real programs become, one by one, against the interpreter.
#include "KernelHarness.h"

#include "ir/model/Dims.h"
#include "passes/Pipeline.h"

#include "mlir/Parser/Parser.h"

#include <cmath>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

/// The module in `file` as the kernel stage leaves it.
mlir::OwningOpRef<mlir::ModuleOp> compiled(mlir::MLIRContext &context, const std::string &file) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, mlir::func::FuncDialect>();
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + file, &context);
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered || failed(addStage(manager, stage)))
      return {};
  if (!module || failed(manager.run(*module)))
    return {};
  return module;
}

/// Small sizes that no vector divides; what follows from others does so.
Sizes sizesOf(mlir::ModuleOp module) {
  model::Dims dims(module);
  const int64_t some[] = {3, 5, 2, 7};
  std::map<std::string, int64_t> base;
  for (model::DimOp dim : dims.declared())
    if (!dim.getSize())
      base[dim.getSymName().str()] = some[base.size() % std::size(some)];
  auto evaluate = [&](const Size &size) {
    return *size.evaluate(
        [&](const std::string &name) { return std::optional<int64_t>(base.at(name)); });
  };
  // A free size that bounds others (the capacity of a cache) is as large as they are.
  for (model::DimOp dim : dims.declared())
    if (auto bound = dim.getBound())
      for (const std::string &name : dims.resolve(bound->getValue()).dims())
        base[name] = std::max(base[name], evaluate(dims.size(dim.getSymName())));
  Sizes sizes;
  for (model::DimOp dim : dims.declared())
    sizes[dim.getSymName().str()] = evaluate(dims.size(dim.getSymName()));
  return sizes;
}

/// What whole numbers of the kernel must stay below: they may be positions.
int64_t smallestIndexed(kernel::FusedOp op, const Sizes &sizes) {
  int64_t smallest = 5;
  op.walk([&](mlir::Operation *inner) {
    if (isa<model::GatherOp, model::ScatterOp>(inner))
      smallest = std::min(smallest, sizes.at(inner->getAttrOfType<mlir::StringAttr>("dim").str()));
  });
  return smallest;
}

/// Values of an operand: where its layout has no stride, it is a view that is constant.
Tensor inputOf(kernel::FusedOp op, unsigned number, const Sizes &sizes, bool positive) {
  model::NamedTensorType type = model::typeOf(op.getOperand(number));
  auto layout = dyn_cast<kernel::LayoutAttr>(op.getLayoutsAttr()[number]);
  std::vector<std::string> all, varying;
  for (mlir::StringAttr dim : type.getDims()) {
    all.push_back(dim.str());
    if (!layout || layout.stride(dim))
      varying.push_back(dim.str());
  }
  Tensor values(varying, sizes);
  if (type.isFloat())
    values = Tensor::normal(varying, sizes, number + 1);
  else
    values =
        Tensor::whole(varying, sizes, type.isBool() ? 2 : smallestIndexed(op, sizes), number + 1);
  if (type.isFloat() && positive)
    for (double &x : values.data)
      x = float(0.1 + std::abs(x));
  return Tensor::of(all, sizes, [&](const Index &index) { return values.at(index); });
}

class EveryKernel : public testing::TestWithParam<const char *> {};

TEST_P(EveryKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam());
  ASSERT_TRUE(module);
  Sizes sizes = sizesOf(*module);
  std::set<std::string> seen;
  int inPlace = 0; // kernels that a plan may launch so
  module->walk([&](kernel::FusedOp op) {
    // It takes what the forward pass gives, not anything: AttentionTest.
    if (op.getFamily() == kernel::Family::attention_grad)
      return;
    std::string text = Kernel::alone(op);
    if (!seen.insert(text).second)
      return;
    for (cpu::Isa isa : {cpu::Isa::x86_64_v3, cpu::Isa::avx512}) {
      Kernel k(isa, text);
      ASSERT_TRUE(k.ok()) << text;
      k.setRandom({7, 3});
      for (bool positive : {true, false}) {
        std::vector<Tensor> inputs;
        for (unsigned i = 0; i < op.getNumOperands(); ++i)
          inputs.push_back(inputOf(op, i, sizes, positive));
        std::vector<Tensor> got = k.run(sizes, inputs), want = k.interpret(sizes, inputs);
        for (size_t r = 0; r < want.size(); ++r)
          ASSERT_TRUE(close(got[r], want[r], 1e-5)) << "result " << r << " of\n" << text;
      }
      inPlace += k.inPlaceRuns() > 0;
    }
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_GT(inPlace, 0);
}

INSTANTIATE_TEST_SUITE_P(Program, EveryKernel,
                         testing::Values("gpt.mlir", "llama-logits.mlir", "vit.mlir",
                                         "translation.mlir"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name = name.substr(0, name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
